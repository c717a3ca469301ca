// SPDX-License-Identifier: BSD-3-Clause
// The pose of a frame of b relative to a frame of a, in six numbers e, with e's gradient and its derivative.
//
// Frames Q_a = R_a E_a, Q_b = R_b E_b at points p_a, p_b. Relative rotation vector psi = log(Q_a^T Q_b), continued
// beyond half a turn from what it was; the frame half-way Q_m = Q_a exp(psi/2); d = p_b - p_a:
//   e = [y; psi],  y = Q_m^T d
// In the variations z = (dd, dTheta_a, dTheta_b), rotations in the frames Q_a, Q_b (elements/beams/beam/beam.md):
//   dTheta_m = A^T dTheta_a + A dTheta_b,   A = (I + tau psi~)/2        of the frame half-way
//   dpsi = T^-1 dTheta_b - T^-T dTheta_a,   T = T(psi)
//   dy = Q_m^T dd + y~ dTheta_m
// a and b stand alike: with a and b exchanged e changes its sign alone, where a frame fixed to a would tilt with it.
#pragma once
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements {

// Made for one configuration, of which it keeps references; allocates nothing. Of rotations below 0.1 rad `previous`
// does not count: the other rotation vector is nearly a whole turn, where T^-1 has no value.
class RelativePose {
 public:
  // `previous`: the relative rotation vector of the last accepted state; the one nearest to it is taken.
  RelativePose(const Markers& d, const PairNodes& n, const Vec3& previous);

  // [y; psi], m and rad.
  const math::Vec6& e() const { return e_; }
  Vec3 psi() const { return e_.tail<3>(); }
  // edot = gradient . v, the columns as in rows.hpp.
  Mat<6, 12> gradient() const { return B_ * J_; }
  // D_q (gradient^T s) with s held, 12 x 12.
  PairBlock gradient_tangent(const math::Vec6& s) const;
  // Q_m: the frame half-way to inertial.
  const Mat3& frame() const { return Q_m_; }

 private:
  const Markers& d_;
  const PairNodes& n_;
  math::Vec6 e_;
  Mat3 Q_m_;
  Mat3 A_;
  Mat3 T_inverse_;
  math::so3::InverseCoefficients inverse_;
  math::so3::HalfwayCoefficients halfway_;
  // e by z, and z by the nodes' variations
  Mat<6, 9> B_;
  Mat<9, 12> J_;  // z by the nodes' variations
};

}  // namespace polhode::elements
