// SPDX-License-Identifier: BSD-3-Clause
// Steps of the load factor, and a look at whether they stay on the path.
#include "load_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

namespace {

constexpr double most_turn = 1.5;            // of a driven joint in a step, rad
constexpr double shortest_way = 1e-4;        // of the model's length: below, Newton's tolerance decides where it points
constexpr double shortest_looked_at = 0.01;  // load step that is looked at in two parts
constexpr double noticeable = 1e3;           // times the tolerance: equilibria so uncertain are worth a warning

}  // namespace

// Newton's method may land on another part of the path, past limit points in between: the way there is then longer than
// the tangents at both ends can explain, or leads against them.
bool LoadSteps::jumps(const Path::Point& from, const Path::Point& to) {
  const Displacements& sizes = path_.equations().displacements();
  // Mean speed along the path, against the speeds at both ends.
  const double way = sizes.distance(from.q, to.q) / (to.s - from.s);
  if (way > 1.5 * std::max(sizes.norm(from.tangent), sizes.norm(to.tangent))) return true;
  return sizes.reach(from.q, to.q) > shortest_way && sizes.along(from.tangent, from.q, to.q) < 0 &&
         sizes.along(to.tangent, from.q, to.q) < 0;
}

// Long steps may fit such tangents by chance. Where the tangents do not show the path, it is checked in two parts, the
// first one short: no other part of the path is as near to its begin as the tangent says.
bool LoadSteps::is_joined_to(const Path::Point& next) {
  const Path::Point& here = path_.here();
  Equilibrium& equations = path_.equations();
  const Displacements& sizes = equations.displacements();
  if (jumps(here, next)) return false;
  const double ds = next.s - here.s;
  const double way = sizes.distance(here.q, next.q);
  const auto tells = [&](const Path::Point& p) { return std::abs(way - ds * sizes.norm(p.tangent)) < 0.2 * way; };
  if (ds < shortest_looked_at || sizes.reach(here.q, next.q) < shortest_way || (tells(here) && tells(next)))
    return true;
  Path::Point early;
  early.s = here.s + ds / 8;
  Correction correction = solve_at(equations, here.q, early.s, early.q);
  path_.add_wasted(correction.solves());
  if (!correction.converged()) {
    correction = solve_at(equations, here.q, early.s, early.q, true);
    path_.add_wasted(correction.solves());
  }
  return correction.converged() && path_.set_tangent(early) && !jumps(here, early) && !jumps(early, next);
}

// Damped first; where that fails along curved ways, which the next steps then begin with,
// until those fail as well.
Correction LoadSteps::solve(Path::Point& next) {
  Equilibrium& equations = path_.equations();
  Correction correction = solve_at(equations, path_.here().q, next.s, next.q, curved_);
  if (!correction.converged() && !curved_) {
    path_.add_wasted(correction.solves());
    correction = solve_at(equations, path_.here().q, next.s, next.q, true);
    curved_ = true;
  }
  curved_ = curved_ && correction.converged();
  return correction;
}

// Once a run: the number hardly changes from step to step.
void LoadSteps::warn_of_round_off(const Correction& correction, double s) {
  if (warned_ || correction.uncertain <= noticeable * path_.settings().tolerance) return;
  warned_ = true;
  path_.warn(
      fmt::format("equilibria are known to {:.6g} of the model's length only, from load factor {:.6g} on: "
                  "round-off of the stiffest directions; {}",
                  correction.uncertain, s, remedy_of_stiffness(path_.system())));
}

// The step of the load factor is halved at a failure, and grows where few iterations were needed.
void LoadSteps::follow() {
  const StaticSettings& settings = path_.settings();
  double ds = settings.first_step;
  while (path_.here().s < 1) {
    if (path_.stopped()) return;
    ds = std::min(ds, settings.largest_step);
    const double rate = path_.equations().load_rate().angle;
    // Angles of joints are counted by the nearest turn.
    if (rate * ds > most_turn) ds = most_turn / rate;
    const double s = path_.here().s;
    Path::Point next;
    next.s = s + ds > 1 - 1e-9 ? 1 : s + ds;
    const double taken = next.s - s;
    // A step counts if it has converged, has a tangent, and lies on the same part of the path.
    Correction correction = solve(next);
    if (correction.converged()) {
      if (!path_.set_tangent(next))
        correction.end = Correction::End::singular;
      else if (!is_joined_to(next))
        correction.end = Correction::End::off_path;
    }
    if (!correction.converged()) {
      path_.add_wasted(correction.solves());
      ds = taken / 2;
      if (ds < smallest_load_step) return path_.explain(correction);
      continue;
    }
    if (settings.stable && !path_.settle(next)) return;
    warn_of_round_off(correction, next.s);
    const bool last = next.s == 1;
    path_.accept(std::move(next), correction.solves(), last);
    // Few iterations: the path is smooth here, and a longer step may do.
    ds = correction.iterations <= 5 ? 2 * taken : correction.iterations <= 9 ? 1.5 * taken : taken;
  }
}

}  // namespace polhode::analyses
