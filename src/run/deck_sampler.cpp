// SPDX-License-Identifier: BSD-3-Clause
// The rows that a run of a deck stores.
#include "deck_sampler.hpp"

namespace polhode::run {

// Names change before responses and files take them from the layout.
results::Sampler sampler_of(const assembly::System& system, const io::Deck& deck) {
  results::Sampler sampler(system, deck.output.fields, analyses::contents_of(deck.analyses));
  sampler.name_units(deck.units);
  return sampler;
}

}  // namespace polhode::run
