// SPDX-License-Identifier: BSD-3-Clause
// The methods of SUNDIALS as Integrators.
#include "polhode/integrators/sundials/sundials_integrator.hpp"

#include <algorithm>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

SundialsIntegrator::SundialsIntegrator(const assembly::System& system, const std::string& method,
                                       const StepControlSettings& control, double duration)
    : system_(system), method_(method), control_(control), duration_(duration), next_(system.initial_state()) {
  make_solver();
}

SundialsIntegrator::~SundialsIntegrator() = default;

void SundialsIntegrator::make_solver() {
  const StepSizes sizes = step_sizes(control_, sundials_rule, duration_, duration_);
  const double longest = std::min(sizes.max, system_.signals().longest_step());
  solver_ = std::make_unique<Sundials>(system_, method_, control_, sizes.min, longest, duration_);
  revision_ = -1;
}

bool SundialsIntegrator::start(State& q, const Start& start) {
  if (!solver_->make_consistent(q, start.instant)) return false;
  record_start(system_, start.instant, q);
  // Jumps come out of delays at times that no plan knows; those that go in are known from here on
  Start to_jump = start;
  to_jump.stop = std::min(start.stop, system_.signals().next_jump(q));
  solver_->start(q, to_jump);
  revision_ = q.dropped.revision;
  drifted_ = false;
  return true;
}

bool SundialsIntegrator::wants_start(const State& q) const { return drifted_ || revision_ != q.dropped.revision; }

const StepReport& SundialsIntegrator::attempt(const State& q, const Step& step) {
  work_.reset();
  solver_->remember(q);
  constexpr double far = 1e-2;  // off the constraints, relative to the model
  report_ = solver_->step(step.stop);
  if (report_.succeeded()) refuse_past_bound(system_, q, solver_->state(), report_);
  if (!report_.succeeded()) find_without_value(system_, solver_->form().state(), report_);
  drifted_ = solver_->form().drift() > far;
  return report_;
}

void SundialsIntegrator::accept(State& q) {
  next_ = solver_->state();
  next_.t = report_.t;
  next_.last_step = report_.h;
  system_.update_history(next_);
  system_.signals().record(next_, false);
  q.swap(next_);
}

std::optional<double> SundialsIntegrator::external_work(double) const { return work_.value_or(solver_->work()); }

bool SundialsIntegrator::between(double t, State& q, double& work) { return solver_->between(t, q, work); }

// next_ is the state before the step.
std::optional<bool> SundialsIntegrator::go_back(double t, State& q) {
  double work = 0;
  if (!solver_->between(t, q, work)) return false;
  work_ = work;
  q.t = t;
  q.last_step = t - next_.t;
  system_.signals().settle(q);
  system_.signals().record(q, false);
  return true;
}

double SundialsIntegrator::pivot_ratio() const { return solver_->form().pivot_ratio(); }

// What the library remembers of earlier steps cannot be written: it starts anew.
void SundialsIntegrator::save(const State&, std::vector<double>&) { make_solver(); }

bool SundialsIntegrator::load(const State&, std::span<const double> data) { return data.empty(); }

}  // namespace polhode::integrators
