// SPDX-License-Identifier: BSD-3-Clause
// Frames of one axis and of two.
#include "polhode/model/joint_axes.hpp"

#include <Eigen/Geometry>

#include "polhode/model/catalog.hpp"

namespace polhode::model {

using math::Mat3;
using math::Vec3;

// The first axis is the inertial axis that is most nearly normal to `axis`, made normal to it:
// the smallest component of n belongs to the axis with the largest part across n, so nothing cancels.
// It depends on the deck alone, not on the nodes.
math::Mat3 axes_along(const math::Vec3& axis) {
  if (axis.isZero(0)) return Mat3::Identity();
  const Vec3 n = axis.normalized();
  Eigen::Index smallest;
  n.cwiseAbs().minCoeff(&smallest);
  const Vec3 t1 = (Vec3::Unit(smallest) - n[smallest] * n).normalized();
  Mat3 E;
  E << t1, n.cross(t1), n;
  return E;
}

math::Mat3 axes_of_cross(const math::MatrixX& axes) {
  const Vec3 u = Vec3(axes.col(0)).normalized();
  const Vec3 v = Vec3(axes.col(1)).normalized();
  Mat3 E;
  E << u, (v - u.dot(v) * u).normalized(), u.cross(v).normalized();
  return E;
}

math::Mat3 joint_axes(const Entry& entry) {
  if (entry.has("axes")) return axes_of_cross(entry.matrix("axes"));
  return entry.has("axis") ? axes_along(entry.vector3("axis")) : Mat3(Mat3::Identity());
}

}  // namespace polhode::model
