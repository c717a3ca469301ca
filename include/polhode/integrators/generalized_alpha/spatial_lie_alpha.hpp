// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method in the spatial frame (Kynema, Algorithm 1): velocities of rotations are omega = R
// Omega, and increments multiply from the left,
//
//   R_{n+1} = exp(h Dq_n) R_n,   omega, omegadot, a and h Dq_n in inertial components,
//
// with the formulas (30) to (32) of BCA12. Written here in the frame that the node has at the begin of the step, where
// psi = R_n^T h Dq_n, w = R_n^T omega and so on, with E = exp(psi):
//
//   R_{n+1} = R_n E,   Omega_{n+1} = E^T w_{n+1},   Omegadot_{n+1} = E^T wdot_{n+1}
//
// The increment psi is then the one of the body frame. The iteration matrix has the turn dTheta of the node in its own
// frame as its unknown, dpsi = T^-1 dTheta, so that K and B take no matrices as factors, and M and C one each. Derivatives
// of (vdot, v, q) by dTheta, since dE = E dTheta~ and E^T T^-1 = T^-T:
//   F_m = beta' T^-T + Omegadot~,  F_c = gamma' T^-T + Omega~,  F_k = I.
// State::memory holds a_{n+1} in the frame of the node at the end of the step, E^T a, as v and vdot are.
#pragma once
#include "polhode/integrators/generalized_alpha/lie_alpha.hpp"
#include "polhode/math/motion_registers.hpp"

namespace polhode::integrators {

class SpatialLieAlpha final : public LieAlpha {
 public:
  // As LieAlpha.
  SpatialLieAlpha(const AlphaParameters& parameters, const math::IndexLots& nodes, bool index2 = false)
      : LieAlpha(parameters, nodes, index2),
        v_(nodes.count(), Vec6::Zero()),
        vdot_(v_),
        E_(nodes.count(), math::so3::Quaternion::Identity()),
        linearized_(nodes.count(), math::Mat<4>::Zero()),
        F_m_(nodes.count(), Mat3::Identity()),
        F_c_(F_m_) {}
  void predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) override;
  void update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) override;
  Factors factors(const State& next) override;
  std::span<const math::so3::Quaternion> turns() const override { return E_; }
  void to_increments(std::span<Vec6> x) const override;
  // The unknown is that already.
  void to_turns(const State&, std::span<Vec6>) override {}
  void finish(const State& old, State& next) override;
  Offsets offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;
  // In the frame at the begin of the step. The bracket has the opposite sign of that of the body frame, and the rate of
  // omegadot is Omegaddot + Omega x Omegadot.
  Vec6 local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;

 private:
  // Eq. (29) for a node, and its velocities and accelerations from those in the frame of the begin.
  [[gnu::always_inline]] inline void move_to(std::size_t node, const State& old, const math::MotionRegisters& v,
                                             const math::MotionRegisters& vdot, State& next);

  // [u; w] and [udot; wdot] by node
  std::vector<Vec6> v_;
  std::vector<Vec6> vdot_;
  // E of the last configuration
  std::vector<math::so3::Quaternion> E_;
  // (eta, psi) by node: T^-1 = I + psi~/2 + eta psi~ psi~ of the last factors
  std::vector<math::Mat<4>> linearized_;
  std::vector<Mat3> F_m_;
  std::vector<Mat3> F_c_;
};

}  // namespace polhode::integrators
