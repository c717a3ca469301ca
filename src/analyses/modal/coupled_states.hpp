// SPDX-License-Identifier: BSD-3-Clause
// States s of signals beside motions y, a few of them beside very many:
//
//   (lambda^2 M + lambda C + K) y + B^T mu = F s,   B y = 0,   lambda s = Z s + (W_y + lambda W_v) y.
//
// Those that no force follows are dropped: they follow the motions, and change none. Each state counts by a size of
// its own, that of what a unit of motion makes of it, so that vectors [y; y'; s] have parts of one size.
#pragma once
#include <Eigen/LU>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "shifted_inverse.hpp"

namespace polhode::analyses {

using math::MatrixX;

class CoupledStates {
 public:
  // Of a model that has them, about a steady rotation if there is one.
  CoupledStates(const LinearModel& made, const std::optional<Rotation>& rotation);

  Eigen::Index count() const { return force_.cols(); }
  // For solutions with the shift s > 0, which `inverse` is factorized for. False if it is an eigenvalue.
  bool factorize(const ShiftedInverse& inverse, double shift);
  // Of (A - s E) [y; y'; s] = E [b; .; bs]: y without the force of s becomes y, and s is set.
  void couple(const double* b, const double* bs, double* y, double* s) const;

 private:
  void choose_sizes(double shift, const VectorX& metric);

  MatrixX force_;     // F, k x states
  MatrixX by_state_;  // Z
  // W_y, W_v: states x k
  MatrixX by_position_;
  MatrixX by_velocity_;
  // Of the shift: W_y + s W_v; P^-1 F; the matrix of s that is left of both
  MatrixX by_motion_;
  MatrixX answer_;
  Eigen::PartialPivLU<MatrixX> left_;
  bool has_sizes_ = false;
  mutable VectorX rest_;
};

}  // namespace polhode::analyses
