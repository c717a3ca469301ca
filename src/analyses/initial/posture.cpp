// SPDX-License-Identifier: BSD-3-Clause
// From the deck's configuration to given coordinates, and their rates there.
#include "polhode/analyses/initial/posture.hpp"

#include <algorithm>
#include <memory>

#include "polhode/assembly/constraint_rank.hpp"
#include "posture_report.hpp"
#include "posture_way.hpp"

namespace polhode::analyses {

using assembly::Saddle;
using assembly::System;
using model::Vec6;
using model::VectorX;

namespace {

// Velocities of `q` onto all constraints and rates, with those equations dropped that follow from others by less than
// `threshold`.
bool solve_rates(const System& driven, const std::vector<GivenJoint>& joints, double threshold, State& q,
                 model::Problems& problems) {
  q.dropped.choose(assembly::constraint_rank(driven, q, threshold).redundant);
  VectorX Bv(driven.rows());
  VectorX phi_t(driven.rows());
  driven.set_velocity_rates(q, Bv, phi_t);
  if ((Bv + phi_t).isZero(0)) return true;
  Saddle saddle(driven);
  if (!saddle.factorize(q)) {
    if (check_inertia(driven, q, problems))
      problems.push_back({joints.front().path,
                          "the rates at the start do not follow: mass matrix and constraints are "
                          "singular together; give the bodies concerned a mass and an inertia"});
    return false;
  }
  VectorX rhs = VectorX::Zero(driven.size());
  rhs.tail(driven.rows()) = -(Bv + phi_t);
  driven.clear_dropped(q.dropped, rhs);
  saddle.solve(rhs);
  std::vector<Vec6> change(driven.nodes());
  driven.scatter(rhs, change);
  for (std::size_t i = 0; i < change.size(); ++i) q.v[i] += change[i];
  driven.set_velocity_rates(q, Bv, phi_t);
  return check_rates(driven, joints, q, Bv + phi_t, problems);
}

// The velocities next to those of `q` that meet all constraints and rates: one solution, as the equations are linear.
// Next to a dead center, rates that fit each other are nearly dependent; all of them are met, those dropped included.
bool set_rates(const System& driven, const std::vector<GivenJoint>& joints, State& q, model::Problems& problems) {
  constexpr double dependent = 1e-9;  // as in constraint_rank()
  constexpr double nearly = 1e-6;
  if (driven.rows() == 0) return true;
  State start = driven.initial_state();
  start.t = q.t;
  start.x = q.x;
  start.quat = q.quat;
  start.R = q.R;
  start.v = q.v;
  model::Problems found;
  for (const double threshold : {dependent, nearly}) {
    State with_rates = start;
    found.clear();
    if (!solve_rates(driven, joints, threshold, with_rates, found)) continue;
    q.v = with_rates.v;
    return true;
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return false;
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
  bool closed = way.go();
  int blamed = -1;
  if (!closed && !math::is_asked_to_stop(stop)) {
    q = deck;
    closed = go_with_fewer(system, *driver.system, joints, way, q, blamed, stop);
  }
  if (!closed && !math::is_asked_to_stop(stop))
    report_open(*driver.system, joints, way.tree(), way.reached(), way.open(), blamed, problems);
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
