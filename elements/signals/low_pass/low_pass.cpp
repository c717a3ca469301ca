// SPDX-License-Identifier: BSD-3-Clause
// A filter of first order.
#include "elements/signals/low_pass/low_pass.hpp"

#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {
namespace {

constexpr std::array low_pass_fields{signals::input_field,
                                     signals::positive_field("time_constant", "s", "tau of tau y' + y = input"),
                                     signals::initial_field};
// A = -1/tau, B = 1/tau, C = 1: of gain one at rest.
void build_low_pass(const model::Entry& entry, model::Builder& builder) {
  const double rate = 1 / entry.number("time_constant");
  signals::add_linear(entry, builder, signals::first_order(-rate, rate, 1, 0, entry.number("initial", 0)),
                      {entry.function("input")});
}

}  // namespace

const model::KindInfo low_pass_info{"low_pass", model::Family::signal, "a filter of first order", low_pass_fields,
                                    {},         build_low_pass,        signals::no_samples};

}  // namespace polhode::elements
