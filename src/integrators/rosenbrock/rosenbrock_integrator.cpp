// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock-Nystrom methods as an Integrator.
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

RosenbrockIntegrator::RosenbrockIntegrator(const assembly::System& system, const IntegratorSettings& settings,
                                           bool reuse_tangents, const StepControlSettings* control)
    : system_(system),
      settings_(settings),
      reuse_tangents_(reuse_tangents),
      tolerance_(control ? control->tolerance : 0),
      next_(system.initial_state()),
      revision_(next_.dropped.revision) {
  method_.emplace(system_, settings_, reuse_tangents_);
}

// A state-space method begins from a consistent state: positions and velocities on the constraints.
bool RosenbrockIntegrator::start(State& q, const Start& start) {
  method_->accepted();
  if (!make_consistent(system_, method_->space(), q, q.t + start.instant)) return false;
  record_start(system_, start.instant, q);
  return true;
}

const StepReport& RosenbrockIntegrator::attempt(const State& q, const Step& step) {
  if (std::exchange(revision_, q.dropped.revision) != q.dropped.revision) method_->accepted();
  report_ = {};
  report_.t = step.t_next;
  report_.h = step.h;
  report_.contraction = std::numeric_limits<double>::quiet_NaN();
  report_.order = report_.contraction;
  report_.outcome = try_step(q, step);
  if (report_.succeeded()) refuse_past_bound(system_, q, next_, report_);
  if (!report_.succeeded()) find_without_value(system_, method_->space().chart().stage(), report_);
  report_.iterations = method_->solves();
  factorizations_ += method_->factorizations();
  return report_;
}

Outcome RosenbrockIntegrator::try_step(const State& q, const Step& step) {
  switch (method_->attempt(q, step.h, step.t_next, step.limit, step.stop)) {
    case Rosenbrock::Attempt::singular:
    case Rosenbrock::Attempt::singular_start:
      return Outcome::singular;
    case Rosenbrock::Attempt::no_positions:
      return Outcome::not_converged;
    case Rosenbrock::Attempt::interrupted:
      return Outcome::interrupted;
    case Rosenbrock::Attempt::done:
      break;
  }
  if (tolerance_ > 0) {
    report_.error = method_->error(tolerance_);
    if (!(report_.error <= 1)) return Outcome::inaccurate;
  }
  return method_->finish(next_) ? Outcome::converged : Outcome::not_converged;
}

// The state of the attempt becomes that of the step.
void RosenbrockIntegrator::accept(State& q) {
  report_.factorizations = std::exchange(factorizations_, 0);
  report_.constraint_residual = method_->space().constraint_violation() * system_.length();
  system_.signals().record(next_, false);
  q.swap(next_);
  method_->accepted();
}

void RosenbrockIntegrator::name_worst(StepReport& report) {
  constexpr int count = 5;
  report.worst = method_->worst_rows(tolerance_, count);
}

std::string RosenbrockIntegrator::notice() {
  const int before = std::exchange(partitions_, method_->space().lifted().lift.partitions());
  if (partitions_ <= std::max(before, 1)) return "";
  return fmt::format("t = {:.6g} s: other unknowns are independent from here on (partition {})", next_.t, partitions_);
}

// Tangents that are reused and the choice of independent unknowns are made anew.
void RosenbrockIntegrator::save(const State& q, std::vector<double>& data) {
  const double turnover = method_->turnover();
  data.push_back(turnover);
  method_.emplace(system_, settings_, reuse_tangents_);
  method_->resume(q.last_step, turnover);
}

bool RosenbrockIntegrator::load(const State& q, std::span<const double> data) {
  if (data.size() != 1) return false;
  method_->resume(q.last_step, data[0]);
  return true;
}

}  // namespace polhode::integrators
