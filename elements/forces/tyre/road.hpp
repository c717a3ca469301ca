// SPDX-License-Identifier: BSD-3-Clause
// The height of a road along x, as the centre of a wheel sees it: smooth and tabulated heights are followed below the
// centre; half cylinders that lie across the road are rolled over by a rigid disc.
//
//   base    b(x) = height(x) + profile(x)
//   bump    b(x_b) + sqrt((R + r)^2 - (x - x_b)^2) - R   for |x - x_b| < sqrt(r (2 R + r))
// A disc of radius R that touches a cylinder of radius r has its centre at the distance R + r from the cylinder's axis.
// The road is the highest of these; its slope jumps by sqrt(r (2 R + r))/R where the disc touches the bump.
#pragma once
#include <optional>
#include <vector>

#include "polhode/model/function.hpp"

namespace polhode::elements {

class Road {
 public:
  Road(model::TimeFunction height, std::optional<model::Table> profile, std::vector<double> bumps, double bump_radius,
       double wheel_radius);
  // The first bump that has no finite height to stand on, by its place.
  std::optional<double> bump_on_nothing() const;
  // Height, slope and curvature at x; allocates nothing.
  model::Jet operator()(double x) const;

 private:
  struct Bump {
    double x;     // m
    double base;  // m
  };
  model::Jet base(double x) const;

  model::TimeFunction height_;  // its variable is x
  std::optional<model::Table> profile_;
  std::vector<Bump> bumps_;
  // m; distance: of the centres of wheel and bump that touch
  double wheel_radius_;
  double distance_;
  double reach_;
};

}  // namespace polhode::elements
