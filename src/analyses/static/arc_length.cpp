// SPDX-License-Identifier: BSD-3-Clause
// Continuation by arc length: the load factor is an unknown too, and the path passes its extrema.
//
// Predictor along the tangent, corrector on the plane normal to it (pseudo-arclength: Keller 1977; Riks 1979), each
// iteration by two solutions with the same tangent stiffness. Displacements are weighted such that at the start they
// count as much as the load factor.
#include <algorithm>
#include <cmath>

#include "path.hpp"

namespace polhode::analyses {

double Path::product(const Direction& a, const Direction& b) const {
  return weight_ * weight_ * equations_.product(a.z, b.z) + a.s * b.s;
}

Path::Direction Path::direction_of(const Point& point) const {
  Direction direction{point.tangent, 1};
  const double length = std::sqrt(product(direction, direction));
  direction.z /= length;
  direction.s /= length;
  return direction;
}

Correction Path::solve_on_arc(const Point& from, const Direction& along, double length, Point& to) {
  Correction result;
  const auto fail = [&](Correction::End end) {
    result.end = end;
    return result;
  };
  to.q = from.q;
  to.s = from.s + length * along.s;
  equations_.apply(to.q, along.z, length);
  double turned = to.q.history.size() > 0 ? length * equations_.largest_turn(along.z) : 0;
  double before = 0;
  Direction d;
  Direction tangent;
  tangent.s = 1;
  for (;;) {
    if (result.iterations == settings_.max_iterations) return fail(Correction::End::not_converged);
    if (!equations_.evaluate(to.q, to.s)) return fail(Correction::End::diverged);
    if (!equations_.linearize(to.q)) return fail(Correction::End::singular);
    ++result.iterations;
    equations_.set_correction(d.z);
    equations_.set_tangent(to.q, to.s, tangent.z);
    d.s = 0;
    const double ds = -product(along, d) / product(along, tangent);
    d.z += ds * tangent.z;
    d.s = ds;
    if (!d.z.allFinite()) return fail(Correction::End::singular);
    // Corrections as long as the step lead to another part of the path.
    if (std::sqrt(product(d, d)) > std::abs(length)) return fail(Correction::End::diverged);
    equations_.apply(to.q, d.z, 1);
    to.s += ds;
    if (to.q.history.size() > 0) turned += equations_.largest_turn(d.z);
    const double size = std::max(equations_.largest(d.z), std::abs(ds));
    const bool round_off = size < 1e-7 && result.iterations > 2 && size > 0.3 * before;
    before = size;
    if (size < settings_.tolerance || round_off) break;
  }
  if (turned > 2) return fail(Correction::End::turned);
  if (system_.mirrored_entry(to.q) >= 0) return fail(Correction::End::mirrored);
  if (!set_tangent(to)) return fail(Correction::End::singular);
  system_.update_history(to.q);
  return result;
}

void Path::tell_limit_point(const Point& from, const Direction& along, double length, double end_slope) {
  // Zero of the slope ds/dl over (0, length), by the Illinois variant of regula falsi.
  double a = 0;
  double b = length;
  double fa = along.s;
  double fb = end_slope;
  Point limit;
  int iterations = 0;
  bool found = false;
  bool halve = false;
  for (int i = 0; i < 10; ++i) {
    const double at = halve ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
    Point trial;
    const Correction correction = solve_on_arc(from, along, at, trial);
    iterations += correction.iterations;
    if (!correction.converged()) {
      if (halve) break;
      halve = true;
      continue;
    }
    halve = false;
    Direction direction = direction_of(trial);
    if (product(direction, along) < 0) direction.s = -direction.s;
    limit = std::move(trial);
    found = true;
    if (std::abs(direction.s) < 1e-6) break;
    if ((direction.s > 0) == (fb > 0)) {
      b = at;
      fb = direction.s;
      fa /= 2;
    } else {
      a = at;
      fa = direction.s;
      fb /= 2;
    }
  }
  result_.wasted += iterations;
  if (!found) return;
  result_.limit_loads.push_back(limit.s);
  observe(limit, iterations, true, false);
}

bool Path::turns_back() {
  Point from = here_;
  if (!set_tangent(from)) return false;
  Direction along = direction_of(from);
  // s = s_l - c (u - u_l)^2 has its extremum at twice the distance that the tangent gives.
  double length = std::max(1e-5, 3 * (limit_load() - from.s) / along.s);
  for (int i = 0; i < 20 && length > 1e-7; ++i) {
    Point next;
    const Correction correction = solve_on_arc(from, along, length, next);
    result_.wasted += correction.iterations;
    if (!correction.converged()) {
      length /= 4;
      continue;
    }
    Direction beyond = direction_of(next);
    if (product(beyond, along) < 0) {
      beyond.z *= -1;
      beyond.s *= -1;
    }
    if (beyond.s < 0) return true;
    from = std::move(next);
    along = std::move(beyond);
    length *= 2;
  }
  return false;
}

bool Path::reach_full_load(const Point& from, const Direction& along, double length, const Point& beyond) {
  Point near;
  Point last;
  last.s = 1;
  const Correction first = solve_on_arc(from, along, length * (1 - from.s) / (beyond.s - from.s), near);
  const Correction correction = solve_at(equations_, first.converged() ? near.q : beyond.q, 1, last.q);
  if (!correction.converged() || !set_tangent(last)) return false;
  accept(std::move(last), first.iterations + correction.iterations, true);
  return true;
}

void Path::follow_by_arc_length() {
  // between directions of one point and the next, rad
  constexpr double most_angle = 0.5;
  constexpr double small_angle = 0.15;
  constexpr double smallest = 1e-7;
  constexpr double first_load_step = 0.1;
  Direction along = direction_of(here_);
  double length = std::min(settings_.first_step, first_load_step) / along.s;
  while (here_.s < 1) {
    if (stopped()) return;
    if (std::abs(along.s) * length > settings_.largest_step) length = settings_.largest_step / std::abs(along.s);
    Point next;
    const Correction correction = solve_on_arc(here_, along, length, next);
    Direction beyond;
    double angle = 0;
    if (correction.converged()) {
      beyond = direction_of(next);
      if (product(beyond, along) < 0) {
        beyond.z *= -1;
        beyond.s *= -1;
      }
      angle = std::acos(std::min(1.0, product(beyond, along)));
    }
    if (!correction.converged() || angle > most_angle) {
      result_.wasted += correction.iterations;
      length /= 2;
      if (length < smallest) return explain(correction);
      continue;
    }
    if (beyond.s * along.s < 0) tell_limit_point(here_, along, length, beyond.s);
    if (next.s >= 1) {
      if (reach_full_load(here_, along, length, next)) return;
      length /= 2;
      if (length < smallest) return explain(correction);
      continue;
    }
    accept(std::move(next), correction.iterations, false);
    along = std::move(beyond);
    if (angle < small_angle && correction.iterations <= 4)
      length *= 2;
    else if (angle < 0.6 * most_angle && correction.iterations <= 6)
      length *= 1.3;
  }
}

}  // namespace polhode::analyses
