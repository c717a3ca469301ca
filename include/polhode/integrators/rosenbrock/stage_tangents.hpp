// SPDX-License-Identifier: BSD-3-Clause
// Tangents of the equations of motion in a chart about a state q_n, with v = T(theta) thetadot. With
// H = diag(0, Omega~/2) and D2 = diag(0, Omegadot~/2 - Omega~^2/6) from theta = 0:
//   K^ = K + C H + M D2,   Z^ = Z + B H,   A1 = a_q + a_v H + B D2,   a_v = 2 Z^ (B does not depend on time)
// where Z = D_q(B v) and a = B vdot + Gamma. The part of a_q by curvature, D_q Gamma = D_q(Z v), is by the change of Z
// along v: derivatives along left-invariant fields e and v commute but for one along their bracket, which is the turn
// e x Omega, so that D_q Gamma = D_v Z - Z Omega~. And a_v H = 2 Z H = Z Omega~ takes that away again:
//   A1 = D_q(B vdot) + D_v Z + B (D2 + 2 H^2)
#pragma once
#include <functional>
#include <vector>

#include "polhode/integrators/rosenbrock/jacobian_places.hpp"

namespace polhode::integrators {

using model::Mat3;
using model::State;
using model::Vec3;
using model::Vec6;
using model::VectorX;

struct StageTangents {
  explicit StageTangents(const assembly::System& system);

  assembly::SparseMatrix C;
  assembly::SparseMatrix K;   // K^, and B and B^T
  assembly::SparseMatrix Z;   // Z^, in the place of B
  assembly::SparseMatrix A1;  // the same
  VectorX r_t;                // explicit derivatives by time: of forces,
  VectorX Phi_t;              // constraints,
  VectorX b_t;                // their rates,
  VectorX a_t;                // and accelerations
};

class StageLinearization {
 public:
  // Keeps references.
  StageLinearization(const assembly::System& system, const JacobianPlaces& places);

  // At `q`, which is as before when it returns; `h`: s, the step to come, of which differences in time are a small part.
  void linearize(State& q, double h);
  const StageTangents& tangents() const { return tangents_; }
  // Rates of constraints are taken for their explicit derivatives by time; what states of signals do is none.
  void take_from_Phi_t(const VectorX& rates) { tangents_.Phi_t -= rates; }
  // Multiplies what tangents there are of forces and curvature, entry by entry: to try methods that allow for it.
  void disturb(const std::function<double()>& factor);

 private:
  void set_turned_gradient(const std::vector<Mat3>& factors, assembly::SparseMatrix& to) const;
  void add_curvature(const State& q);
  void differentiate_by_time(State& q, double h);

  const assembly::System& system_;
  const JacobianPlaces& places_;
  StageTangents tangents_;
  std::vector<Mat3> H_;
  std::vector<Mat3> D2_;
  std::vector<Mat3> factor_;
  State moved_;
  assembly::Residual residual_;
  VectorX force_;
  VectorX Bv_;
  VectorX phi_t_;
  VectorX gamma_;
};

}  // namespace polhode::integrators
