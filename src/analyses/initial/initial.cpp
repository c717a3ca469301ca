// SPDX-License-Identifier: BSD-3-Clause
// Assembly of a mechanism with the least change.
#include "polhode/analyses/initial/initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "polhode/analyses/initial/posture.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "projection.hpp"

namespace polhode::analyses {

using assembly::Saddle;
using assembly::System;
using model::Vec3;
using model::Vec6;
using model::VectorX;

// Newton's steps onto the constraints, each the least in the norm of M.
// Gauss-Newton in the norm of M: [M B^T; B 0] [dx; mu] = [0; -Phi]. Steps beyond half of the model's length
// or half a radian are cut, as the linearization says nothing there. The iteration ends at round-off,
// or where it stagnates close to it.
bool project(const System& system, Saddle& saddle, State& q, model::Problems& problems, const math::StopRequest& stop,
             double slowest) {
  constexpr int most_steps = 100;
  constexpr double longest = 0.5;  // relative to the size, rad: far steps lead astray
  const double size = system.length();
  assembly::Residual residual = system.make_residual();
  VectorX rhs(system.size());
  std::vector<Vec6> change(system.nodes());
  double before = 1;
  for (int i = 0; i < most_steps; ++i) {
    system.set_residual(q, residual, {false, false, true});
    if (!residual.phi.allFinite()) return false;
    rhs.head(system.free_unknowns()).setZero();
    rhs.tail(system.rows()) = -residual.phi;
    system.clear_dropped(q.dropped, rhs);
    if (rhs.isZero(0)) return true;
    if (math::is_asked_to_stop(stop)) return false;
    if (!saddle.factorize(q)) {
      check_inertia(system, q, problems);
      return false;
    }
    saddle.solve(rhs);
    if (!rhs.allFinite()) return false;
    system.scatter(rhs, change);
    double largest = 0;
    for (const Vec6& dx : change) largest = std::max({largest, dx.head<3>().norm() / size, dx.tail<3>().norm()});
    if (slowest > 0 && (largest > longest || (i > 0 && before > 1e-9 && largest > slowest * before))) return false;
    for (Vec6& dx : change) dx *= std::min(1.0, longest / largest);
    move(q, change);
    // Converged, or at round-off: below 1e-9 a step that shrinks less than tenfold gains nothing.
    if (largest < 1e-12 || (largest < 1e-9 && largest > 0.1 * before)) return true;
    before = largest;
  }
  return false;
}

namespace {

// Of a displacement and a turn on one scale: lengths by the size of the model, turns in rad.
double size_of(const NodeChange& c, double length) { return std::max(c.move / length, c.turn); }

// Onto the constraints, then along them downhill in w^T M w / 2 until that falls no more. False where they cannot be
// met, or the search was stopped.
// A projection alone ends at some point of the constraints, not at the nearest.
// So the displacement w from the start is made shorter along them: the direction is that of -M w within the
// tangent space (the same matrix), with a line search by Armijo's rule, and a projection after each trial.
bool move_to_constraints(const System& system, const State& start, State& q, model::Problems& problems,
                         const math::StopRequest& stop) {
  constexpr int most_steps = 200;
  const int k = system.free_unknowns();
  Saddle saddle(system);
  VectorX rhs = VectorX::Zero(system.size());
  VectorX way_free(system.size());
  std::vector<Vec6> change(system.nodes());
  std::vector<Vec6> way(system.nodes());
  const auto set_gradient = [&](const State& at) {  // M w in rhs; the cost
    set_way(start, at, way);
    system.gather({way, VectorX::Zero(system.rows())}, at.dropped, 1, way_free);
    assembly::multiply(saddle.set_matrix(at), way_free.data(), rhs.data(), k);
    return 0.5 * way_free.head(k).dot(rhs.head(k));
  };
  if (!project(system, saddle, q, problems, stop)) return false;
  double part = 1;
  for (int i = 0; i < most_steps; ++i) {
    if (math::is_asked_to_stop(stop)) return false;
    const double cost = set_gradient(q);
    const VectorX gradient = rhs.head(k);
    if (cost == 0 || !saddle.factorize(q)) return true;
    rhs.head(k) *= -1;
    rhs.tail(system.rows()).setZero();
    saddle.solve(rhs);
    system.scatter(rhs, change);
    const double slope = -gradient.dot(rhs.head(k));  // of the cost, downhill
    // Stationary: the gradient is normal to the constraints.
    if (!(slope > 1e-16 * cost)) return true;
    for (part = std::min(1.0, 4 * part);; part /= 2) {
      if (part < 1e-8) return true;
      State next = q;
      std::vector<Vec6> step = change;
      for (Vec6& dx : step) dx *= part;
      move(next, step);
      if (!project(system, saddle, next, problems, stop)) {
        if (math::is_asked_to_stop(stop)) return false;
        continue;
      }
      // Armijo: at least a tenth of the decrease that the slope promises.
      if (set_gradient(next) > cost - 0.1 * part * slope) continue;
      q = next;
      break;
    }
  }
  return true;
}

// Parts of the way of all drives, from zero, such that none turns by more than a radian in a part; 0 where none turns
// by more than half a turn: the nearest turn is the right one then.
double parts_of_way(const System& system, const State& q) {
  State undriven = q;
  undriven.load_factor = 0;
  system.initialize_history(undriven);
  State driven = q;
  system.initialize_history(driven);
  if (q.history.size() == 0) return 0;
  const double turns = (driven.history - undriven.history).lpNorm<Eigen::Infinity>();
  return turns == 0 ? 0 : std::ceil(turns + std::numbers::pi);
}

// Moves drives from zero, where the deck is drawn, to their values, so that all that counts angles counts the same
// turns. Positions alone do not tell them: a drive of 7 rad leads to where one of 0.717 rad does. Where the mechanism
// cannot follow (a rocker that does not come round), `q` stays as it is, and angles are the nearest ones.
void follow_drives(const System& system, State& q, const math::StopRequest& stop) {
  constexpr double most_parts = 1e5;
  const double parts = parts_of_way(system, q);
  if (!(parts > 0 && parts < most_parts)) return;
  Saddle saddle(system);
  // A model that cannot be projected says why from its own place.
  model::Problems unused;
  State moved = q;
  moved.load_factor = 0;
  system.initialize_history(moved);
  for (int i = 1; i <= static_cast<int>(parts); ++i) {
    moved.load_factor = i / parts;
    if (!project(system, saddle, moved, unused, stop)) return;
    system.update_history(moved);
  }
  q = std::move(moved);
}

// Names what is left of the violations, or the equations that follow from others: their matrix is singular, so that the
// search may end anywhere though the deck meets all constraints.
void tell_left(const System& system, const State& deck, const State& q, model::Problems& problems) {
  constexpr double met = 1e-9;
  assembly::Residual residual = system.make_residual();
  system.set_residual(deck, residual, {false, false, true});
  model::Problems violated;
  check_positions(system, residual.phi, met, "", "", violated);
  if (violated.empty()) check_rank(system, deck, problems);
  if (!problems.empty()) return;
  system.set_residual(q, residual, {false, false, true});
  check_positions(system, residual.phi, met, "cannot be met from the positions of the deck",
                  "place its nodes nearer to where they belong, or correct the joint", problems);
  if (problems.empty()) check_rank(system, q, problems);
  if (problems.empty())
    problems.push_back({"joints",
                        "the search for positions that meet all constraints did not come to rest; place the nodes "
                        "nearer to where they belong"});
}

}  // namespace

// Changes below 1e-12 of the model's size or of the largest speed are round-off. Nodes that have moved come before
// those whose velocity alone has changed.
std::vector<NodeChange> changes_between(const System& system, const State& before, const State& after) {
  std::vector<NodeChange> changes;
  double speed = 0;
  for (const Vec6& v : after.v) speed = std::max({speed, v.head<3>().norm(), v.tail<3>().norm() * system.length()});
  const double length = system.length();
  std::vector<Vec6> way(system.nodes());
  set_way(before, after, way);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const Vec6 dv = after.v[i] - before.v[i];
    const NodeChange change{static_cast<int>(i), way[i].head<3>().norm(), way[i].tail<3>().norm(), dv.head<3>().norm(),
                            dv.tail<3>().norm()};
    const double faster = std::max(change.velocity, change.angular_velocity * length);
    if (size_of(change, length) > 1e-12 || faster > 1e-12 * speed) changes.push_back(change);
  }
  const auto larger = [length](const NodeChange& a, const NodeChange& b) {
    const double size_a = size_of(a, length);
    const double size_b = size_of(b, length);
    const bool moved_a = size_a > 1e-12;
    const bool moved_b = size_b > 1e-12;
    if (moved_a != moved_b) return moved_a;
    if (moved_a) return size_a > size_b;
    return a.velocity + length * a.angular_velocity > b.velocity + length * b.angular_velocity;
  };
  std::stable_sort(changes.begin(), changes.end(), larger);
  return changes;
}

// The largest changes first, as changes_between() has sorted them.
std::vector<std::string> table_of(const System& system, const std::vector<NodeChange>& changes, std::size_t most) {
  std::vector<std::string> lines;
  if (changes.empty()) return lines;
  lines.push_back(fmt::format("  {:<28} {:>12} {:>12} {:>15} {:>18}", "node", "moved [m]", "turned [rad]",
                              "velocity [m/s]", "ang. vel. [rad/s]"));
  for (std::size_t i = 0; i < std::min(most, changes.size()); ++i) {
    const NodeChange& c = changes[i];
    lines.push_back(fmt::format("  {:<28} {:12.4g} {:12.4g} {:15.4g} {:18.4g}", system.node(c.node).label(), c.move,
                                c.turn, c.velocity, c.angular_velocity));
  }
  if (changes.size() > most) lines.push_back(fmt::format("  and {} more", changes.size() - most));
  return lines;
}

// Up to three rounds: positions, then a look at whether the dropped rows still follow from the others.
bool meet_all_constraints(const System& system, State& q, std::vector<NodeChange>& changes, std::string& redundant,
                          model::Problems& problems, const math::StopRequest& stop, bool loaded) {
  const State before = q;
  // Rows that follow from others where the mechanism is assembled need not do so before: they are looked for again.
  for (int round = 0; problems.empty() && round < 3; ++round) {
    Redundancy redundancy(system);
    redundant = redundancy.begin(q);
    const std::vector<int> dropped = q.dropped.rows;
    const State start = q;
    // On the way to given coordinates drives have been followed.
    if (round == 0 && !loaded && !gives_coordinates(system.model())) follow_drives(system, q, stop);
    const bool moved = system.rows() == 0 || move_to_constraints(system, start, q, problems, stop);
    if (math::is_asked_to_stop(stop)) break;
    if (!moved) tell_left(system, before, q, problems);
    if (!problems.empty() || q.dropped.empty()) break;
    assembly::Residual residual = system.make_residual();
    system.set_residual(q, residual, {false, false, true});
    const auto violated = [&](int row) { return std::abs(residual.phi[row]) > 1e-9 * system.length(); };
    if (std::none_of(dropped.begin(), dropped.end(), violated)) break;
    if (round == 2) tell_left(system, before, q, problems);
  }
  bool stopped = math::is_asked_to_stop(stop);
  if (problems.empty() && !stopped)
    stopped = meet_constraints(system, q, 1, problems, Violations::any, stop).interrupted;
  if (!stopped && problems.empty()) report_past_bound(system, q, problems);
  system.update_history(q);
  if (problems.empty() && !stopped && check_inertia(system, q, problems)) set_accelerations(system, q, problems);
  if (!problems.empty() || stopped) {
    q = before;
    return false;
  }
  changes = changes_between(system, before, q);
  // The state is that of a deck: nothing of a method belongs to it.
  q.last_step = 0;
  return true;
}

}  // namespace polhode::analyses
