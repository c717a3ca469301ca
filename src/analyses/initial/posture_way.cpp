// SPDX-License-Identifier: BSD-3-Clause
// Steps along the tree and onto the constraints; fewer drives where coordinates follow from each other.
#include "posture_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/analyses/redundancy.hpp"
#include "posture_report.hpp"
#include "projection.hpp"

namespace polhode::analyses {

using assembly::System;
using model::Vec6;

namespace {

// Of all equations, those that are dropped included.
double largest_violation(const System& system, const State& q) {
  assembly::Residual residual = system.make_residual();
  system.set_residual(q, residual, {false, false, true});
  double largest = 0;
  for (int row = 0; row < system.rows(); ++row)
    largest = std::max(largest, std::abs(residual.phi[row]) / (system.row_is_length(row) ? system.length() : 1));
  return std::isfinite(largest) ? largest : std::numeric_limits<double>::infinity();
}

}  // namespace

Way::Way(const System& system, const System& driven, const std::vector<GivenJoint>& joints, State& q,
         const math::StopRequest& stop)
    : system_(system),
      driven_(driven),
      joints_(joints),
      tree_(driven, q, joints),
      q_(q),
      stop_(stop),
      saddle_(driven) {}

bool Way::go() {
  if (go_along_tree()) return true;
  if (go_in_steps()) return true;
  return reached_ == 0 && !math::is_asked_to_stop(stop_) && jump();
}

// Angles count along a radian at a time, so that whole turns are not lost.
template <class Each>
State Way::place(const Each& each) const {
  double turn = 1;
  for (const GivenJoint& joint : joints_) turn = std::max(turn, joint.angle());
  const int parts = static_cast<int>(std::ceil(turn));
  State moved = driven_.initial_state();
  moved.load_factor = 0;
  driven_.initialize_history(moved);
  for (int i = 1; i <= parts; ++i) {
    moved.load_factor = static_cast<double>(i) / parts;
    tree_.place(moved.load_factor, moved);
    driven_.update_history(moved);
    each(moved, moved.load_factor);
  }
  return moved;
}

bool Way::go_along_tree() {
  if (largest_violation(driven_, place([](const State&, double) {})) > posture_round_off) return false;
  place([this](const State& on_the_way, double part) { take(on_the_way, part); });
  return true;
}

// Steps short enough that loops follow: a quarter of a radian, a tenth of the model's size.
int Way::number_of_steps(const State& start) const {
  constexpr double longest_turn = 0.25;
  constexpr double longest_move = 0.1;
  State undriven = start;
  undriven.load_factor = 0;
  driven_.initialize_history(undriven);
  State at_end = start;
  at_end.load_factor = 1;
  driven_.initialize_history(at_end);
  double steps = 1;
  if (start.history.size() > 0)
    steps = std::max(steps, (at_end.history - undriven.history).lpNorm<Eigen::Infinity>() / longest_turn);
  for (const GivenJoint& joint : joints_)
    steps = std::max({steps, joint.angle() / longest_turn, joint.displacement() / (longest_move * driven_.length())});
  return static_cast<int>(std::ceil(std::min(steps, 1e5)));
}

// Steps that do not close are halved; what cannot be passed by the shortest ends the way.
bool Way::go_in_steps() {
  constexpr double shortest = 1.0 / 1024;  // of the first step
  constexpr double slowest = 0.4;          // of Newton's steps: behind slower ones another branch may lie
  State now = driven_.initial_state();
  Redundancy(driven_).begin(now);
  const double first = 1.0 / number_of_steps(now);
  now.load_factor = 0;
  driven_.initialize_history(now);
  for (double step = first; reached_ < 1;) {
    if (math::is_asked_to_stop(stop_)) return false;
    const double next = reached_ + step > 1 - 1e-9 * step ? 1 : reached_ + step;
    State trial = now;
    trial.load_factor = next;
    tree_.advance(reached_, next, trial);
    if (close(trial, next == 1 ? posture_round_off : 1e-9, slowest)) {
      now = std::move(trial);
      driven_.update_history(now);
      take(now, next);
      reached_ = next;
      step = std::min(first, 2 * step);
      continue;
    }
    open_ = std::move(trial);
    step /= 2;
    if (step < shortest * first) return false;
  }
  return true;
}

// Coordinates that are given together may fit each other at their values alone: once more from the rigid motions.
bool Way::jump() {
  State trial = place([](const State&, double) {});
  Redundancy(driven_).begin(trial);
  const bool closed = close(trial, posture_round_off, 0);
  if (closed) {
    place([this](const State& on_the_way, double part) { take(on_the_way, part); });
    take(trial, 1);
  }
  if (!closed) open_ = std::move(trial);
  return closed;
}

// Onto the constraints, near to where the state is. Equations that follow from others at one place need not do so at
// the next: they are looked for once more.
bool Way::close(State& trial, double tolerance, double slowest) {
  constexpr double farthest = 0.75;  // rad, and of the model's size: beyond, another branch may have been found
  const State predicted = trial;
  model::Problems unused;
  bool closed =
      project(driven_, saddle_, trial, unused, stop_, slowest) && largest_violation(driven_, trial) <= tolerance;
  if (!closed && !trial.dropped.empty()) {
    State again = predicted;
    Redundancy(driven_).begin(again);
    unused.clear();
    closed = project(driven_, saddle_, again, unused, stop_, slowest) && largest_violation(driven_, again) <= tolerance;
    if (closed) trial = std::move(again);
  }
  if (!closed || driven_.mirrored_entry(trial) >= 0) return false;
  std::vector<Vec6> moved(driven_.nodes());
  set_way(predicted, trial, moved);
  return std::all_of(moved.begin(), moved.end(), [&](const Vec6& way) {
    return way.head<3>().norm() <= farthest * driven_.length() && way.tail<3>().norm() <= farthest;
  });
}

// The deck's own state follows; its other drives have the same part of their values.
void Way::take(const State& from, double part) {
  q_.x = from.x;
  q_.quat = from.quat;
  q_.R = from.R;
  q_.load_factor = part;
  system_.update_history(q_);
}

namespace {

// A given coordinate: of a joint, its place there.
struct Given {
  std::size_t joint;
  std::size_t coordinate;
};

std::vector<Given> given_in(const std::set<int>& loop, const std::vector<GivenJoint>& joints) {
  std::vector<Given> all;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t c = 0; loop.count(joints[j].entry) > 0 && c < joints[j].coordinates.size(); ++c)
      if (joints[j].coordinates[c].value) all.push_back({j, c});
  return all;
}

// The entry of a given joint that does not meet its equations, drives among them, where `q` is; -1 if all do.
int misfit(const System& driven, const std::vector<GivenJoint>& joints, const State& q) {
  State at = driven.initial_state();
  at.x = q.x;
  at.quat = q.quat;
  at.R = q.R;
  driven.update_history(at);
  assembly::Residual residual = driven.make_residual();
  driven.set_residual(at, residual, {false, false, true});
  for (int row = 0; row < driven.rows(); ++row) {
    const int entry = driven.entry_of_row(row);
    const bool is_given =
        std::any_of(joints.begin(), joints.end(), [entry](const GivenJoint& joint) { return joint.entry == entry; });
    const double scale = driven.row_is_length(row) ? driven.length() : 1;
    if (is_given && !(std::abs(residual.phi[row]) <= posture_round_off * scale)) return entry;
  }
  return -1;
}

// Whether the angles of `q`, as the joints of the deck count them, are the given ones and not others by whole turns.
bool has_turns(const System& system, const std::vector<GivenJoint>& joints, const State& q) {
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; batch->history() > 0 && e < batch->size(); ++e)
      for (const GivenJoint& joint : joints) {
        if (joint.entry != batch->entry_of(e)) continue;
        for (const model::InitialCoordinate& one : joint.coordinates) {
          if (one.form != model::InitialCoordinate::Form::angle || !one.value) continue;
          // A cross remembers both of its angles.
          const int number = batch->first_history() + static_cast<int>(e) * batch->history() + (one.on_b ? 1 : 0);
          if (std::abs(q.history[number] - *one.value) > 1) return false;
        }
      }
  return true;
}

// Looks for coordinates that can be driven together, loop by loop.
class Fewer {
 public:
  Fewer(const System& system, const System& driven, const std::vector<GivenJoint>& joints,
        const math::StopRequest& stop)
      : system_(system), driven_(driven), joints_(joints), stop_(stop) {}

  // All but one of the loop that is open, then one alone.
  bool look(const std::vector<GivenJoint>& joints, const System& driven, const Way& failed, State& q) {
    const std::vector<Given> given = given_in(open_loop(driven, failed.tree(), failed.open()), joints);
    if (given.size() < 2) return false;
    for (const bool one_alone : {false, true})
      for (std::size_t i = 0; i < given.size() && (!one_alone || given.size() > 2); ++i) {
        std::vector<GivenJoint> fewer = joints;
        for (std::size_t k = 0; k < given.size(); ++k)
          if ((k == i) != one_alone) fewer[given[k].joint].coordinates[given[k].coordinate].value.reset();
        if (math::is_asked_to_stop(stop_) || ++tried_ > most) return false;
        if (drive(fewer, q)) return true;
      }
    return false;
  }
  // The entry of a joint whose coordinates do not fit where all loops are closed; -1 where they never were.
  int blamed() const { return blamed_; }

 private:
  static constexpr int most = 32;  // ways: each of them is a model of its own

  bool drive(const std::vector<GivenJoint>& fewer, State& q) {
    model::Problems unused;
    const Driver driver(system_, fewer, Driven::values, unused);
    if (!driver.system) return false;
    State moved = q;
    Way way(system_, *driver.system, fewer, moved, stop_);
    const bool arrived = way.go();
    if (math::is_asked_to_stop(stop_)) return false;
    if (!arrived) return look(fewer, *driver.system, way, q);
    const int unfit = misfit(driven_, joints_, moved);
    if (blamed_ < 0) blamed_ = unfit;
    if (unfit >= 0 || !has_turns(system_, joints_, moved)) return false;
    q = std::move(moved);
    return true;
  }

  const System& system_;
  const System& driven_;
  const std::vector<GivenJoint>& joints_;
  const math::StopRequest& stop_;
  int tried_ = 0;
  int blamed_ = -1;
};

}  // namespace

bool go_with_fewer(const System& system, const System& driven, const std::vector<GivenJoint>& joints, const Way& failed,
                   State& q, int& blamed, const math::StopRequest& stop) {
  Fewer fewer(system, driven, joints, stop);
  const bool closed = fewer.look(joints, driven, failed, q);
  blamed = fewer.blamed();
  return closed;
}

}  // namespace polhode::analyses
