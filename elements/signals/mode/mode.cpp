// SPDX-License-Identifier: BSD-3-Clause
// A number that events set: held, and no function of anything.
#include "elements/signals/mode/mode.hpp"

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/blocks/held_number.hpp"

namespace polhode::elements {
namespace {

constexpr std::array mode_fields{model::Field{.name = "initial",
                                              .type = model::FieldType::number,
                                              .doc = "the value until an event sets another one",
                                              .default_text = "0"}};

void build_mode(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(entry, builder, std::make_unique<signals::HeldNumber>(entry.number("initial", 0)), {});
}

}  // namespace

const model::KindInfo mode_info{
    "mode",     model::Family::signal, "a number that events set, to switch what takes it", mode_fields, {},
    build_mode, signals::no_samples};

}  // namespace polhode::elements
