// SPDX-License-Identifier: BSD-3-Clause
// Steps along the arc, limit points, and the way to full load.
#include "arc_length.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

// Of displacements, weighted, and of the load factor: the norm in which the arc has its length.
double ArcLength::product(const Direction& a, const Direction& b) const {
  return weight_ * weight_ * path_.equations().displacements().product(a.z, b.z) + a.s * b.s;
}

// (dz/ds, 1) over its length.
ArcLength::Direction ArcLength::direction_at(const Path::Point& point) const {
  Direction direction{point.tangent, 1};
  const double length = std::sqrt(product(direction, direction));
  direction.z /= length;
  direction.s /= length;
  return direction;
}

// A tangent has two senses; the path goes on in that of the direction before,
// also where ds changes its sign.
ArcLength::Direction ArcLength::direction_like(const Path::Point& point, const Direction& along) const {
  Direction direction = direction_at(point);
  if (product(direction, along) < 0) {
    direction.z *= -1;
    direction.s *= -1;
  }
  return direction;
}

// d = -A^-1 R + ds dz/ds with ds such that d is normal to the direction: the bordered system by two
// solutions with the same factors, which stay regular at limit points of s.
ArcLength::Direction ArcLength::correction(const Path::Point& to, const Direction& along) {
  Direction d;
  Direction tangent;
  tangent.s = 1;
  path_.equations().set_correction(d.z);
  path_.equations().set_tangent(to.q, to.s, tangent.z);
  // From along . (d + ds tangent) = 0.
  const double ds = -product(along, d) / product(along, tangent);
  d.z += ds * tangent.z;
  d.s = ds;
  return d;
}

// Predictor at `length` along the direction, then corrections within the normal plane.
// A corrector that moves further than the predictor has left the path; turns are summed up,
// since angles of joints are counted by the nearest turn.
Correction ArcLength::solve(const Path::Point& from, const Direction& along, double length, Path::Point& to) {
  constexpr double largest_turned = 2;  // rad: angles of joints are counted by the nearest turn
  Equilibrium& equations = path_.equations();
  const Displacements& sizes = equations.displacements();
  Correction result;
  const auto end = [&](Correction::End reason) {
    result.end = reason;
    return result;
  };
  to.q = from.q;
  to.s = from.s + length * along.s;
  equations.apply(to.q, along.z, length);
  double turned = to.q.history.size() > 0 ? length * sizes.largest_turn(along.z) : 0;
  double before = 0;
  for (;;) {
    if (result.iterations == path_.settings().max_iterations) return end(Correction::End::not_converged);
    if (equations.is_stopped()) return end(Correction::End::interrupted);
    if (!equations.evaluate(to.q, to.s)) return end(Correction::End::diverged);
    if (!equations.linearize(to.q)) return end(Correction::End::singular);
    ++result.iterations;
    const Direction d = correction(to, along);
    if (!d.z.allFinite()) return end(Correction::End::singular);
    // Corrections as long as the step lead to another part of the path.
    if (std::sqrt(product(d, d)) > std::abs(length)) return end(Correction::End::diverged);
    equations.apply(to.q, d.z, 1);
    to.s += d.s;
    if (to.q.history.size() > 0) turned += sizes.largest_turn(d.z);
    const double size = std::max(sizes.largest(d.z), std::abs(d.s));
    const bool round_off = size < 1e-7 && result.iterations > 2 && size > 0.3 * before;
    before = size;
    if (size < path_.settings().tolerance || round_off) break;
  }
  if (turned > largest_turned) return end(Correction::End::turned);
  if (path_.system().mirrored_entry(to.q) >= 0) return end(Correction::End::mirrored);
  result.past = path_.system().past_bound(from.q, to.q);
  if (result.past.found()) return end(Correction::End::past_bound);
  if (!path_.set_tangent(to)) return end(Correction::End::singular);
  path_.system().update_history(to.q);
  return result;
}

// Each trial is an equilibrium at another length from the same point; a trial that fails makes the next one
// a bisection.
void ArcLength::find_limit_point(const Path::Point& from, const Direction& along, double length, double end_slope) {
  // Zero of the slope ds/dl over (0, length), by the Illinois variant of regula falsi.
  double a = 0;
  double b = length;
  double fa = along.s;
  double fb = end_slope;
  Path::Point limit;
  int iterations = 0;
  bool found = false;
  bool halve = false;
  for (int i = 0; i < 10; ++i) {
    // Of the line through both ends, or the middle after a failure.
    const double at = halve ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
    Path::Point trial;
    const Correction correction = solve(from, along, at, trial);
    iterations += correction.iterations;
    if (!correction.converged()) {
      if (halve) break;
      halve = true;
      continue;
    }
    halve = false;
    const double slope = direction_like(trial, along).s;
    limit = std::move(trial);
    found = true;
    if (std::abs(slope) < 1e-6) break;
    if ((slope > 0) == (fb > 0)) {
      b = at;
      fb = slope;
      fa /= 2;
    } else {
      a = at;
      fa = slope;
      fb /= 2;
    }
  }
  path_.record().add_wasted(iterations);
  if (!found) return;
  path_.record().add_limit_load(limit.s);
  path_.record().observe(limit.q, {limit.s, iterations, limit.smallest_pivot, true}, false);
}

// A few steps along the arc from the last equilibrium, off the record: if the load factor falls there,
// load control has met a limit point.
bool ArcLength::turns_back() {
  Path::Point from = path_.here();
  if (!path_.set_tangent(from)) return false;
  Direction along = direction_at(from);
  // s = s_l - c (u - u_l)^2 has its extremum at twice the distance that the tangent gives.
  double length = std::max(1e-5, 3 * (path_.limit_load() - from.s) / along.s);
  for (int i = 0; i < 20 && length > 1e-7; ++i) {
    Path::Point next;
    const Correction correction = solve(from, along, length, next);
    path_.record().add_wasted(correction.iterations);
    if (!correction.converged()) {
      length /= 4;
      continue;
    }
    Direction beyond = direction_like(next, along);
    if (beyond.s < 0) return true;
    from = std::move(next);
    along = std::move(beyond);
    length *= 2;
  }
  return false;
}

// First to about s = 1 along the arc, then by Newton at s = 1 itself.
bool ArcLength::reach_full_load(const Path::Point& from, const Direction& along, double length,
                                const Path::Point& beyond) {
  Path::Point near;
  Path::Point last;
  last.s = 1;
  const Correction first = solve(from, along, length * (1 - from.s) / (beyond.s - from.s), near);
  const Correction correction = solve_at(path_.equations(), first.converged() ? near.q : beyond.q, 1, last.q);
  if (!correction.converged() || !path_.set_tangent(last)) return false;
  path_.accept(std::move(last), first.iterations + correction.iterations, true);
  return true;
}

// The angle between directions controls the length of steps: the path has to be resolved where it curves,
// whatever the number of iterations.
void ArcLength::follow() {
  // between directions of one point and the next, rad
  constexpr double most_angle = 0.5;
  constexpr double small_angle = 0.15;
  constexpr double smallest = 1e-7;
  constexpr double first_load_step = 0.1;
  const StaticSettings& settings = path_.settings();
  Direction& along = along_;
  double& length = length_;
  if (length == 0) {
    along = direction_at(path_.here());
    // The first arc length is that of a first load step.
    length = std::min(settings.first_step, first_load_step) / along.s;
  }
  while (path_.here().s < 1) {
    if (path_.stopped()) return;
    if (std::abs(along.s) * length > settings.largest_step) length = settings.largest_step / std::abs(along.s);
    Path::Point next;
    Correction correction = solve(path_.here(), along, length, next);
    Direction beyond;
    double angle = 0;
    if (correction.converged()) {
      beyond = direction_like(next, along);
      angle = std::acos(std::min(1.0, product(beyond, along)));
    }
    if (correction.converged() && !(angle <= most_angle)) correction.end = Correction::End::off_path;
    bool good = correction.converged();
    if (!good) path_.record().add_wasted(correction.iterations);
    // The load factor has turned within the step.
    if (good && beyond.s * along.s < 0) find_limit_point(path_.here(), along, length, beyond.s);
    if (good && next.s >= 1) {
      if (reach_full_load(path_.here(), along, length, next)) return;
      correction.end = Correction::End::not_converged;
      good = false;
    }
    if (!good) {
      length /= 2;
      if (length < smallest) return path_.explain(correction);
      continue;
    }
    path_.accept(std::move(next), correction.iterations, false);
    along = std::move(beyond);
    // Nearly straight paths take longer steps.
    if (angle < small_angle && correction.iterations <= 4)
      length *= 2;
    else if (angle < 0.6 * most_angle && correction.iterations <= 6)
      length *= 1.3;
    path_.leave_point([this](math::Archive& a) { archive(a); });
  }
}

void ArcLength::take_up(const std::vector<double>& way) {
  math::Archive a(way);
  archive(a);
}

}  // namespace polhode::analyses
