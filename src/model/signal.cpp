// SPDX-License-Identifier: BSD-3-Clause
// What blocks have in common.
#include "polhode/model/signal.hpp"

namespace polhode::model {

SignalBlock::Values::Values(const Sizes& sizes)
    : y(VectorX::Zero(sizes.outputs)),
      f(VectorX::Zero(sizes.states)),
      y_by_u(MatrixX::Zero(sizes.outputs, sizes.inputs)),
      y_by_z(MatrixX::Zero(sizes.outputs, sizes.states)),
      f_by_u(MatrixX::Zero(sizes.states, sizes.inputs)),
      f_by_z(MatrixX::Zero(sizes.states, sizes.states)) {}

// Blocks without states and without samples need neither of these.
void SignalBlock::start(std::span<double>, std::span<double>) const {}

void SignalBlock::sample(double, std::span<const double>, std::span<double>) const {}

void SignalBlock::enter(std::span<const double>, std::span<double>) const {}

std::unique_ptr<SignalBlock> SignalBlock::approximant(int, bool) const { return nullptr; }

// At rest a delay gives its input, which is less than an approximant of it: rest goes first.
void SignalEntry::take_form(const SignalForm& form) {
  if (!block) return;
  std::unique_ptr<SignalBlock> other;
  if (form.at_rest) other = block->resting();
  approximated = !other && form.approximants > 0 && block->delay().time > 0;
  if (approximated) other = block->approximant(form.approximants, form.lags);
  if (other) block = std::move(other);
}

}  // namespace polhode::model
