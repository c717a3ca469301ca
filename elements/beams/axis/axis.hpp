// SPDX-License-Identifier: BSD-3-Clause
// The axis of a beam in the initial configuration: straight, an arc of a circle, a polyline or a spline, by its length.
#pragma once
#include <vector>

#include "polhode/math/types.hpp"

namespace polhode::elements {

using math::Vec3;

class Axis {
 public:
  static Axis straight(const Vec3& from, const Vec3& to) { return polyline({from, to}); }
  // The arc of the circle through three points that are not in line.
  static Axis arc(const Vec3& from, const Vec3& through, const Vec3& to);
  static Axis polyline(std::vector<Vec3> points);
  // The natural cubic spline through the points over the sums of their distances.
  static Axis spline(std::vector<Vec3> points);

  double length() const { return ends_.back(); }  // m
  Vec3 position(double part) const;               // part of the length, 0 ... 1
  Vec3 tangent(double part) const;                // unit length, towards `to`; at a corner that of what follows
  bool is_straight() const { return form_ == Form::lines && corners_.empty(); }
  const std::vector<double>& corners() const { return corners_; }  // parts at which the tangent jumps, ascending

 private:
  enum class Form { lines, arc, spline };
  struct Place {
    std::size_t piece;
    double at;  // 0 ... 1 in the piece's own parameter
  };
  Place place(double part) const;
  Vec3 slope(std::size_t piece, double at) const;  // of the position by the piece's parameter
  double length_of(std::size_t piece, double from, double to) const;

  Form form_ = Form::lines;
  std::vector<Vec3> points_;
  std::vector<Vec3> bends_;           // second derivatives of the spline at its points
  std::vector<double> spans_;         // distances of the points
  std::vector<double> ends_;          // length of the axis up to each point
  std::vector<double> corners_;
  // arc: centre + cos radius + sin across
  Vec3 centre_ = Vec3::Zero();
  Vec3 radius_ = Vec3::Zero();
  Vec3 across_ = Vec3::Zero();
  double angle_ = 0;                                                            // of the arc
};

}  // namespace polhode::elements
