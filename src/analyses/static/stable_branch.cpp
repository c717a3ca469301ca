// SPDX-License-Identifier: BSD-3-Clause
// The way downhill, in steps of limited length.
#include "stable_branch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace polhode::analyses {

namespace {

constexpr double push = 1e-3;         // first displacement, in units of the model's length
constexpr double longest_step = 0.5;  // of displacements, in units of the model's length, or rad
constexpr double farthest_rest = 1;   // of Newton's method from the way
constexpr double softest = 1e-15;     // least shift
constexpr double firm = 100;          // shift of retractions over that of the step
constexpr double short_step = 0.2;    // from which Newton's method is tried
constexpr double farthest_fall = 20;  // from the start: what falls so far falls for ever
constexpr int most_descents = 300;

}  // namespace

StableBranch::StableBranch(Equilibrium& equations, Stability& stability, std::function<bool()> interrupted)
    : equations_(equations), stability_(stability), interrupted_(std::move(interrupted)) {}

std::optional<State> StableBranch::find(const State& from, double s, const VectorX& direction, double curvature) {
  const double kept_shift = equations_.stiffness().shift();
  const double shift = std::max(-2 * curvature, softest);
  VectorX first = VectorX::Zero(equations_.system().size());
  first.head(direction.size()) = direction;
  State q = from;
  equations_.apply(q, first, push * equations_.system().length());
  equations_.system().update_history(q);
  std::optional<State> found;
  if (equations_.evaluate(q, s)) found = descend(q, s, shift, End::stable);
  equations_.stiffness().set_shift(kept_shift);
  return found;
}

std::optional<State> StableBranch::find(const State& from, double s) {
  const double kept_shift = equations_.stiffness().shift();
  State q = from;
  std::optional<State> found;
  if (equations_.evaluate(q, s))
    found = descend(q, s, std::max(softest, equations_.stiffness().shift_of(equations_.force_norm(), longest_step)),
                    End::not_surely_unstable);
  equations_.stiffness().set_shift(kept_shift);
  return found;
}

// Where curvature is positive all over, the shift falls and steps become those of Newton's method, which takes over where
// they are short. Attempts that fail are repeated after twice as many steps.
std::optional<State> StableBranch::descend(State& q, double s, double shift, End end) {
  const State start = q;
  State found;
  int wait = 0;
  int patience = 1;
  for (int i = 0; i < most_descents; ++i) {
    if (interrupted_() || equations_.displacements().reach(start, q) > farthest_fall) return std::nullopt;
    if (!stability_.is_definite(q, s, 0)) {
      shift = definite_shift(q, s, shift);
      if (shift == 0) return std::nullopt;
    } else {
      if (last_size_ < short_step && wait-- <= 0) {
        if (rest(q, s, found, end)) return found;
        wait = patience;
        patience *= 2;
      }
      shift = std::max(shift / 4, softest);
    }
    if (!step(q, s, shift)) return std::nullopt;
  }
  return std::nullopt;
}

double StableBranch::definite_shift(const State& q, double s, double shift) {
  constexpr double margin = 1.5;
  double trial = std::max(shift / 2, softest);
  for (int i = 0; i < 60 && !interrupted_(); ++i, trial *= 2)
    if (stability_.is_definite(q, s, trial / margin)) return trial;
  return 0;
}

// Stiff directions that a turn has stretched are relaxed at once (Retraction), while soft ones are held by a shift well
// above that of the step. A step that is too long, or that the equations do not stand, is repeated with a larger shift.
bool StableBranch::step(State& q, double s, double& shift) {
  Retraction retraction(equations_, s);
  State next;
  VectorX d;
  for (int i = 0; i < 40 && !interrupted_(); ++i) {
    equations_.stiffness().set_shift(shift);
    if (!equations_.evaluate(q, s) || !equations_.linearize(q)) {
      shift *= 2;
      continue;
    }
    ++solves_;
    equations_.set_correction(d);
    const double size = d.allFinite() ? equations_.displacements().largest(d) : HUGE_VAL;
    if (!(size <= longest_step)) {
      shift *= std::min(1e3, 1.5 * size / longest_step);
      continue;
    }
    const double before = equations_.force_norm();
    next = q;
    equations_.apply(next, d, 1);
    const bool good = equations_.evaluate(next, s) && retraction.relax(next, 2 * before, size, firm * shift);
    if (!good || equations_.system().mirrored_entry(next) >= 0) {
      shift *= 4;
      continue;
    }
    solves_ += std::exchange(retraction.solves, 0);
    last_size_ = size;
    q = next;
    equations_.system().update_history(q);
    return true;
  }
  return false;
}

// A motion that nothing resists gets the stiffness that load steps give it. Steps along curved ways are dear, and worth
// it where the end has to be beside the start.
bool StableBranch::rest(const State& from, double s, State& q, End end) {
  equations_.stiffness().set_shift(0);
  State here = from;
  if (!equations_.evaluate(here, s)) return false;
  if (!equations_.linearize(here) || !(equations_.stiffness().pivot_ratio() > least_pivot))
    equations_.stiffness().set_shift(small_shift);
  for (const bool curved : {false, true}) {
    if (curved && end != End::stable) break;
    const Correction correction = solve_at(equations_, from, s, q, curved);
    solves_ += correction.solves();
    if (!correction.converged() || equations_.displacements().reach(from, q) > farthest_rest) continue;
    if (is_end(q, s, end)) return true;
  }
  return false;
}

// Free motions and soft directions of thin beams have curvatures of the size of round-off.
bool StableBranch::is_end(const State& q, double s, End end) {
  if (end == End::not_surely_unstable) return stability_.is_definite(q, s, 0);
  const std::optional<int> negative = stability_.count(q, s);
  return negative && *negative == 0;
}

}  // namespace polhode::analyses
