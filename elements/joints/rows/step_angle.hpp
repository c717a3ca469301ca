// SPDX-License-Identifier: BSD-3-Clause
// An angle over a step of a structure-preserving method (polhode/model/discrete.hpp): its change, and the spatial row
// of which this is the work.
//
// Angles of two bodies are phi = atan2(y, x), with x and y sums of dot products of markers: quadratic, so their mean
// rows have Gx dxi = x+ - x, Gy dxi = y+ - y. With S = x y+ - y x+ and C = x x+ + y y+ the step turns by
// atan2(S, C), less than half a turn, and S = xbar (y+ - y) - ybar (x+ - x): the discrete gradient
//   D = kappa (xbar Gy - ybar Gx),   kappa = (phi+ - phi)/S = f/(r r+),   f(a) = a/sin a,   r^2 = x^2 + y^2
// has D dxi = phi+ - phi for any motion of both bodies, nothing to divide by where the angle rests, and as it is made
// of dot rows neither force nor resultant moment.
#pragma once
#include "elements/joints/rows/mean_rows.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements {

// xi: the motion of both nodes over the step, as the spatial rows of discrete.hpp multiply it.
using PairStep = model::ElementStep<2>;

// A coordinate s of a pair over a step.
struct StepCoordinate {
  // s+ - s, rad or m
  double change;
  // Spatial row with row dxi = s+ - s, whatever the motion
  rows::MeanRow row;
  // ds+ = by_end (dx+, dtheta+)
  rows::MeanRow by_end;
};

// Made for one step and one pair, of which it keeps a reference; allocates nothing. The angle turns by less than half a
// turn in a step, else the change is that less a whole turn.
class StepAngle {
 public:
  // The dot product of a vector of a's frame and one of b's frame.
  struct Dot {
    Vec3 c_a;
    Vec3 c_b;
  };
  // x or y as a sum of one or two dot products.
  struct Dots {
    std::array<Dot, 2> dots;
    std::size_t count;
  };
  // The angle atan2(y, x) of these sums.
  StepAngle(const Dots& x, const Dots& y, const PairStep& s);
  // Of the joint's angle, about the third axis of its markers.
  StepAngle(const Markers& d, const PairStep& s);

  // Change in rad, row and derivative by the end.
  const StepCoordinate& coordinate() const { return coordinate_; }
  // K += factor D(row^T), by the end of the step.
  void add_tangent_to(double factor, PairBlock& K) const;

 private:
  const PairStep& s_;
  Dots x_;
  Dots y_;
  // Means of x and y, kappa, and spatial rows: gx_mean_, gy_mean_ at the mean, gx_, gy_ at the end, by_kappa_ = D
  // kappa.
  double x_mean_;
  double y_mean_;
  double kappa_;
  rows::MeanRow gx_mean_;
  rows::MeanRow gy_mean_;
  rows::MeanRow gx_;
  rows::MeanRow gy_;
  rows::MeanRow by_kappa_;
  StepCoordinate coordinate_;
};

}  // namespace polhode::elements
