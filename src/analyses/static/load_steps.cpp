// SPDX-License-Identifier: BSD-3-Clause
// Steps of the load factor, and a look at whether they stay on the path.
#include "load_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace polhode::analyses {

namespace {

constexpr double most_turn = 1.5;            // of a driven joint in a step, rad
constexpr double shortest_looked_at = 0.01;  // load step that is looked at in two parts
constexpr double noticeable = 1e3;           // times the tolerance: equilibria so uncertain are worth a warning
constexpr double explained = 1.5;            // factor between increments and what tangents make of them

}  // namespace

// Below, in units of the model's length, uncertain equilibria decide where an increment points. Models may be large for
// what moves in them: a part of the length is none of the increment.
double LoadSteps::shortest_increment() const {
  constexpr double most = 1e-4;
  return std::min(most, std::max(noticeable * path_.settings().tolerance, 100 * uncertain_));
}

// Newton's method may land on another part of the path, past limit points in between: the increment is then longer than
// the tangents at both ends can explain, or leads against them. A path that turns back within a step leads against the
// tangent at its begin, too, and is followed in shorter ones; what lies on the other side of a column that buckles looks
// the same at any length. Tangents without translations have no such direction.
bool LoadSteps::jumps(const Path::Point& from, const Path::Point& to) {
  constexpr double rounding = 1e-9;  // of the cosine between tangent and increment
  constexpr double backward = 0.1;   // the same, by translations alone
  const Displacements& sizes = path_.equations().displacements();
  const double increment = sizes.distance(from.q, to.q);
  // Where loads change nothing, tangents are nothing, and increments are what equilibria are uncertain by.
  const double reach = sizes.reach(from.q, to.q);
  if (reach <= path_.settings().tolerance) return false;
  // Mean speed along the path, against the speeds at both ends.
  if (increment / (to.s - from.s) > explained * std::max(sizes.norm(from.tangent), sizes.norm(to.tangent))) return true;
  if (reach <= shortest_increment()) return false;
  const assembly::System& system = path_.system();
  const double unit = system.free_unknowns() * std::pow(system.length(), 2);
  const auto leads_against = [&](const VectorX& tangent, double cosine) {
    return sizes.along(tangent, from.q, to.q) < -cosine * unit * sizes.norm(tangent) * increment;
  };
  if (leads_against(from.tangent, backward)) return true;
  return leads_against(from.tangent, rounding) && leads_against(to.tangent, rounding);
}

// Long steps may fit such tangents by chance. Where the tangents do not show the path, it is checked in two parts, the
// first one short: no other part of the path is as near to its begin as the tangent says. At a limit point the tangent
// is too long for that, and explains any increment: ever shorter ones show whether they shrink with the load.
bool LoadSteps::is_joined_to(const Path::Point& next) {
  constexpr double shrinking = 0.8;  // to an eighth of the load: roots of the load to the tenth one
  const Path::Point& here = path_.here();
  const Displacements& sizes = path_.equations().displacements();
  if (jumps(here, next)) return false;
  const double ds = next.s - here.s;
  const double increment = sizes.distance(here.q, next.q);
  const auto tells = [&](const Path::Point& p) {
    return std::abs(increment - ds * sizes.norm(p.tangent)) < 0.2 * increment;
  };
  const auto hides = [&](const Path::Point& end) {
    return (end.s - here.s) * sizes.norm(here.tangent) > explained * sizes.distance(here.q, end.q);
  };
  double reach = sizes.reach(here.q, next.q);
  if (reach < shortest_increment() || (tells(here) && tells(next))) return true;
  if (ds < shortest_looked_at && increment <= explained * ds * sizes.norm(next.tangent)) return true;
  Path::Point early;
  Path::Point end = next;
  for (;;) {
    early.s = here.s + (end.s - here.s) / 8;
    if (!solve_aside(early) || jumps(here, early) || jumps(early, end)) return false;
    if (!hides(end)) return true;
    const double reach_early = sizes.reach(here.q, early.q);
    if (reach_early < shortest_increment()) return true;
    if (early.s - here.s < smallest_load_step) return reach_early < shrinking * reach;
    reach = reach_early;
    std::swap(early, end);
  }
}

// Off the record, with its tangent: the equilibrium at point.s, as a step from the last one finds it.
bool LoadSteps::solve_aside(Path::Point& point) {
  for (const bool curved : {false, true}) {
    const Correction correction = solve_at(path_.equations(), path_.here().q, point.s, point.q, curved);
    path_.record().add_wasted(correction.solves());
    if (correction.converged()) return path_.set_tangent(point);
  }
  return false;
}

// Damped first; where that fails along curved ways, which the next steps then begin with,
// until those fail as well.
Correction LoadSteps::solve(Path::Point& next) {
  Equilibrium& equations = path_.equations();
  Correction correction = solve_at(equations, path_.here().q, next.s, next.q, curved_);
  if (!correction.converged() && correction.end != Correction::End::interrupted && !curved_) {
    path_.record().add_wasted(correction.solves());
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
  path_.record().warn(
      fmt::format("equilibria are known to {:.6g} of the model's length only, from load factor {:.6g} on: round-off of "
                  "the stiffest directions; {}",
                  correction.uncertain, s, remedy_of_stiffness(path_.system())));
}

// Models whose linear response to the load that is left is many times their size (ropes, sheets) do not answer in
// proportion: load steps that fail there are dear. Where the response has grown along the path, a limit point may be
// ahead, which load steps look for. Nor do motions that a small stiffness alone has held. Once a run.
bool LoadSteps::gives_up() {
  constexpr double soft = 5;   // in units of the model's length, or rad
  constexpr double grown = 2;  // times the response at the start
  constexpr long budget = 30;  // linear solves of failed attempts
  const Path::Point& here = path_.here();
  if (gave_up_ || here.tangent.size() == 0 || path_.record().result().wasted < budget) return false;
  const Displacements& sizes = path_.equations().displacements();
  const bool is_held = path_.equations().stiffness().shift() > 0;
  gave_up_ = is_held || (sizes.largest(here.tangent) * (1 - here.s) > soft &&
                         sizes.norm(here.tangent) < grown * path_.first_size());
  return gave_up_;
}

void LoadSteps::take_up(const std::vector<double>& way) {
  math::Archive a(way);
  archive(a);
}

// The step of the load factor is halved at a failure, and grows where few iterations were needed.
void LoadSteps::follow() {
  const StaticSettings& settings = path_.settings();
  double& ds = ds_;
  if (ds == 0) ds = settings.first_step;
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
    uncertain_ = correction.uncertain;
    if (correction.converged()) {
      if (!path_.set_tangent(next))
        correction.end = Correction::End::singular;
      else if (!is_joined_to(next) || !path_.is_joined_by_stability(next))
        correction.end = Correction::End::off_path;
    }
    if (!correction.converged()) {
      path_.record().add_wasted(correction.solves());
      if (gives_up() && path_.relax()) return;
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
    path_.leave_point([this](math::Archive& a) { archive(a); });
  }
}

}  // namespace polhode::analyses
