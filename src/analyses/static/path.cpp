// SPDX-License-Identifier: BSD-3-Clause
// The path of equilibria: its start, steps of the load factor, its end.
#include "path.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/model/text.hpp"

namespace polhode::analyses {

namespace {

constexpr double smallest_step = 1e-6;  // of the load factor
constexpr double shortest_way = 1e-4;   // of the model's length: below, Newton's tolerance decides where it points
constexpr double least_pivot = 1e-13;   // below, a tangent is looked at for free motions

std::string number(double value) { return model::format("%.6g", value); }

std::string remedy_of_stiffness(const assembly::System& system) {
  return system.beams().empty() ? "lower the largest stiffness"
                                : "lower the largest stiffness (EA, GAy, GAz), or use fewer elements of higher order";
}

}  // namespace

Path::Path(assembly::System& system, const StaticSettings& settings, bool loaded, const State& start,
           Redundancy& redundancy, StaticObserver& observer, StaticResult& result)
    : system_(system),
      settings_(settings),
      equations_(system, settings, loaded, start),
      redundancy_(redundancy),
      observer_(observer),
      result_(result) {
  here_.q = start;
  equations_.set_parameter(here_.q, 0);
}

void Path::fail(const std::string& text) {
  result_.end = StaticResult::End::failed;
  result_.failure = text;
}

bool Path::stopped() {
  if (observer_.interrupted()) {
    result_.end = StaticResult::End::interrupted;
    return true;
  }
  if (result_.steps < settings_.max_steps) return false;
  fail("the path of equilibria has not reached its end after " + std::to_string(settings_.max_steps) +
       " load steps, at load factor " + number(here_.s));
  result_.details.push_back("to go on: a larger `max_steps`");
  return true;
}

bool Path::set_tangent(Point& point) {
  equations_.evaluate(point.q, point.s);
  const double shift = equations_.shift();
  equations_.set_shift(0);
  const bool regular = equations_.linearize(point.q);
  point.smallest_pivot = regular ? equations_.pivot_ratio() : 0;
  if (shift > 0 && !(point.smallest_pivot > least_pivot)) {  // the loads do not hold the free motion yet
    equations_.set_shift(shift);
    point.smallest_pivot = 0;
    if (!equations_.linearize(point.q)) return false;
  } else if (!regular) {
    return false;
  }
  equations_.set_tangent(point.q, point.s, point.tangent);
  return point.tangent.allFinite();
}

bool Path::tell_free_motions(const std::string& head, bool driven_alone) {
  const VectorX load = equations_.load();
  const auto motions = free_motions(system_, here_.q, equations_.matrix(), equations_.metric());
  if (motions.empty()) return false;
  const int k = system_.free_unknowns();
  const VectorX root = equations_.metric().head(k).cwiseSqrt();
  std::vector<std::string> driven;
  std::vector<std::string> others;
  for (const FreeMotion& motion : motions) {
    const double work = load.size() > 0 ? std::abs(motion.shape.dot(load.head(k))) : 0;
    const double scale =
        load.size() > 0 ? root.cwiseProduct(motion.shape).norm() * load.head(k).cwiseQuotient(root).norm() : 0;
    (work > 1e-9 * scale ? driven : others).push_back(motion.text);
  }
  if (driven_alone && driven.empty()) return false;
  fail(head + (driven.empty() ? "" : ", and its loads drive it") + ":");
  for (const std::string& text : driven) result_.details.push_back(text);
  for (const std::string& text : others)
    result_.details.push_back(text + (driven.empty() ? "" : " (no load drives it)"));
  result_.details.push_back(
      "to go on: hold it by a joint, a support or a spring; or follow its motion in a transient analysis");
  return true;
}

bool Path::begin() {
  const bool regular = set_tangent(here_) && here_.smallest_pivot > least_pivot;
  observe(here_, 0, false, false);
  if (!regular) {
    // Free motions that no load drives may be held by the loads themselves, as a pendulum that hangs.
    equations_.set_shift(1e-10);
    const bool solved = set_tangent(here_);
    equations_.set_shift(0);
    equations_.evaluate(here_.q, here_.s);
    equations_.linearize(here_.q);
    if (tell_free_motions("the model is free to move", true)) return false;
    if (!solved) {
      fail("the tangent stiffness is singular at the start");
      return false;
    }
    equations_.set_shift(1e-10);
  }
  first_size_ = equations_.norm(here_.tangent);
  weight_ = first_size_ > 0 ? 1 / first_size_ : 1;
  return true;
}

void Path::observe(const Point& point, int iterations, bool limit_point, bool last) {
  observer_.observe(point.q, {point.s, iterations, point.smallest_pivot, limit_point}, last);
}

void Path::accept(Point&& point, int iterations, bool last) {
  if (system_.model().resolve_redundant)
    if (const std::string text = redundancy_.after_step(point.q, 0); !text.empty()) observer_.warn(text);
  std::swap(before_, here_);
  here_ = std::move(point);
  ++result_.steps;
  result_.iterations += iterations;
  result_.load_factor = here_.s;
  result_.smallest_pivot = here_.smallest_pivot;
  observe(here_, iterations, false, last);
}

double Path::limit_load() const {
  // Near a limit point s = s_l - c (u - u_l)^2, so that 1 / |du/ds|^2 is linear in s.
  const auto slope = [&](const Point& p) { return 1 / equations_.product(p.tangent, p.tangent); };
  if (before_.tangent.size() == 0) return here_.s;
  const double g1 = slope(before_);
  const double g2 = slope(here_);
  return g1 > g2 ? here_.s + (here_.s - before_.s) * g2 / (g1 - g2) : here_.s;
}

void Path::explain(const Correction& last) {
  equations_.evaluate(here_.q, here_.s);
  const bool regular = equations_.linearize(here_.q) && equations_.pivot_ratio() > least_pivot;
  if (!regular && tell_free_motions("the model is free to move at load factor " + number(here_.s), false)) return;
  if (here_.tangent.size() > 0 && equations_.norm(here_.tangent) > 30 * first_size_ && here_.s > 0 && turns_back()) {
    fail("the loads lead beyond a limit point: no equilibrium is near above load factor " + number(limit_load()) +
         "; the last one, at " + number(here_.s) + ", is kept");
    result_.details.push_back(
        "to go on: `control: arc_length` follows the path through the limit point; smaller loads stay below it");
    return;
  }
  fail("no equilibrium was found above load factor " + number(here_.s) + ": Newton's iteration " +
       std::string(text_of(last.end)) + " even in a step of " + number(smallest_step));
  equations_.evaluate(here_.q, here_.s);
  if (equations_.linearize(here_.q))
    if (const double round_off = equations_.round_off(); round_off > 10 * settings_.tolerance)
      result_.details.push_back("round-off of the stiffest directions alone moves nodes by " + number(round_off) +
                                " of the model's length: " + remedy_of_stiffness(system_));
  std::vector<std::pair<double, int>> rows;
  VectorX all(system_.size());
  system_.gather(equations_.residual(), 1, all);
  for (int i = 0; i < all.size(); ++i) rows.emplace_back(std::abs(all[i]), i);
  std::sort(rows.rbegin(), rows.rend());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, rows.size()); ++i)
    if (rows[i].first > 0)
      result_.details.push_back("unbalanced: " + system_.name_of(rows[i].second) + "  " +
                                model::format("%.3g", all[rows[i].second]));
}

// Newton's method may land on another part of the path, past limit points in between: the way there is then longer than
// the tangents at both ends can explain, or leads against them.
bool Path::jumps(const Point& from, const Point& to) const {
  const double way = equations_.distance(from.q, to.q) / (to.s - from.s);
  if (way > 1.5 * std::max(equations_.norm(from.tangent), equations_.norm(to.tangent))) return true;
  return equations_.reach(from.q, to.q) > shortest_way && equations_.along(from.tangent, from.q, to.q) < 0 &&
         equations_.along(to.tangent, from.q, to.q) < 0;
}

// Long steps may fit such tangents by chance. Where the tangents do not tell the way, it is looked at in two parts, the
// first one short: no other part of the path is as near to its begin as the tangent says.
bool Path::is_joined_to(const Point& next) {
  constexpr double shortest_looked_at = 0.01;
  if (jumps(here_, next)) return false;
  const double ds = next.s - here_.s;
  const double way = equations_.distance(here_.q, next.q);
  const auto tells = [&](const Point& p) { return std::abs(way - ds * equations_.norm(p.tangent)) < 0.2 * way; };
  if (ds < shortest_looked_at || equations_.reach(here_.q, next.q) < shortest_way || (tells(here_) && tells(next)))
    return true;
  Point early;
  early.s = here_.s + ds / 8;
  Correction correction = solve_at(equations_, here_.q, early.s, early.q);
  result_.wasted += correction.solves();
  if (!correction.converged()) {
    correction = solve_at(equations_, here_.q, early.s, early.q, true);
    result_.wasted += correction.solves();
  }
  return correction.converged() && set_tangent(early) && !jumps(here_, early) && !jumps(early, next);
}

void Path::follow_by_load() {
  constexpr double most_turn = 1.5;  // of a driven joint in a step, rad
  double ds = settings_.first_step;
  bool curved = false;
  while (here_.s < 1) {
    if (stopped()) return;
    ds = std::min(ds, settings_.largest_step);
    if (equations_.angle_rate() * ds > most_turn) ds = most_turn / equations_.angle_rate();
    Point next;
    next.s = here_.s + ds > 1 - 1e-9 ? 1 : here_.s + ds;
    const double taken = next.s - here_.s;
    Correction correction = solve_at(equations_, here_.q, next.s, next.q, curved);
    if (!correction.converged() && !curved) {
      result_.wasted += correction.solves();
      correction = solve_at(equations_, here_.q, next.s, next.q, true);
      curved = true;
    }
    curved = curved && correction.converged();
    if (!correction.converged() || !set_tangent(next) || !is_joined_to(next)) {
      result_.wasted += correction.solves();
      ds = taken / 2;
      if (ds < smallest_step) return explain(correction);
      continue;
    }
    if (correction.uncertain > 1e3 * settings_.tolerance && !told_uncertain_) {
      told_uncertain_ = true;
      observer_.warn("equilibria are known to " + number(correction.uncertain) +
                     " of the model's length only, from load factor " + number(next.s) +
                     " on: round-off of the stiffest directions; " + remedy_of_stiffness(system_));
    }
    accept(std::move(next), correction.solves(), next.s == 1);
    ds = correction.iterations <= 5 ? 2 * taken : correction.iterations <= 9 ? 1.5 * taken : taken;
  }
}

void Path::finish() {
  if (result_.end != StaticResult::End::done) return;
  if (here_.smallest_pivot > 1e-11) return;
  equations_.set_shift(0);
  equations_.evaluate(here_.q, here_.s);
  equations_.linearize(here_.q);
  tell_free_motions("in equilibrium, the model is free to move", false);
}

}  // namespace polhode::analyses
