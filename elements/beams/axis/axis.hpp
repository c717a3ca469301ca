// SPDX-License-Identifier: BSD-3-Clause
// The axis of a beam in the initial configuration: straight, an arc of a circle, a polyline or a spline, by its length.
#pragma once
#include <vector>

#include "polhode/math/types.hpp"

namespace polhode::elements {

using math::Vec3;

// A curve in the inertial frame (m), from the beam's first end to its last, parametrized by the part of its length, 0
// ... 1. It is made while the deck is read and never changes. Nothing here throws or reports: read_layout has checked
// before that neighboring points differ and that the points of an arc are not in line.
class Axis {
 public:
  // One straight line: a polyline of two points.
  static Axis straight(const Vec3& from, const Vec3& to) { return polyline({from, to}); }
  // The arc of the circle through three points that are not in line.
  static Axis arc(const Vec3& from, const Vec3& through, const Vec3& to);
  // Straight pieces through the points in their order, two points at least; each point between is a corner.
  static Axis polyline(std::vector<Vec3> points);
  // The natural cubic spline through the points over the sums of their distances.
  static Axis spline(std::vector<Vec3> points);

  // Length of the whole curve, m.
  double length() const { return ends_.back(); }
  // Point of the curve, m; both ends are met to the last bit. A part beyond 0 ... 1 counts as the end there.
  Vec3 position(double part) const;
  // Direction of the curve there, of unit length, towards its end; at a corner that of the piece that follows.
  Vec3 tangent(double part) const;
  // True for one straight line; a polyline with points between counts as bent, even where these stand in line.
  bool is_straight() const { return form_ == Form::lines && corners_.empty(); }
  // Parts at which straight pieces meet, so that the tangent may jump there; ascending, none for arcs and splines.
  const std::vector<double>& corners() const { return corners_; }

 private:
  // How position and tangent follow from the piece's parameter u = 0 ... 1 (h: distance of the piece's points):
  //   lines    x = x_i + u (x_(i+1) - x_i)
  //   arc      x = center + cos(u angle) radius + sin(u angle) across; one piece
  //   spline   as lines, and h^2/6 ((u^3 - u) b_(i+1) + ((1 - u)^3 - (1 - u)) b_i) with the second derivatives b
  enum class Form { lines, arc, spline };
  // Where a part of the length lies.
  struct Place {
    std::size_t piece;
    // Parameter u of the piece; of a spline not proportional to its length.
    double at;
  };
  // The piece and its parameter; of a spline by Newton's method on the length up to u.
  Place place(double part) const;
  // Derivative of a spline's position by u, m.
  Vec3 slope(std::size_t piece, double at) const;
  // Length of a piece of a spline between two parameters, m, by 32 Gauss points.
  double length_of(std::size_t piece, double from, double to) const;

  Form form_ = Form::lines;
  // m, inertial; of an arc only its ends.
  std::vector<Vec3> points_;
  // Second derivatives of the spline at its points by the sum of distances, 1/m.
  std::vector<Vec3> bends_;
  // Distances of neighboring points, m.
  std::vector<double> spans_;
  // Length of the axis up to each point, m; zero first.
  std::vector<double> ends_;
  std::vector<double> corners_;
  // Center of the arc, and two vectors from it of the length of its radius, at right angles: inertial, m.
  Vec3 centre_ = Vec3::Zero();
  Vec3 radius_ = Vec3::Zero();
  Vec3 across_ = Vec3::Zero();
  // Angle of the arc at its center, rad, 0 ... 2 pi.
  double angle_ = 0;
};

}  // namespace polhode::elements
