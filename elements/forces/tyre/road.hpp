// SPDX-License-Identifier: BSD-3-Clause
// The height of a road along x, as the center of a wheel sees it: smooth and tabulated heights are followed below the
// center; half cylinders that lie across the road are rolled over by a rigid disk.
//
//   base    b(x) = height(x) + profile(x)
//   bump    b(x_b) + sqrt((R + r)^2 - (x - x_b)^2) - R   for |x - x_b| < R + r
// A disk of radius R that touches a cylinder of radius r has its center at the distance R + r from the cylinder's axis.
// The road is the highest of these. Where the disk touches the bump its slope jumps, on level ground by
// sqrt(r (2 R + r))/R at the distance sqrt(r (2 R + r)) from the axis.
#pragma once
#include <optional>
#include <vector>

#include "polhode/model/function.hpp"

namespace polhode::elements {

// All lengths in m. Bumps stand on the base height at their own axis, which is found once.
class Road {
 public:
  // `height` is a function of x, `profile` is added to it; `bumps` are the x of their axes.
  Road(model::TimeFunction height, std::optional<model::Table> profile, std::vector<double> bumps, double bump_radius,
       double wheel_radius);
  // The first bump that has no finite height to stand on, by its place.
  std::optional<double> bump_on_nothing() const;
  // Height, slope and curvature at x; allocates nothing.
  // Value in m, first derivative without unit, second in 1/m, all by x. Allocates nothing.
  model::Jet operator()(double x) const;

 private:
  struct Bump {
    double x;     // m
    double base;  // m
  };
  // b(x), without bumps.
  model::Jet base(double x) const;

  // Its variable is x, not time.
  model::TimeFunction height_;
  std::optional<model::Table> profile_;
  std::vector<Bump> bumps_;
  // m; distance: of the centers of wheel and bump that touch
  // R; R + r
  double wheel_radius_;
  double distance_;
};

}  // namespace polhode::elements
