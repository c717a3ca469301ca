// SPDX-License-Identifier: BSD-3-Clause
// The integral of a signal.
#include "elements/signals/integrator/integrator.hpp"

#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {
namespace {

constexpr std::array integrator_fields{signals::input_field, signals::initial_field};
// A = 0, B = C = 1.
void build_integrator(const model::Entry& entry, model::Builder& builder) {
  signals::add_linear(entry, builder, signals::first_order(0, 1, 1, 0, entry.number("initial", 0)),
                      {entry.function("input")});
}

}  // namespace

const model::KindInfo integrator_info{
    "integrator",     model::Family::signal, "the integral of the input over time", integrator_fields, {},
    build_integrator, signals::no_samples};

}  // namespace polhode::elements
