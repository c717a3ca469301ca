// SPDX-License-Identifier: BSD-3-Clause
// Steps of Radau IIA: iteration, end, error.
#include "polhode/integrators/radau/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrators/nodal.hpp"

namespace polhode::integrators {
namespace {

// Of what `newton` allows increments: what the iteration leaves adds up over the steps, and velocities have it times
// 5/h.
constexpr double part_of_newton = 1e-5;
// Of the tolerance of controlled steps.
constexpr double part_of_tolerance = 1e-4;
// Estimated error of a step that the tolerance allows. The estimate is that of the embedded method of order 3, far
// above the error of a small step: measured, the error of the motion is 0.01 to 9 times the tolerance.
constexpr double allowed_per_tolerance = 0.02;

}  // namespace

Radau::Radau(const assembly::System& system, const NewtonSettings& newton, const StepControlSettings* control)
    : system_(system),
      newton_(newton),
      tolerance_(control ? control->tolerance : 0),
      stages_(system),
      end_(system),
      is_driven_(may_drive(system)),
      is_stiff_(has_stiffness(system)),
      next_(system.initial_state()),
      error_(system.nodes(), Vec6::Zero()),
      scaled_(error_),
      mass_(system),
      force_(system.make_residual()),
      states_follow_dynamics_(system.signals().states_follow_dynamics()) {
  solver_.emplace(system);
  for (assembly::Residual& r : residuals_) r = system.make_residual();
  iterations_.reserve(static_cast<std::size_t>(newton.max_iterations) + 2);
}

bool Radau::start(State& q, const Start& start) {
  stages_.restart();
  q.memory.clear();
  system_.signals().settle(q);
  record_start(system_, start.instant, q);
  return true;
}

const StepReport& Radau::attempt(const State& q, const Step& step) {
  report_ = {};
  report_.t = step.t_next;
  report_.h = step.h;
  iterations_.clear();
  iterate(q, step);
  set_convergence(iterations_, report_);
  if (report_.succeeded()) finish(step.h);
  if (report_.succeeded()) refuse_mirrored(system_, next_, report_);
  if (report_.succeeded() || report_.outcome == Outcome::not_converged)
    refuse_past_bound(system_, q, report_.succeeded() ? next_ : stages_.state(2), report_);
  if (!report_.succeeded()) {
    h_of_matrix_ = 0;
    if (report_.outcome != Outcome::interrupted) {
      report_.history = iterations_;
      report_.history.push_back({report_.residual, report_.constraint_residual, 0});
      if (report_.worst.empty()) name_worst_rows(system_, residuals_[2], q.dropped, report_);
      for (int stage = 0; stage < 3; ++stage) find_without_value(system_, stages_.state(stage), report_);
    }
    return report_;
  }
  if (tolerance_ > 0) {
    report_.error = estimate(q, step.h) / (allowed_per_tolerance * tolerance_);
    if (!(report_.error <= 1))
      report_.outcome = Outcome::inaccurate;
    else if (own_)
      report_.error = std::max(report_.error, error_of_contraction());
  }
  return report_;
}

// Contraction grows with the step, too: where increments shrink by 1/e a solve, motion costs the least.
double Radau::error_of_contraction() const {
  constexpr double best = 0.37;
  const std::size_t count = iterations_.size();
  if (count < 3) return 0;
  const double rate = std::sqrt(iterations_[count - 1].increment / iterations_[count - 3].increment);
  return std::min(1.0, std::pow(controlled_radau.safety * rate / best, controlled_radau.order));
}

// What signals measure stands when positions do: their rates follow. Multipliers of stages are of order 2 alone; those
// that sensors read are consistent.
void Radau::set_states(const State& old) {
  stages_.set_states(old);
  const assembly::SignalNetwork& signals = system_.signals();
  if (signals.states() == 0) return;
  for (int i = 0; i < RadauStages::count; ++i) {
    State& q = stages_.state(i);
    if (!states_follow_dynamics_) {
      signals.settle(q);
      continue;
    }
    // A copy: the residual wants those of the stage
    measured_ = q;
    const bool good = end_.set_dynamics(measured_);
    signals.settle(measured_);
    std::swap(q.signals, measured_.signals);
    // The iteration ends with numbers that are not finite
    if (!good) q.signals.rate.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

bool Radau::evaluate() {
  double force = 0;
  double constraint = 0;
  for (int i = 0; i < RadauStages::count; ++i) {
    system_.set_residual(stages_.state(i), residuals_[i]);
    force = std::max(force, system_.force_norm(residuals_[i]));
    constraint = std::max(constraint, residuals_[i].phi.norm());
    if (!std::isfinite(force + constraint + residuals_[i].phi.norm())) break;
  }
  report_.residual = force;
  report_.constraint_residual = constraint;
  return std::isfinite(force + constraint);
}

// To ten digits of themselves, or of one.
bool Radau::signals_are_solved() {
  constexpr double digits = 1e-10;
  if (system_.signals().states() == 0) return true;
  for (int i = 0; i < RadauStages::count; ++i) {
    stages_.set_signal_residual(i, of_signals_);
    const auto sizes = 1 + stages_.state(i).signals.z.array().abs();
    if (!((report_.h * of_signals_.array().abs() / sizes).maxCoeff() <= digits)) return false;
  }
  return true;
}

bool Radau::residual_is_small() {
  return report_.residual <= newton_.residual_tolerance.value_or(0) &&
         (system_.rows() == 0 || report_.constraint_residual <= newton_.constraint_tolerance.value_or(0)) &&
         signals_are_solved();
}

bool Radau::factorize(const State& at, double h) {
  ++report_.factorizations;
  h_of_matrix_ = 0;
  if (!solver_->factorize(at, h)) {
    report_.outcome = Outcome::singular;
    if (const std::string place = solver_->singular_place(); !place.empty())
      report_.worst.push_back(place + "  (no pivot)");
    return false;
  }
  h_of_matrix_ = h;
  revision_ = at.dropped.revision;
  own_ = true;
  return true;
}

// What is left counts as the increments do: by the ratio of the last two, which is never taken for less than a
// hundredth.
bool Radau::ends_with(double increment, double before) const {
  constexpr double round_off = 1e-3;
  if (increment < round_off) return true;
  if (before == 0) return false;
  const double rate = std::max(increment / before, 0.01);
  return rate < 1 && increment * rate / (1 - rate) <= 0.1;
}

// Like NewtonSolver::iterate, for all stages at once.
void Radau::iterate(const State& old, const Step& step) {
  using Criterion = NewtonSettings::Criterion;
  const bool kept = newton_.jacobian == NewtonSettings::Jacobian::kept;
  report_.outcome = Outcome::converged;
  stages_.predict(old, step.h, step.t_next, newton_.predictor == NewtonSettings::Predictor::extrapolate);
  const bool pauses = kept && wear_.wants_new_for_step();
  bool wants_new = !kept || pauses || !serves(step.h, old.dropped.revision);
  const bool began_with_old = !wants_new;
  own_ = false;
  int round = 0;
  for (;; ++round) {
    set_states(old);
    if (!evaluate()) return end_iteration(Outcome::diverged);
    if (newton_.criterion == Criterion::residual && residual_is_small()) break;
    if (round == newton_.max_iterations) return end_iteration(Outcome::not_converged);
    if (round > 0 && math::is_asked_to_stop(step.stop)) return end_iteration(Outcome::interrupted);
    const bool is_new = std::exchange(wants_new, false);
    if (is_new && !factorize(stages_.state(1), step.h)) return;
    ++report_.iterations;
    if (!solver_->solve(stages_, residuals_)) return end_iteration(Outcome::diverged);
    for (int i = 0; i < RadauStages::count; ++i) {
      stages_.add(i, solver_->dx(i));
      stages_.state(i).lambda += solver_->dlambda(i);
      stages_.add_to_signals(i, solver_->dz(i));
    }
    const Change now = change();
    const double before = is_new || iterations_.empty() ? 0 : iterations_.back().increment;
    iterations_.push_back({report_.residual, report_.constraint_residual, now.norm});
    const bool stalls = before > 0 && now.norm > 0.9 * before;
    if (stalls && own_ && now.norm * part_of_newton <= 1) report_.outcome = Outcome::round_off;
    if (report_.outcome == Outcome::round_off ||
        (newton_.criterion != Criterion::residual && ends_with(now.norm, before))) {
      set_states(old);
      ++round;
      break;
    }
    if (now.largest > 100) return end_iteration(Outcome::diverged);
    wants_new = !own_ && before > 0 && wants_new_matrix(now.norm, before);
  }
  if (!kept) return;
  if (!began_with_old)
    wear_.restart(round);
  else if (wear_.add(round, own_))
    h_of_matrix_ = 0;
}

bool Radau::serves(double h, int revision) const {
  constexpr double same_size = 1e-9;
  return h_of_matrix_ > 0 && std::abs(h / h_of_matrix_ - 1) < same_size && revision_ == revision;
}

// Where more solves would be left than a new matrix costs.
bool Radau::wants_new_matrix(double increment, double before) const {
  constexpr double slow = 0.5;
  constexpr double cost = 5;
  const double rate = increment / before;
  return rate > slow || std::log(increment) > -cost * std::log(rate);
}

Radau::Change Radau::change() const {
  constexpr double coarsest = 1e-2;
  const double length = system_.length();
  const double absolute =
      std::max(part_of_newton * newton_.absolute, part_of_tolerance * std::min(tolerance_, coarsest));
  const double relative = part_of_newton * newton_.relative;
  Vec6 least;
  least << Vec3::Constant(absolute * length), Vec3::Constant(absolute);
  const std::vector<Vec6>& whole = stages_.theta(RadauStages::count - 1);
  Vec6 sum = Vec6::Zero();
  Vec6 largest = Vec6::Zero();
  for (int i = 0; i < RadauStages::count; ++i) {
    const std::vector<Vec6>& dx = solver_->dx(i);
    for (std::size_t n = 1; n < dx.size(); ++n) {
      sum.array() += (dx[n].array() / (least.array() + relative * whole[n].array().abs())).square();
      largest = largest.cwiseMax(dx[n].cwiseAbs());
    }
  }
  // States of signals count by themselves and by one
  double of_signals = 0;
  for (int i = 0; i < RadauStages::count; ++i) {
    const VectorX& dz = solver_->dz(i);
    for (Eigen::Index j = 0; j < dz.size(); ++j)
      of_signals += std::pow(dz[j] / (absolute + relative * std::abs(stages_.state(i).signals.z[j])), 2);
  }
  return {std::sqrt((sum.sum() + of_signals) /
                    std::max(1, RadauStages::count * (system_.free_unknowns() + system_.signals().states()))),
          std::max(largest.head<3>().maxCoeff() / length, largest.tail<3>().maxCoeff())};
}

// Multipliers of stages are of order 2 alone: where functions of time move joints, their power is that of consistent
// ones.
void Radau::finish(double h) {
  constexpr int last = RadauStages::count - 1;
  for (int i = 0; i < last; ++i) {
    if (is_driven_) {
      next_ = stages_.state(i);
      if (!end_.finish(next_)) return end_iteration(Outcome::singular);
    }
    power_[i] = system_.power(is_driven_ ? next_ : stages_.state(i));
  }
  next_ = stages_.state(last);
  if (!end_.finish(next_)) return end_iteration(Outcome::singular);
  system_.signals().settle(next_);
  power_[last] = system_.power(next_);
  system_.update_history(next_);
  next_.last_step = h;
}

// M (a + h gamma_0 b), filtered.
double Radau::estimate(const State& old, double h) {
  const RadauCoefficients& k = radau_coefficients();
  const double g = h / k.gamma;
  State& q = stages_.state(2);
  for (std::size_t n = 1; n < scaled_.size(); ++n) {
    Vec6 a = g * old.v[n];
    Vec6 b = g * old.vdot[n];
    for (int i = 0; i < RadauStages::count; ++i) {
      a += k.error[i] * stages_.theta(i)[n];
      b += k.error[i] * (stages_.state(i).v[n] - old.v[n]);
    }
    scaled_[n] = a + g * b;
  }
  // Twice: vibrations that the step does not resolve are damped by it, and count for nothing.
  for (int n = 0; n < 2; ++n) {
    mass_.set(q, scaled_, force_);
    if (!solver_->filter(force_, old.dropped, error_)) return std::numeric_limits<double>::infinity();
    scaled_.swap(error_);
  }
  scaled_.swap(error_);
  const double of_length = 1 / (system_.length() * system_.length());
  double sum = 0;
  for (std::size_t n = 1; n < error_.size(); ++n)
    sum += of_length * error_[n].head<3>().squaredNorm() + error_[n].tail<3>().squaredNorm();
  return std::max(std::sqrt(sum / std::max(1, system_.free_unknowns())), estimate_signals(old, g));
}

// Of each state by itself and by one: signals have units that nobody knows. The same embedded method as that of
// motions, filtered by the network alone.
double Radau::estimate_signals(const State& old, double g) {
  const Eigen::Index count = old.signals.z.size();
  if (count == 0) return 0;
  VectorX& e = of_signals_;
  e = g * old.signals.rate;
  for (int i = 0; i < RadauStages::count; ++i) e += radau_coefficients().error[i] * stages_.zeta(i);
  solver_->filter_signals(e);
  const auto sizes = 1 + old.signals.z.array().abs().max(next_.signals.z.array().abs());
  return std::sqrt((e.array() / sizes).square().mean());
}

void Radau::accept(State& q) {
  dense_.set_end(next_, stages_.theta(2));
  system_.signals().record(next_, false);
  q.swap(next_);
  stages_.accept();
}

// Forces of stiff elements would make large accelerations and multipliers of what positions between steps are off by:
// these stay linear then, and else follow from the forces.
bool Radau::between(double t, State& q, double& work) {
  if (!dense_.has(next_, t)) return false;
  dense_.interpolate(next_, t, q);
  if (!end_.project_positions(q)) return false;
  if (is_stiff_ ? !end_.project_velocities(q) : !end_.make_consistent(q)) return false;
  system_.signals().settle(q);
  system_.update_history(q);
  work += dense_.work_from_end(next_, t, power_);
  return true;
}

void Radau::name_worst(StepReport& report) {
  constexpr std::size_t count = 5;
  report.worst = names_of_largest(system_, error_, count);
}

void Radau::save(const State&, std::vector<double>& data) {
  stages_.save(data);
  solver_.emplace(system_);
  h_of_matrix_ = 0;
  wear_ = {};
}

bool Radau::load(const State&, std::span<const double> data) {
  solver_.emplace(system_);
  h_of_matrix_ = 0;
  wear_ = {};
  return stages_.load(data);
}

}  // namespace polhode::integrators
