// SPDX-License-Identifier: BSD-3-Clause
// Positions and tangents of a beam's axis by the part of its length.
#include "elements/beams/axis/axis.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "elements/beams/spectral/quadrature.hpp"

namespace polhode::elements {
namespace {

// Second derivatives of the natural cubic spline through points at distances h, by Thomas' elimination:
// h_(i-1) b_(i-1) + 2 (h_(i-1) + h_i) b_i + h_i b_(i+1) = 6 (slope_i - slope_(i-1)).
// Natural: the second derivatives at both ends are zero, so that the first and last rows drop out.
// Pivots are at least h_(i-1) + 2 h_i, as the matrix is diagonally dominant.
std::vector<Vec3> spline_bends(const std::vector<Vec3>& x, const std::vector<double>& h) {
  const std::size_t n = x.size();
  std::vector<Vec3> b(n, Vec3::Zero());
  std::vector<double> factor(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vec3 rhs = 6 * ((x[i + 1] - x[i]) / h[i] - (x[i] - x[i - 1]) / h[i - 1]);
    const double pivot = 2 * (h[i - 1] + h[i]) - h[i - 1] * factor[i - 1];
    factor[i] = h[i] / pivot;
    b[i] = (rhs - h[i - 1] * b[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) b[i] -= factor[i] * b[i + 1];
  return b;
}

}  // namespace

// The axis is center + cos(angle) radius + sin(angle) across, angle from 0 at `from`,
// with `across` a quarter turn ahead of `radius` in the sense from `from` over `through` to `to`.
// Seen that way `to` is between 0 and a whole turn on.
Axis Axis::arc(const Vec3& from, const Vec3& through, const Vec3& to) {
  Axis axis;
  axis.form_ = Form::arc;
  axis.points_ = {from, to};
  const Vec3 a = through - from;
  const Vec3 b = to - from;
  const Vec3 normal = a.cross(b);
  // Center of the circle around the triangle, from two squares of lengths and the normal of its plane.
  axis.centre_ =
      from + (b.squaredNorm() * normal.cross(a) + a.squaredNorm() * b.cross(normal)) / (2 * normal.squaredNorm());
  axis.radius_ = from - axis.centre_;
  axis.across_ = normal.normalized().cross(axis.radius_);
  const auto angle_to = [&](const Vec3& x) {
    const double angle = std::atan2((x - axis.centre_).dot(axis.across_), (x - axis.centre_).dot(axis.radius_));
    return angle < 0 ? angle + 2 * std::numbers::pi : angle;
  };
  axis.angle_ = angle_to(to);
  axis.ends_ = {0, axis.angle_ * axis.radius_.norm()};
  return axis;
}

// Pieces with their lengths summed up. Parts of the whole length at inner points are corners;
// a line of two points has none, and is straight.
Axis Axis::polyline(std::vector<Vec3> points) {
  Axis axis;
  axis.points_ = std::move(points);
  axis.ends_ = {0};
  for (std::size_t i = 0; i + 1 < axis.points_.size(); ++i) {
    axis.spans_.push_back((axis.points_[i + 1] - axis.points_[i]).norm());
    axis.ends_.push_back(axis.ends_.back() + axis.spans_.back());
  }
  for (std::size_t i = 1; i + 1 < axis.ends_.size(); ++i) axis.corners_.push_back(axis.ends_[i] / axis.length());
  return axis;
}

// A spline over the sums of the distances of its points: parameters close to the length of arc keep it from
// loops where distances differ. Its curvature is continuous, so it has no corners;
// the lengths of its pieces are integrals and replace the distances.
Axis Axis::spline(std::vector<Vec3> points) {
  Axis axis = polyline(std::move(points));
  axis.form_ = Form::spline;
  axis.corners_.clear();
  axis.bends_ = spline_bends(axis.points_, axis.spans_);
  for (std::size_t i = 0; i < axis.spans_.size(); ++i) axis.ends_[i + 1] = axis.ends_[i] + axis.length_of(i, 0, 1);
  return axis;
}

// Piece i with t from 0 to 1: x = x_i + t (x_(i+1) - x_i) + h^2/6 ((t^3 - t) b_(i+1) + ((1-t)^3 - (1-t))
// b_i). This is its derivative by t; its norm is the length per unit of t.
Vec3 Axis::slope(std::size_t i, double at) const {
  const double h2 = spans_[i] * spans_[i] / 6;
  const double rest = 1 - at;
  return points_[i + 1] - points_[i] + h2 * ((3 * at * at - 1) * bends_[i + 1] - (3 * rest * rest - 1) * bends_[i]);
}

// The root of a polynomial has no integral in closed form; Gauss points sum it up,
// more of them than the pieces of a beam need.
double Axis::length_of(std::size_t piece, double from, double to) const {
  static const spectral::Quadrature rule = spectral::gauss(32);
  double sum = 0;
  for (std::size_t g = 0; g < rule.points.size(); ++g)
    sum += 0.5 * (to - from) * rule.weights[g] * slope(piece, from + 0.5 * (to - from) * (1 + rule.points[g])).norm();
  return sum;
}

// By length, not by parameter: elements of one beam have equal lengths. A part at a corner belongs to the
// piece behind it; Newton's iteration for splines is safe, since length grows with the parameter.
Axis::Place Axis::place(double part) const {
  const double s = std::clamp(part, 0.0, 1.0) * length();
  std::size_t piece = 0;
  while (piece + 2 < ends_.size() && s >= ends_[piece + 1]) ++piece;
  const double inside = s - ends_[piece];
  const double whole = ends_[piece + 1] - ends_[piece];
  double at = inside / whole;
  if (form_ == Form::spline && at > 0 && at < 1)
    for (int i = 0; i < 20; ++i) {  // Newton on the length up to `at`
      const double step = (inside - length_of(piece, 0, at)) / slope(piece, at).norm();
      at = std::clamp(at + step, 0.0, 1.0);
      if (std::abs(step) < 1e-15) break;
    }
  return {piece, at};
}

// At ends of pieces the points of the deck themselves, without round-off: nodes that stand there join
// others.
Vec3 Axis::position(double part) const {
  const auto [i, at] = place(part);
  if (at == 0) return points_[i];
  if (at == 1) return points_[i + 1];
  if (form_ == Form::arc) return centre_ + std::cos(at * angle_) * radius_ + std::sin(at * angle_) * across_;
  Vec3 x = points_[i] + at * (points_[i + 1] - points_[i]);
  if (form_ == Form::spline) {
    const double h2 = spans_[i] * spans_[i] / 6;
    const double rest = 1 - at;
    x += h2 * ((at * at * at - at) * bends_[i + 1] + (rest * rest * rest - rest) * bends_[i]);
  }
  return x;
}

Vec3 Axis::tangent(double part) const {
  const auto [i, at] = place(part);
  if (form_ == Form::arc) return (std::cos(at * angle_) * across_ - std::sin(at * angle_) * radius_).normalized();
  if (form_ == Form::spline) return slope(i, at).normalized();
  return (points_[i + 1] - points_[i]).normalized();
}

}  // namespace polhode::elements
