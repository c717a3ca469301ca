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
// The unknown increment psi is then the one of the body frame, and so is the right factor of K and B. Derivatives of
// (vdot, v, q) by psi, since dE = E (T dpsi)~:
//   F_m = beta' E^T + Omegadot~ T,  F_c = gamma' E^T + Omega~ T,  F_k = T(psi).
// State::memory holds a_{n+1} in the frame of the node at the end of the step, E^T a, as v and vdot are.
#pragma once
#include "polhode/integrators/generalized_alpha/lie_alpha.hpp"

namespace polhode::integrators {

class SpatialLieAlpha final : public LieAlpha {
 public:
  // As LieAlpha.
  SpatialLieAlpha(const AlphaParameters& parameters, std::size_t nodes, bool index2 = false)
      : LieAlpha(parameters, nodes, index2),
        w_(nodes, Vec3::Zero()),
        wdot_(w_),
        E_transposed_(nodes, Mat3::Identity()),
        F_m_(E_transposed_),
        F_c_(E_transposed_),
        turned_m_(index2 ? E_transposed_ : std::vector<Mat3>()),
        turned_c_(turned_m_) {}
  void predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) override;
  void update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) override;
  Factors factors() override;
  Factors dynamic_factors() override;
  void finish(const State& old, State& next) override;
  Offsets offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;
  // In the frame at the begin of the step. The bracket has the opposite sign of that of the body frame, and the rate of
  // omegadot is Omegaddot + Omega x Omegadot.
  Vec6 local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;

 private:
  // From w and wdot, which stand in v and vdot of rotations, to Omega and Omegadot; keeps both.
  void turn(State& next);

  // rad/s and rad/s^2, by node, in the frame of the begin of the step
  std::vector<Vec3> w_;
  std::vector<Vec3> wdot_;
  std::vector<Mat3> E_transposed_;
  std::vector<Mat3> F_m_;
  std::vector<Mat3> F_c_;
  // beta' E^T and gamma' E^T, of index 2 alone
  std::vector<Mat3> turned_m_;
  std::vector<Mat3> turned_c_;
};

}  // namespace polhode::integrators
