// SPDX-License-Identifier: BSD-3-Clause
// A number that a host program sets.
#include "elements/signals/external/external.hpp"

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/blocks/held_number.hpp"

namespace polhode::elements {
namespace {

constexpr std::array external_fields{signals::initial_field};

void build_external(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(entry, builder, std::make_unique<signals::HeldNumber>(entry.number("initial", 0)), {});
}

}  // namespace

const model::KindInfo external_info{
    "external",     model::Family::signal, "a number that a host program sets between steps", external_fields, {},
    build_external, signals::no_samples};

}  // namespace polhode::elements
