// SPDX-License-Identifier: BSD-3-Clause
// What the loop over time sees of a step for the monitors (results/monitors.hpp).
#pragma once
#include <limits>
#include <vector>

#include "polhode/integrators/step_record.hpp"
#include "polhode/results/monitors.hpp"

namespace polhode::analyses {

// The part of multipliers that changes sign from step to step: of changes d_n = lambda_n - lambda_{n-1},
// sqrt(-d_n . d_{n-1}) where that is real, over the largest |lambda|. Of a_n (-1)^n it is 2 |a_n| over the largest.
class MultiplierOscillation {
 public:
  // `rows`: number of multipliers.
  explicit MultiplierOscillation(int rows) : change_(model::VectorX::Zero(rows)) {}
  // Of the last two steps that were added. Allocates nothing.
  double add(const model::VectorX& before, const model::VectorX& now);
  // Behind a restart: the change there is none of an oscillation.
  void forget() { known_ = false; }
  void archive(math::Archive& a) { a(change_, known_, largest_); }

 private:
  model::VectorX change_;
  bool known_ = false;
  double largest_ = 0;
};

// Rotations between the ends of the elements of beams, against the initial configuration.
class ElementTwist {
 public:
  explicit ElementTwist(const assembly::System& system);
  // The largest one, rad, up to pi; NaN without beams. Allocates nothing.
  double of(const model::State& q) const;

 private:
  struct Element {
    std::size_t a;
    std::size_t b;
    // From the frame of b to that of a, in the initial configuration, and inverted
    math::so3::Quaternion untwisted;
  };
  std::vector<Element> elements_;
};

// How far the fastest motion that there is goes on in a step, h omega, from changes that a step has anyway: of a
// vibration at omega accelerations change by -omega^2 times what positions change by, at the end of any step, resolved
// or not. Hence omega^2 = -(dq . da) / (dq . dq), a mean over modes in which each counts by its part of dq. Rotations
// count as lengths, by a tenth of the model. A motion that turns at Omega has omega = Omega; one that decays has 0.
class FastestMotion {
 public:
  explicit FastestMotion(const assembly::System& system) : length_(system.length()) {}
  // Of the step from `before` to `q`; NaN where the motion is a millionth of the model or less in the step, or slower
  // than a tenth of the fastest so far. Allocates nothing.
  double add(const model::State& before, const model::State& q);
  // Eight samples in succession were above 2.5: steps do not resolve what they show.
  bool is_unresolved() const { return most_ >= sustained; }
  // s, of the last of the first eight.
  double time() const { return time_; }
  void archive(math::Archive& a) { a(largest_square_, successive_, most_, time_); }

 private:
  static constexpr int sustained = 8;
  static constexpr double unresolved = 2.5;
  double length_;              // m
  double largest_square_ = 0;  // (m/s)^2, of velocities as dq over h
  int successive_ = 0;         // samples above the bound, up to the last one
  int most_ = 0;
  double time_ = 0;
};

class StepMonitors {
 public:
  explicit StepMonitors(const assembly::System& system)
      : oscillation_(system.rows()), twist_(system), motion_(system) {}
  // The step from `before` to `q`, in which the fastest node turned by `turn`, rad. `report`: of the step, or of the
  // last of its parts; `energy_balance` in J. `middle`: accelerations are those of the middle of steps, which show no
  // frequency.
  void add(const model::State& before, const model::State& q, const integrators::StepReport& report, double turn,
           double energy_balance, double pivot_ratio, bool middle) {
    const long ahead = between - 1 - steps_++ % between;
    if (ahead <= 1 || steps_ < between) look_at(before, q, ahead == 0, middle);
    last_.turn = turn;
    last_.energy_balance = energy_balance;
    last_.pivot_ratio = pivot_ratio;
    extremes_.add({report, 0, last_}, ahead == 0);
  }
  void forget_oscillation() { oscillation_.forget(); }
  const integrators::WatchedStep& last() const { return last_; }
  const results::MonitorExtremes& extremes() const { return extremes_; }
  const FastestMotion& motion() const { return motion_; }
  void archive(math::Archive& a) {
    a(oscillation_, motion_, last_.turn, last_.energy_balance, last_.oscillation, last_.pivot_ratio, last_.twist,
      last_.motion, extremes_, steps_);
  }

 private:
  // Multipliers, and all nodes where `whole`.
  void look_at(const model::State& before, const model::State& q, bool whole, bool middle);

  // Steps from one look at all nodes to the next, so that they cost less than a hundredth of a step. Multipliers are
  // looked at in the step before, too, and in each of the first ones.
  static constexpr long between = 16;
  MultiplierOscillation oscillation_;
  ElementTwist twist_;
  FastestMotion motion_;
  integrators::WatchedStep last_{.twist = std::numeric_limits<double>::quiet_NaN(),
                                 .motion = std::numeric_limits<double>::quiet_NaN()};
  results::MonitorExtremes extremes_;
  long steps_ = 0;
};

}  // namespace polhode::analyses
