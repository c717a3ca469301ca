// SPDX-License-Identifier: BSD-3-Clause
// The start of a transient: rank, consistency of positions and velocities, accelerations.
#include "polhode/analyses/initial/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "polhode/analyses/redundancy.hpp"

namespace polhode::analyses {

using assembly::Saddle;
using assembly::System;
using model::Vec3;
using model::Vec6;
using model::VectorX;

namespace {

std::string number(double value) { return fmt::format("{:.3g}", value); }

// The row's name without that of its joint: "position x".
std::string row_of(const System& system, int row) {
  const std::string name = system.name_of(system.free_unknowns() + row);
  return name.substr(name.find(": ") + 2);
}

// What a singular [M B^T; B 0] is due to, as far as single nodes show it; else where elimination broke down.
void report_singular(const System& system, const State& q, int column, model::Problems& problems) {
  if (const int entry = system.signals().first_without_slope(q); entry >= 0) {
    problems.push_back({system.model().entries[static_cast<std::size_t>(entry)].path(),
                        "has no finite slope at the start by the signals that it takes, and forces follow it; bound "
                        "the slope, as of `sqrt(x)` by `sqrt(x + 1e-6)`, or start elsewhere by `initial`"});
    return;
  }
  if (!check_inertia(system, q, problems)) return;
  const std::string name = column >= 0 ? system.name_of(column) : "";
  problems.push_back(
      {name.substr(0, name.find_first_of(": ")),
       "mass matrix and constraints are singular together" + (name.empty() ? "" : ", first at `" + name + "`") +
           ": some motion of several nodes has no inertia; give the bodies concerned a mass and an inertia"});
}

// The largest speed of nodes and joint points.
// Points of joints count, too: a body that turns about a node at rest moves them.
double speed(const System& system, const State& q) {
  double largest = 0;
  for (const Vec6& v : q.v) largest = std::max(largest, v.head<3>().norm());
  for (const model::JointTopology& joint : system.joints())
    for (int i = 0; i < 2; ++i) {
      const int node = joint.nodes[i];
      const Vec3 Omega = q.v[node].tail<3>();
      largest = std::max(largest, (q.v[node].head<3>() + q.R[node] * Omega.cross(joint.offsets[i])).norm());
    }
  return largest;
}

// Violations per row relative to `length_scale` (rows in m) and `other_scale`; problems for those above `tolerance`.
double check_rows(const System& system, const VectorX& violation, double length_scale, double other_scale,
                  double tolerance, const char* what, const char* length_unit, const char* other_unit,
                  const char* remedy, model::Problems& problems) {
  double largest = 0;
  std::map<int, std::string> bad;
  for (int row = 0; row < system.rows(); ++row) {
    const bool length = system.row_is_length(row);
    const double relative = std::abs(violation[row]) / (length ? length_scale : other_scale);
    largest = std::max(largest, relative);
    if (relative <= tolerance) continue;
    std::string& list = bad[system.entry_of_row(row)];
    list += (list.empty() ? "" : ", ") + row_of(system, row) + " by " + number(violation[row]) + " " +
            (length ? length_unit : other_unit);
  }
  for (const auto& [entry, list] : bad)
    problems.push_back(
        {system.model().entries[entry].path(), std::string("the initial ") + what + ": " + list + "; " + remedy});
  return largest;
}

}  // namespace

// Redundant rows are reported by joint, each with the rows of other joints that it follows from.
void check_rank(const System& system, const State& q, model::Problems& problems) {
  if (system.model().resolve_redundant) return;
  const assembly::ConstraintRank rank = assembly::constraint_rank(system, q);
  std::map<int, std::vector<int>> rows;  // by entry
  std::map<int, std::set<int>> others;   // rows that these follow from
  for (std::size_t i = 0; i < rank.redundant.size(); ++i) {
    const int entry = system.entry_of_row(rank.redundant[i]);
    rows[entry].push_back(rank.redundant[i]);
    for (int row = 0; row < system.rows(); ++row)
      if (rank.dependencies[i][row] != 0 && row != rank.redundant[i]) others[entry].insert(row);
  }
  for (const auto& [entry, list] : rows) {
    const std::string path = system.model().entries[entry].path();
    const std::string follow = names_of_rows(system, {others[entry].begin(), others[entry].end()});
    problems.push_back(
        {path,
         "over-constrained: the constraint equations " + names_of_rows(system, list).substr(path.size() + 1) +
             " follow from " + (follow.empty() ? "the supports" : follow + " and the supports") +
             ", so the reactions are not unique; replace a joint by one with fewer of them (a spherical joint, for "
             "instance), free a support, start from another position if this one is singular, or give `constraints: "
             "{redundant: resolve}`"});
  }
}

// Paths of problems are those of entries.
void report_past_bound(const System& system, const State& q, model::Problems& problems) {
  const System::PastBound past = system.past_bound(q, q);
  if (!past.found()) return;
  problems.push_back({past.element.substr(0, past.element.find(',')),
                      "the start turns " + past.element + " past the bound of its rotation, its nodes " +
                          past.turn_text() +
                          "; correct nodes and joints at the start, or give the beam more `elements`"});
}

// The inverse of move(): from `start` to `q`; turns by the short way.
void set_way(const State& start, const State& q, std::vector<Vec6>& way) {
  for (std::size_t i = 0; i < way.size(); ++i)
    way[i] << q.x[i] - start.x[i], math::so3::log((start.quat[i].conjugate() * q.quat[i]).normalized());
}

// Lengths by the size of the model, angles in rad.
double check_positions(const System& system, const VectorX& phi, double tolerance, const char* what, const char* remedy,
                       model::Problems& problems) {
  return check_rows(system, phi, system.length(), 1, tolerance, ("positions " + std::string(what)).c_str(), "m", "rad",
                    remedy, problems);
}

// Positions by Newton's steps until they are at round-off or shrink no more, velocities by one solution,
// since B v + Phi_t is linear in v. Both are the least changes in the norm of M,
// so that light parts give way first. Problems are collected for positions and velocities before anything
// moves.
StartReport meet_constraints(const System& system, State& q, double duration, model::Problems& problems,
                             Violations violations, const math::StopRequest& stop) {
  StartReport report;
  check_inertia(system, q, problems);
  if (system.rows() == 0) return report;
  check_rank(system, q, problems);

  assembly::Residual residual = system.make_residual();
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  VectorX rhs(system.size());
  std::vector<Vec6> change(system.nodes());
  const double size = system.length();
  // A method of index 3 leaves B v + Phi_t = O(h^2) behind: of a state that it led to, no violation is an error of the
  // deck.
  const bool from_the_deck = q.last_step == 0 && violations != Violations::any;
  const double any = std::numeric_limits<double>::infinity();
  const double position_tolerance = from_the_deck ? system.model().position_tolerance : any;
  const double velocity_tolerance = from_the_deck ? system.model().velocity_tolerance : any;
  system.set_residual(q, residual, {false, false, true});
  report.position_violation = check_positions(
      system, residual.phi, position_tolerance, "break this joint",
      "correct the nodes or the joint's function of time at the start, or widen `initial.positions`", problems);
  // Velocities are looked at before the positions move, so that both are reported at once.
  // A model at rest has the speed of one length in the duration.
  const double scale = std::max(speed(system, q), size / duration);
  system.set_rates(q, Bv, phi_t, gamma);
  report.velocity_violation = check_rows(
      system, Bv + phi_t, scale, scale / size, velocity_tolerance, "velocities break this joint", "m/s", "rad/s",
      "correct the velocities of its nodes (velocity inertial, angular_velocity in the node's frame) or the joint's "
      "function of time, use `initial_motion`, or widen `initial.velocities`",
      problems);
  if (!problems.empty()) return report;

  Saddle saddle(system);
  for (int i = 0; i < 10 && residual.phi.lpNorm<Eigen::Infinity>() > 1e-15 * size; ++i) {
    report.interrupted = i > 0 && math::is_asked_to_stop(stop);
    if (report.interrupted) return report;
    if (!saddle.factorize(q)) {
      report_singular(system, q, saddle.singular_column(), problems);
      return report;
    }
    rhs.head(system.free_unknowns()).setZero();
    rhs.tail(system.rows()) = -residual.phi;
    system.clear_dropped(q.dropped, rhs);
    saddle.solve(rhs);
    system.scatter(rhs, change);
    const double before = residual.phi.norm();
    move(q, change);
    for (const Vec6& dx : change) report.largest_move = std::max(report.largest_move, dx.head<3>().norm());
    system.set_residual(q, residual, {false, false, true});
    // Round-off: positions are as exact as they can be.
    if (residual.phi.norm() > 0.5 * before) break;
  }

  report_past_bound(system, q, problems);
  if (!problems.empty()) return report;

  system.set_rates(q, Bv, phi_t, gamma);
  const VectorX rate = Bv + phi_t;
  if (rate.lpNorm<Eigen::Infinity>() > 0) {
    if (!saddle.factorize(q)) {
      report_singular(system, q, saddle.singular_column(), problems);
      return report;
    }
    rhs.head(system.free_unknowns()).setZero();
    rhs.tail(system.rows()) = -rate;
    system.clear_dropped(q.dropped, rhs);
    saddle.solve(rhs);
    system.scatter(rhs, change);
    for (std::size_t i = 0; i < change.size(); ++i) {
      q.v[i] += change[i];
      report.largest_velocity_change = std::max(report.largest_velocity_change, change[i].head<3>().norm());
    }
  }
  return report;
}

// [M B^T; B 0] [dvdot; dlambda] = -[r; B vdot + Gamma], from vdot = 0 and lambda = 0.
// The second pass is iterative refinement, and shows whether the matrix was regular:
// with a correction as large as the solution it was not.
bool set_accelerations(const System& system, State& q, model::Problems& problems) {
  Saddle saddle(system);
  if (!saddle.factorize(q)) {
    report_singular(system, q, saddle.singular_column(), problems);
    return false;
  }
  std::fill(q.vdot.begin(), q.vdot.end(), Vec6::Zero());
  q.lambda.setZero();
  assembly::Residual residual = system.make_residual();
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  VectorX rhs(system.size());
  double solution = 0;
  // Twice: the second pass removes what round-off of the first left behind.
  for (int pass = 0; pass < 2; ++pass) {
    system.set_residual(q, residual);
    system.gather(residual, q.dropped, -1, rhs);
    if (system.rows() > 0) {
      system.set_rates(q, Bv, phi_t, gamma);
      VectorX acceleration = VectorX::Zero(system.rows());  // B vdot, by B v with vdot in the place of v
      State rate = q;
      rate.v = q.vdot;
      VectorX unused_t(system.rows());
      VectorX unused_gamma(system.rows());
      system.set_rates(rate, acceleration, unused_t, unused_gamma);
      rhs.tail(system.rows()) = -(acceleration + gamma);
      system.clear_dropped(q.dropped, rhs);
    }
    saddle.solve(rhs);
    // Where round-off alone made the matrix regular, the second pass finds as much again.
    if (!rhs.allFinite() || (pass == 1 && saddle.smallest_pivot_ratio() < 1e-12 && rhs.norm() > 1e-3 * solution)) {
      report_singular(system, q, -1, problems);
      return false;
    }
    solution = rhs.norm();
    std::vector<Vec6> change(system.nodes());
    system.scatter(rhs, change);
    for (std::size_t i = 0; i < change.size(); ++i) q.vdot[i] += change[i];
    q.lambda += rhs.tail(system.rows());
  }
  // What follows reactions or accelerations has had others
  if (system.signals().reads_dynamics()) system.signals().settle(q);
  return true;
}

// Of second order in dt, one-sided, as nothing is known before the start. States later are extrapolated
// along the motion; consistent accelerations there need no positions on the constraints to the last digit.
bool set_acceleration_rates(const System& system, const State& q, double dt, std::vector<Vec6>& vddot,
                            model::Problems& problems) {
  vddot.assign(q.v.size(), Vec6::Zero());
  // f'(0) = (-3 f(0) + 4 f(dt) - f(2 dt)) / (2 dt)
  const auto add = [&](const std::vector<Vec6>& vdot, double weight) {
    for (std::size_t i = 0; i < vddot.size(); ++i) vddot[i] += weight / (2 * dt) * vdot[i];
  };
  add(q.vdot, -3);
  for (const int k : {1, 2}) {
    State later = q;
    model::follow_motion(later, k * dt);
    if (!set_accelerations(system, later, problems)) return false;
    add(later.vdot, k == 1 ? 4 : -1);
  }
  return true;
}

}  // namespace polhode::analyses
