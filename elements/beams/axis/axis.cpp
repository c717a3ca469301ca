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

Axis Axis::arc(const Vec3& from, const Vec3& through, const Vec3& to) {
  Axis axis;
  axis.form_ = Form::arc;
  axis.points_ = {from, to};
  const Vec3 a = through - from;
  const Vec3 b = to - from;
  const Vec3 normal = a.cross(b);
  // Centre of the circle around the triangle.
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

Axis Axis::spline(std::vector<Vec3> points) {
  Axis axis = polyline(std::move(points));
  axis.form_ = Form::spline;
  axis.corners_.clear();
  axis.bends_ = spline_bends(axis.points_, axis.spans_);
  for (std::size_t i = 0; i < axis.spans_.size(); ++i) axis.ends_[i + 1] = axis.ends_[i] + axis.length_of(i, 0, 1);
  return axis;
}

Vec3 Axis::slope(std::size_t i, double at) const {
  const double h2 = spans_[i] * spans_[i] / 6;
  const double rest = 1 - at;
  return points_[i + 1] - points_[i] + h2 * ((3 * at * at - 1) * bends_[i + 1] - (3 * rest * rest - 1) * bends_[i]);
}

double Axis::length_of(std::size_t piece, double from, double to) const {
  static const spectral::Quadrature rule = spectral::gauss(32);
  double sum = 0;
  for (std::size_t g = 0; g < rule.points.size(); ++g)
    sum += 0.5 * (to - from) * rule.weights[g] * slope(piece, from + 0.5 * (to - from) * (1 + rule.points[g])).norm();
  return sum;
}

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
