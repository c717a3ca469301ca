// SPDX-License-Identifier: BSD-3-Clause
// The distance of two points and its derivatives.
#include "elements/forces/spring_damper/point_distance.hpp"

#include <cmath>

namespace polhode::elements {

using math::Mat3;
using math::tilde;
using math::Vec3;

// Smooth at zero: with epsilon the length has a gradient even where the points meet.
double PointDistance::length(const Nodes& n) const {
  return std::sqrt(difference(n).squaredNorm() + epsilon * epsilon);
}

// J^T n of the header, moments in the nodes' frames.
PointDistance::Gradient PointDistance::gradient(const Nodes& n) const {
  const Vec3 e = difference(n) / length(n);
  Gradient g;
  g << -e, -s_a.cross(n[0].R.transpose() * e), e, s_b.cross(n[1].R.transpose() * e);
  return g;
}

// dn = (I - n n^T)/l dd turns the line of action; the second part, on the diagonal,
// turns the levers below it.
PointDistance::Block PointDistance::gradient_tangent(const Nodes& n) const {
  const double l = length(n);
  const Vec3 e = difference(n) / l;
  math::Mat<3, 12> J;
  J << -Mat3::Identity(), math::cross_right(n[0].R, s_a), Mat3::Identity(), -math::cross_right(n[1].R, s_b);
  const Mat3 P = (Mat3::Identity() - e * e.transpose()) / l;
  Block G;
  G.noalias() = J.transpose() * (P * J);
  G.block<3, 3>(3, 3) -= tilde(s_a) * tilde(n[0].R.transpose() * e);
  G.block<3, 3>(9, 9) += tilde(s_b) * tilde(n[1].R.transpose() * e);
  return G;
}

}  // namespace polhode::elements
