// SPDX-License-Identifier: BSD-3-Clause
// The iteration, its damped and its curved steps, and where it ends.
#include "equilibrium_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace polhode::analyses {

const char* text_of(Correction::End end) {
  switch (end) {
    case Correction::End::converged:
      return "converged";
    case Correction::End::singular:
      return "met a singular tangent stiffness";
    case Correction::End::not_converged:
      return "did not converge";
    case Correction::End::diverged:
      return "diverged";
    case Correction::End::mirrored:
      return "went to the mirror image of a joint";
    case Correction::End::turned:
      return "turned joints too far at once";
    case Correction::End::past_bound:
      return "turned an element past the bound of its rotation";
    case Correction::End::interrupted:
      return "was interrupted";
    case Correction::End::off_path:
      return "went to another part of the path";
  }
  return "";
}

// A stiffness that falls with the residual, by the geometric mean of the force now and at first: softer from round to
// round.
bool Retraction::relax(State& q, double aim, double size, double least_shift) {
  TangentStiffness& stiffness = equations_.stiffness();
  const double shift = stiffness.shift();
  const double most = equations_.force_norm();
  double force = most;
  bool good = true;
  for (int round = 0; round < 12 && force > aim && good; ++round) {
    if (equations_.is_stopped()) {
      good = false;
      break;
    }
    stiffness.set_shift(std::max(least_shift, stiffness.shift_of(std::sqrt(force * most), size)));
    good = correct(q);
    if (!good) break;
    const double left = equations_.force_norm();
    if (left > force) {
      good = equations_.evaluate(q, s_);
      break;
    }
    q.swap(next_);
    const bool hardly = left > 0.7 * force;
    force = left;
    if (hardly) break;
  }
  stiffness.set_shift(shift);
  return good;
}

// One shifted correction from q to next_.
bool Retraction::correct(State& q) {
  if (!equations_.linearize(q)) return false;
  ++solves;
  equations_.set_correction(correction_);
  next_ = q;
  equations_.apply(next_, correction_, 1);
  return correction_.allFinite() && equations_.evaluate(next_, s_);
}

// Halving is enough: the test allows factors of two, and each trial costs a residual and a solution,
// no factorization.
double damped_part(double norm, const std::function<double(double part)>& next_norm) {
  constexpr double least_part = 1.0 / 32;
  for (double part = 1; part >= least_part; part /= 2)
    if (next_norm(part) <= (1 - part / 4) * norm) return part;
  return 0;
}

namespace {

constexpr double farthest = 1e6;      // of a correction, in units of the model's length
constexpr double largest_turned = 2;  // rad: angles of joints are counted by the nearest turn
constexpr double round_off_size = 1e-7;
constexpr int trusted_iterations = 3;  // the first full steps are taken untested: they may pass a hump

class EquilibriumNewton {
 public:
  EquilibriumNewton(Equilibrium& equations, const State& from, double s, State& q, bool curved)
      : equations_(equations), from_(from), s_(s), q_(q), next_(q), retraction_(equations, s), curved_(curved) {}

  // Internal variables move on only with an equilibrium that counts.
  Correction solve() {
    result_.end = iterate();
    if (result_.converged()) result_.end = check_end();
    check_bounds();
    if (!result_.converged() && equations_.is_stopped()) result_.end = Correction::End::interrupted;
    if (result_.converged()) equations_.system().update_history(q_);
    return result_;
  }

 private:
  // Evaluation, factorization, correction; each iteration ends with the state whose residual is known.
  Correction::End iterate() {
    if (!equations_.evaluate(q_, s_)) return Correction::End::diverged;
    for (;;) {
      if (result_.iterations == equations_.loads().settings().max_iterations) return Correction::End::not_converged;
      if (equations_.is_stopped()) return Correction::End::interrupted;
      if (!equations_.linearize(q_)) return Correction::End::singular;
      ++result_.iterations;
      equations_.set_correction(d_);
      if (!d_.allFinite()) return Correction::End::singular;
      const double size = equations_.displacements().largest(d_);
      if (size > farthest) return Correction::End::diverged;
      if (is_last(size)) {
        equations_.apply(q_, d_, 1);
        return equations_.evaluate(q_, s_) ? Correction::End::converged : Correction::End::diverged;
      }
      const Correction::End step = curved_ ? step_along_curve(size) : step_damped();
      if (step != Correction::End::converged) return step;
      if (!passed_.found()) passed_ = equations_.system().past_bound(from_, q_);
    }
  }

  // Whether a correction of this size is the last one: within the tolerance, or at round-off.
  bool is_last(double size) {
    const bool late = result_.iterations > 2;
    const bool stagnates = late && size > 0.3 * before_;
    // Four corrections in a row that round-off alone explains end the iteration,
    // with a measure of what is uncertain.
    quiet_ = late && size < 1e-4 && size < 3 * round_off_of(equations_, q_) ? quiet_ + 1 : 0;
    if (quiet_ == 4) result_.uncertain = size;
    before_ = size;
    return size < equations_.loads().settings().tolerance || (stagnates && size < round_off_size) || quiet_ == 4;
  }

  // The natural monotonicity test: the next correction, by the same factors, has to be shorter.
  // The first full steps go untested, as a path may lead over a hump.
  Correction::End step_damped() {
    const Displacements& sizes = equations_.displacements();
    const double part = damped_part(sizes.norm(d_), [&](double trial) -> double {
      next_ = q_;
      equations_.apply(next_, d_, trial);
      if (!equations_.evaluate(next_, s_)) return HUGE_VAL;
      if (result_.iterations <= trusted_iterations && trial == 1) return 0;
      equations_.set_correction(after_);
      return sizes.norm(after_);
    });
    if (part == 0) return Correction::End::not_converged;
    count_turn(part);
    q_.swap(next_);
    return Correction::End::converged;
  }

  // A full step, and then back to where stiff directions are without stress.
  Correction::End step_along_curve(double size) {
    const double force = equations_.force_norm();
    if (first_force_ == 0) first_force_ = force;
    count_turn(1);
    equations_.apply(q_, d_, 1);
    const bool good = equations_.evaluate(q_, s_) && retraction_.relax(q_, 1e-3 * std::min(force, first_force_), size);
    result_.retractions = retraction_.solves;
    return good ? Correction::End::converged : Correction::End::diverged;
  }

  // Models without counted angles have no limit.
  void count_turn(double part) {
    if (q_.history.size() > 0) turned_ += part * equations_.displacements().largest_turn(d_);
  }

  // An iteration may converge to a flipped joint or pass half a turn: such an equilibrium is another one.
  Correction::End check_end() const {
    if (turned_ > largest_turned) return Correction::End::turned;
    return equations_.system().mirrored_entry(q_) >= 0 ? Correction::End::mirrored : Correction::End::converged;
  }

  // Forces jump at a bound: an iteration may also go to and fro between both sides. One that comes back is a good one.
  void check_bounds() {
    if (result_.converged())
      result_.past = equations_.system().past_bound(from_, q_);
    else if (result_.end == Correction::End::not_converged)
      result_.past = passed_;
    if (result_.past.found()) result_.end = Correction::End::past_bound;
  }

  Equilibrium& equations_;
  const State& from_;
  double s_;
  State& q_;
  State next_;
  Retraction retraction_;
  bool curved_;
  VectorX d_;      // correction
  VectorX after_;  // the one after it
  Correction result_;
  assembly::System::PastBound passed_;  // the first element that an iterate turned past its bound
  double before_ = 0;                   // size of the last correction
  double turned_ = 0;                   // by all steps, rad
  double first_force_ = 0;              // norm of the residual before the first curved step
  int quiet_ = 0;                       // corrections at round-off in a row
};

}  // namespace

Correction solve_at(Equilibrium& equations, const State& from, double s, State& q, bool curved) {
  q = from;
  return EquilibriumNewton(equations, from, s, q, curved).solve();
}

}  // namespace polhode::analyses
