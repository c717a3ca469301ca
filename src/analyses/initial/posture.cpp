// SPDX-License-Identifier: BSD-3-Clause
// From the deck's configuration to given coordinates: along the tree, and by Newton's steps where loops close.
#include "polhode/analyses/initial/posture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "polhode/analyses/redundancy.hpp"
#include "posture_model.hpp"
#include "posture_report.hpp"
#include "projection.hpp"

namespace polhode::analyses {

using assembly::Saddle;
using assembly::System;
using model::Vec6;
using model::VectorX;

namespace {

constexpr double round_off = 1e-12;  // of violations: of the size of the model, rad

// A model with drives, and its system, which refers to it.
struct Driver {
  model::Model model;
  std::optional<System> system;

  Driver(const System& of, const std::vector<GivenJoint>& joints, Driven driven, model::Problems& problems)
      : model(posture_model(of, joints, driven)) {
    system = System::make(model, problems);
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
};

// Of all equations, those that are dropped included.
double largest_violation(const System& system, const State& q) {
  assembly::Residual residual = system.make_residual();
  system.set_residual(q, residual, {false, false, true});
  double largest = 0;
  for (int row = 0; row < system.rows(); ++row)
    largest = std::max(largest, std::abs(residual.phi[row]) / (system.row_is_length(row) ? system.length() : 1));
  return std::isfinite(largest) ? largest : std::numeric_limits<double>::infinity();
}

// The way from the deck's configuration to the coordinates. `q` is the state of the deck's own system, which counts
// angles along.
class Way {
 public:
  Way(const System& system, const System& driven, const std::vector<GivenJoint>& joints, State& q,
      const math::StopRequest& stop)
      : system_(system), driven_(driven), joints_(joints), tree_(driven, q, joints), q_(q), stop_(stop), saddle_(driven) {}

  // False where a loop does not close.
  bool go() {
    if (go_along_tree()) return true;
    if (go_in_steps()) return true;
    return reached_ == 0 && !math::is_asked_to_stop(stop_) && jump();
  }
  const PostureTree& tree() const { return tree_; }
  // Where the way ended: the part of the coordinates that was reached, and a state beyond, in which loops are open; where
  // nothing was reached, the one with the coordinates as given.
  double reached() const { return reached_; }
  const State& open() const { return open_; }

 private:
  // Angles count along a radian at a time, so that whole turns are not lost.
  bool go_along_tree() {
    State moved = driven_.initial_state();
    tree_.place(1, moved);
    if (largest_violation(driven_, moved) > round_off) return false;
    double turn = 0;
    for (const GivenJoint& joint : joints_) turn = std::max(turn, std::abs(joint.angle()));
    const int parts = std::max(1, static_cast<int>(std::ceil(turn)));
    State on_the_way = driven_.initial_state();
    for (int i = 1; i <= parts; ++i) {
      if (i == parts) on_the_way = moved;
      if (i < parts) tree_.place(static_cast<double>(i) / parts, on_the_way);
      take(on_the_way, static_cast<double>(i) / parts);
    }
    return true;
  }

  // Steps short enough that loops follow: a quarter of a radian, a tenth of the model's size.
  int number_of_steps(const State& start) const {
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
      steps = std::max(steps, std::abs(joint.displacement()) / (longest_move * driven_.length()));
    return static_cast<int>(std::ceil(std::min(steps, 1e5)));
  }

  // Steps that do not close are halved; what cannot be passed by the shortest ends the way.
  bool go_in_steps() {
    constexpr double shortest = 1.0 / 1024;  // of the first step
    constexpr double slowest = 0.4;         // of Newton's steps: behind slower ones another branch may lie
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
      if (close(trial, next == 1 ? round_off : 1e-9, slowest)) {
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
  bool jump() {
    State trial = driven_.initial_state();
    Redundancy(driven_).begin(trial);
    tree_.place(1, trial);
    const bool closed = close(trial, round_off, 0);
    if (closed) take(trial, 1);
    if (!closed) open_ = std::move(trial);
    return closed;
  }

  // Onto the constraints, near to where the state is. Equations that follow from others at one place need not do so at
  // the next: they are looked for once more.
  bool close(State& trial, double tolerance, double slowest) {
    constexpr double farthest = 0.75;  // rad, and of the model's size: beyond, another branch may have been found
    const State predicted = trial;
    model::Problems unused;
    bool closed = project(driven_, saddle_, trial, unused, stop_, slowest) && largest_violation(driven_, trial) <= tolerance;
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
  void take(const State& from, double part) {
    q_.x = from.x;
    q_.quat = from.quat;
    q_.R = from.R;
    q_.load_factor = part;
    system_.update_history(q_);
  }

  const System& system_;
  const System& driven_;
  const std::vector<GivenJoint>& joints_;
  PostureTree tree_;
  State& q_;
  const math::StopRequest& stop_;
  Saddle saddle_;
  double reached_ = 0;
  State open_;
};

// The velocities next to those of `q` that meet all constraints and rates: one solution, as the equations are linear.
bool set_rates(const System& driven, const std::vector<GivenJoint>& joints, State& q, model::Problems& problems) {
  if (driven.rows() == 0) return true;
  State with_rates = driven.initial_state();
  with_rates.t = q.t;
  with_rates.x = q.x;
  with_rates.quat = q.quat;
  with_rates.R = q.R;
  with_rates.v = q.v;
  Redundancy(driven).begin(with_rates);
  VectorX Bv(driven.rows());
  VectorX phi_t(driven.rows());
  driven.set_velocity_rates(with_rates, Bv, phi_t);
  if ((Bv + phi_t).isZero(0)) return true;
  Saddle saddle(driven);
  if (!saddle.factorize(with_rates)) {
    if (check_inertia(driven, with_rates, problems))
      problems.push_back({joints.front().path, "the rates at the start do not follow: mass matrix and constraints are "
                                               "singular together; give the bodies concerned a mass and an inertia"});
    return false;
  }
  VectorX rhs = VectorX::Zero(driven.size());
  rhs.tail(driven.rows()) = -(Bv + phi_t);
  driven.clear_dropped(with_rates.dropped, rhs);
  saddle.solve(rhs);
  std::vector<Vec6> change(driven.nodes());
  driven.scatter(rhs, change);
  for (std::size_t i = 0; i < change.size(); ++i) with_rates.v[i] += change[i];
  q.v = with_rates.v;
  driven.set_velocity_rates(with_rates, Bv, phi_t);
  return check_rates(driven, joints, with_rates, Bv + phi_t, problems);
}

}  // namespace

bool gives_coordinates(const model::Model& model) {
  return std::any_of(model.entries.begin(), model.entries.end(), [](const model::Entry& entry) {
    return entry.family == model::Family::joint && !model::initial_coordinates(entry).empty();
  });
}

// Positions by a model with values as drives, velocities by one with rates as drives. Signals begin anew from there.
bool set_coordinates(const System& system, State& q, PostureReport& report, model::Problems& problems,
                     const math::StopRequest& stop) {
  if (!gives_coordinates(system.model())) return true;
  const std::vector<GivenJoint> joints = given_joints(system);
  const Driver driver(system, joints, Driven::values, problems);
  if (!driver.system) return false;
  const State deck = q;
  Way way(system, *driver.system, joints, q, stop);
  const bool closed = way.go();
  if (!closed && !math::is_asked_to_stop(stop))
    report_open(*driver.system, joints, way.tree(), way.reached(), way.open(), problems);
  if (closed) {
    q.load_factor = deck.load_factor;
    system.update_history(q);
    follow_motions(system, deck, q);
    way.tree().add_rates_to(q);
    const bool same = same_drives(joints);
    const std::unique_ptr<Driver> rates =
        same ? nullptr : std::make_unique<Driver>(system, joints, Driven::rates, problems);
    if (same)
      set_rates(*driver.system, joints, q, problems);
    else if (rates->system)
      set_rates(*rates->system, joints, q, problems);
  }
  if (problems.empty() && closed) report_past_bound(system, q, problems);
  if (!problems.empty() || !closed) {
    q = deck;
    return false;
  }
  system.signals().start(q);
  report.changes = changes_between(system, deck, q);
  write_report(system, joints, report);
  return true;
}

// The tree is that of the deck; axes and points go with the nodes to where these are now.
bool set_motion_again(const System& system, State& q, model::Problems& problems) {
  const State deck = system.initial_state();
  const State before = q;
  if (std::all_of(q.v.begin(), q.v.end(), [](const Vec6& v) { return v.isZero(0); })) follow_motions(system, deck, q);
  const std::vector<GivenJoint> joints = given_joints(system);
  const auto has_rate = [](const model::InitialCoordinate& one) { return one.rate.has_value(); };
  if (std::none_of(joints.begin(), joints.end(), [&](const GivenJoint& joint) {
        return std::any_of(joint.coordinates.begin(), joint.coordinates.end(), has_rate);
      }))
    return true;
  const Driver driver(system, joints, Driven::rates, problems);
  if (driver.system) {
    PostureTree(*driver.system, deck, joints).add_rates_to(q);
    if (set_rates(*driver.system, joints, q, problems)) return true;
  }
  q = before;
  return false;
}

}  // namespace polhode::analyses
