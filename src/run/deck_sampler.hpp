// SPDX-License-Identifier: BSD-3-Clause
// The results of a deck.
#pragma once
#include "polhode/io/deck/deck.hpp"
#include "polhode/results/sampler.hpp"

namespace polhode::run {

// Of the fields that the deck keeps, in its units. Both have to outlive the sampler.
results::Sampler sampler_of(const assembly::System& system, const io::Deck& deck);

}  // namespace polhode::run
