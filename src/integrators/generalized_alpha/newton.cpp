// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration of one implicit step.
#include "polhode/integrators/generalized_alpha/newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace polhode::integrators {

NewtonSolver::NewtonSolver(const assembly::System& system, const NewtonSettings& settings,
                           const IntegratorSettings& integrator)
    : system_(system),
      settings_(settings),
      equations_(make_equations(system, integrator)),
      signals_(AlphaParameters::of(integrator)),
      jacobian_(settings.jacobian == NewtonSettings::Jacobian::kept) {
  iterations_.reserve(2 * static_cast<std::size_t>(settings.max_iterations) + 2);
}

// A step that fails with a reused Jacobian is done once more with full Newton, from its prediction.
// Internal variables follow the configuration at the end only: while it iterates elements see those of the
// last accepted state.
StepReport NewtonSolver::step(Scheme& scheme, const State& old, State& next, double h, double t_next,
                              const math::StopRequest& stop) {
  StepReport report;
  report.t = t_next;
  report.h = h;
  next.t = t_next;
  next.history = old.history;
  if (!system_.signals().empty()) signals_.begin(old, next, h);
  next.dropped = old.dropped;
  jacobian_.begin_step(h, old.dropped.revision);
  iterations_.clear();
  iterate(scheme, old, next, h, stop, report);
  if (!report.succeeded() && report.outcome != Outcome::interrupted && jacobian_.reuses()) {
    jacobian_.begin_anew();
    report.worst.clear();
    iterate(scheme, old, next, h, stop, report);
  }
  jacobian_.finish_step(report.succeeded(), report.iterations);

  if (report.succeeded()) refuse_mirrored(system_, next, report);
  // Where forces jump, the iteration may go to and fro between both sides.
  if (report.succeeded() || report.outcome == Outcome::not_converged) refuse_past_bound(system_, old, next, report);
  set_convergence(iterations_, report);
  if (report.succeeded()) {
    scheme.finish(old, next);
    system_.update_history(next);
    if (!system_.signals().empty()) {
      signals_.finish(old, next);
      system_.signals().record(next, false);
    }
    next.last_step = h;
  } else {
    report.history = iterations_;
    report.history.push_back({report.residual, report.constraint_residual, 0});
    if (report.worst.empty()) name_worst_rows(system_, residual(), old.dropped, report);
    find_without_value(system_, next, report);
  }
  return report;
}

void NewtonSolver::predict(Scheme& scheme, const State& old, State& next, double h) {
  if (settings_.predictor == NewtonSettings::Predictor::zero)
    next.lambda.setZero();
  else
    system_.row_lots().each_range([&](Eigen::Index begin, Eigen::Index count) {
      next.lambda.segment(begin, count) = old.lambda.segment(begin, count);
    });
  scheme.predict(old, next, h, settings_.predictor);
  equations_->begin(old, h);
}

Iteration NewtonSolver::evaluate(const State& next, StepReport& report) {
  equations_->evaluate(next);
  residual_is_current_ = true;
  const assembly::System::Norms norms = equations_->norms();
  const Iteration now{norms.force, norms.phi, 0};
  report.residual = now.residual;
  report.constraint_residual = now.constraint_residual;
  return now;
}

double NewtonSolver::residual_to_go(const Iteration& now) const {
  const double to_go = now.residual / settings_.residual_tolerance.value_or(0);
  if (system_.rows() == 0) return to_go;
  return std::max(to_go, now.constraint_residual / settings_.constraint_tolerance.value_or(0));
}

// Less than a factor of ten in both residuals since the iterate before.
bool NewtonSolver::stalls(const Iteration& now) const {
  const Iteration& before = iterations_.back();
  return now.residual >= 0.1 * before.residual && now.constraint_residual >= 0.1 * before.constraint_residual;
}

// Evaluate, check, solve, in the order of BCA12, Table 1. Four ends beside an interrupt: within the tolerance of the
// criterion;
// at round-off, where positions change in their last bits and the residual falls no more; diverged,
// after four growths in a row, to ten times the model's length; or out of iterations.
// A reused Jacobian that stagnates is renewed before that is taken for round-off.
void NewtonSolver::iterate(Scheme& scheme, const State& old, State& next, double h, const math::StopRequest& stop,
                           StepReport& report) {
  using Criterion = NewtonSettings::Criterion;
  // Positions change by round-off alone, relative to the model's length.
  constexpr double last_bits = 1e-13;
  report.outcome = Outcome::converged;
  predict(scheme, old, next, h);
  // Counted anew where the step begins anew; the report adds up both.
  const int most = report.iterations + settings_.max_iterations;
  const std::size_t first = iterations_.size();
  double change = 1;
  double to_go = 1;
  int growths = 0;
  bool renew = false;

  for (;;) {
    Iteration now = evaluate(next, report);
    if (!std::isfinite(now.residual + now.constraint_residual)) {
      report.outcome = Outcome::diverged;
      return;
    }
    if (settings_.criterion == Criterion::residual) {
      to_go = residual_to_go(now);
      if (to_go < 1) return;
    }
    if (iterations_.size() > first) {
      renew = change < last_bits && stalls(now);
      if (renew && !jacobian_.is_old()) {
        report.outcome = Outcome::round_off;
        return;
      }
    }
    if (report.iterations == most) {
      report.outcome = Outcome::not_converged;
      return;
    }
    if (report.iterations > 0 && math::is_asked_to_stop(stop)) {
      report.outcome = Outcome::interrupted;
      return;
    }

    if ((renew || jacobian_.wants_new(to_go)) && !linearize(scheme, next, report)) return;
    ++report.iterations;
    if (settings_.criterion == Criterion::weighted) lambda_before_ = next.lambda;
    if (!equations_->advance(old, next, scheme)) {
      report.outcome = Outcome::diverged;
      return;
    }
    residual_is_current_ = false;
    // Increments are compared with those of the whole step.
    const Change last = change_against(scheme.increment());
    now.increment =
        settings_.criterion == Criterion::weighted ? weighted_norm(scheme.increment(), next.lambda) : last.norm;
    change = last.largest;
    growths = iterations_.size() > first && now.increment > iterations_.back().increment ? growths + 1 : 0;
    iterations_.push_back(now);
    jacobian_.solved(now.increment);
    if (settings_.criterion != Criterion::residual) {
      if (jacobian_.accepts(now.increment)) return;
      to_go = now.increment;
    }
    if ((growths >= 4 && change > 10 && report.iterations < most) || jacobian_.should_begin_anew()) {
      report.outcome = Outcome::diverged;
      return;
    }
  }
}

// A column without a pivot names the unknown that nothing holds.
bool NewtonSolver::linearize(Scheme& scheme, const State& next, StepReport& report) {
  ++report.factorizations;
  if (equations_->linearize(next, scheme)) {
    jacobian_.made();
    return true;
  }
  report.outcome = Outcome::singular;
  const std::string place = equations_->singular_place();
  if (!place.empty()) report.worst.push_back(place + "  (no pivot)");
  return false;
}

// Increments against absolute + relative |h Dq|, lengths in units of the model's length: the norm of Arnold & Hante
// (2017) but for the unit and for multipliers, which follow the motion and have no common unit. A thread reads no nodes
// but its own.
NewtonSolver::Change NewtonSolver::change_against(std::span<const Vec6> increment) const {
  const double length = system_.length();
  Vec6 absolute;
  Vec6 per_size;
  absolute << math::Vec3::Constant(settings_.absolute * length), math::Vec3::Constant(settings_.absolute);
  per_size << math::Vec3::Constant(1 / length), math::Vec3::Ones();
  struct Sums {
    Vec6 squares = Vec6::Zero();
    Vec6 largest = Vec6::Zero();
    void operator+=(const Sums& other) {
      squares += other.squares;
      largest = largest.cwiseMax(other.largest);
    }
  };
  const std::span<const Vec6> dx = equations_->increment();
  const std::span<const Vec6> dy = equations_->dynamic_increment();
  const math::IndexLots& nodes = system_.node_lots();
  const auto all = math::sum_of_lots<Sums>(nodes, [&](std::size_t lot) {
    Sums sums;
    nodes.each_of(lot, [&](std::size_t i) {
      if (i == 0) return;  // the ground
      const auto size = dx[i].array().abs().max(dy[i].array().abs());
      const auto weight = absolute.array() + settings_.relative * increment[i].array().abs();
      sums.squares.array() += (size / weight).square();
      sums.largest = sums.largest.array().max(size * per_size.array());
    });
    return sums;
  });
  return {std::sqrt(all.squares.sum() / std::max(1, system_.free_unknowns())), all.largest.maxCoeff()};
}

// Kynema, Algorithm 1: sqrt(1/(k + m) (sum (dx/(absolute + relative |h Dq|))^2 + sum (dlambda/(absolute + relative
// |lambda|))^2)), in the units of the deck.
double NewtonSolver::weighted_norm(std::span<const Vec6> increment, const model::VectorX& lambda) const {
  const std::span<const Vec6> dx = equations_->increment();
  Vec6 of_motion = Vec6::Zero();
  for (std::size_t i = 1; i < dx.size(); ++i)
    of_motion.array() +=
        (dx[i].array() / (settings_.absolute + settings_.relative * increment[i].array().abs())).square();
  double sum = of_motion.sum();
  for (Eigen::Index j = 0; j < lambda.size(); ++j) {
    const double part =
        (lambda[j] - lambda_before_[j]) / (settings_.absolute + settings_.relative * std::abs(lambda[j]));
    sum += part * part;
  }
  return std::sqrt(sum / std::max<double>(1, system_.free_unknowns() + static_cast<double>(lambda.size())));
}

}  // namespace polhode::integrators
