// SPDX-License-Identifier: BSD-3-Clause
// States of a transient for the results: at steps, and between them.
#include "output_states.hpp"

namespace polhode::run {

// Methods may change from one analysis to the next.
void OutputStates::begin_analysis(double external_work) {
  accelerations_.reset();
  work_before_ = external_work;
}

// Either states at the times of the deck, between steps, or each n-th step; the first and the last always.
// A state that is not stored still counts in responses.
void OutputStates::add(const model::State& q, const integrators::StepRecord& step, const analyses::Progress& progress,
                       bool last) {
  const bool first = progress.step == 0;
  if (!step.integrator.has_middle_values())
    accelerations_.reset();
  else if (!accelerations_)
    accelerations_.emplace(system_);
  StateNumbers numbers;
  numbers.external_work = progress.external_work;
  if (!first) numbers.residual = step.integrator.residual();
  const bool stored = times_.any() && !first && store_between(q, step, numbers);
  work_before_ = progress.external_work;
  if (stored) return;
  numbers.invariants = step.integrator.invariants();
  const bool due = !times_.any() && progress.step % settings_.every == 0;
  if (first || last || due)
    store(q, numbers);
  else if (recorder_.has_responses())
    recorder_.add_to_responses(at_its_time(q), numbers);
}

// Methods with values in the middle of a step get those at its end from the state.
const model::State& OutputStates::at_its_time(const model::State& q) {
  return accelerations_ ? accelerations_->of(q) : q;
}

// Work done between the start of the step and `t`, of a method without dense output.
double OutputStates::work_between(const integrators::StepRecord& step, const model::State& before,
                                  const model::State& q, double t, double external_work) const {
  if (step.integrator.invariants()) return (t - before.t) / (q.t - before.t) * (external_work - work_before_);
  return 0.5 * (t - before.t) * (system_.power(before) + system_.power(between_));
}

// Dense output of the method where it has one, else cubic interpolation, whose work is found in the same
// way.
bool OutputStates::store_between(const model::State& q, const integrators::StepRecord& step,
                                 const StateNumbers& numbers) {
  const model::State& before = *step.previous;
  while (const auto t = times_.next(before.t, q.t)) {
    // A step may hold a million of them.
    is_cut_ = is_cut_ || (interrupted_ && interrupted_());
    if (is_cut_) return false;
    if (*t == q.t) {
      StateNumbers at_end = numbers;
      at_end.invariants = step.integrator.invariants();
      store(q, at_end);
      return true;
    }
    StateNumbers inside;
    inside.external_work = numbers.external_work;
    if (!step.integrator.between(*t, between_, inside.external_work)) {
      analyses::interpolate(system_, before, q, *t, between_, analyses::velocities_of(step.integrator));
      inside.external_work = work_before_ + work_between(step, before, q, *t, numbers.external_work);
    }
    store(between_, inside);
  }
  return false;
}

}  // namespace polhode::run
