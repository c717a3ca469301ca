// SPDX-License-Identifier: BSD-3-Clause
// States z of signals in the stages of a Radau step, z' = g(z, q, v, t): z_i = z_n + zeta_i with
//   sum d_ij zeta_j / h = g_i.
//
// Newton's equations of zeta and of the increments x of motions fall apart by the eigenvalues f of D/h as those of
// motions alone do (stage_solver.hpp). For each
//   S x + B^T lambda - F zeta = -r,   (f - Z) zeta - W x = rho,   W = W_q + W_v (f + Omega~ of rotations)
// with F the forces of z, Z and W of g, rho the residual g - sum d_ij zeta_j / h. Where g sees accelerations and
// multipliers, W has them, too. Motions answer by X = S^-1 F, and
//   (f - Z - W X) zeta = rho + W x_0,   x = x_0 + X zeta,   x_0 that without states.
#pragma once
#include <Eigen/LU>
#include <complex>
#include <functional>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class RadauSignals {
 public:
  // Keeps a reference.
  explicit RadauSignals(const assembly::System& system)
      : system_(&system), nodal_(system.nodes()), velocity_(system.nodes()), acceleration_(system.nodes()) {}

  bool empty() const { return system_->signals().states() == 0; }
  // S^-1 of real and imaginary part, by the unknowns of the system, in place.
  using Solve = std::function<void(model::VectorX& re, model::VectorX& im)>;
  // F, Z and W at a state that is settled.
  void linearize(const model::State& at);
  // X for f, 1/s, in a system whose rows of forces have that scale. False if zeta has no solution.
  bool factorize(std::complex<double> f, double scale, const Solve& solve);
  // From x_0 to x; rho becomes zeta. Allocates nothing, as filter().
  void couple(Eigen::VectorXcd& rho, model::VectorX& re, model::VectorX& im);
  // (1 - Z/f)^-1 e of the last real f, twice: what an estimate of the error has of states that the step does not
  // resolve.
  void filter(model::VectorX& e);

 private:
  // Sets along_ = W x.
  void set_along(const model::VectorX& re, const model::VectorX& im);

  const assembly::System* system_;
  assembly::SignalLinearization at_;
  std::vector<model::Vec6> nodal_;
  std::vector<model::Vec6> velocity_;
  std::vector<model::Vec6> acceleration_;
  model::VectorX multipliers_;
  std::vector<math::Vec3> Omega_;
  model::MatrixX forces_;  // F by the unknowns of the system, unscaled
  std::complex<double> f_;
  double scale_ = 1;  // of rows of forces, and of multipliers
  // X, real and imaginary part, and f - Z - W X
  model::MatrixX re_;
  model::MatrixX im_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> left_;
  Eigen::PartialPivLU<model::MatrixX> network_;  // 1 - Z/f of the real part of f
  // Of set_along(), and what couple() and filter() solve for
  Eigen::VectorXcd along_;
  model::VectorX part_;
  Eigen::VectorXcd rhs_;
};

}  // namespace polhode::integrators
