// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints: [ M B^T ; B 0 ] [ x ; mu ] = [ f ; d ].
//
// Serves consistent accelerations (f = -g, d = -Gamma), and corrections of positions and velocities that restore the
// constraints with the least change in the norm of M (f = 0).
//
// Rows of B have no unit of mass: where M is far smaller than they are, pivots are small though nothing is singular. So
// a matrix that comes out singular is scaled, and tried once more: S A S y = S b, x = S y, with S of the inertia of each
// node, of its translations and its rotations apart, such that M and B M^-1 B^T have diagonals near one. Where arms are
// long for the inertia of their bodies, that compares rotations alone; what is singular then is decided in units of the
// largest mass, as of a model of 1 kg.
#pragma once
#include <optional>

#include "polhode/assembly/constraint_rank.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

class Saddle {
 public:
  // Keeps a reference to the system; allocates all that the functions need, but for pivots of KLU.
  explicit Saddle(const System& system);
  // The matrix at q, not yet factorized; dropped constraint equations have rows of the identity.
  const SparseMatrix& set_matrix(const State& q);
  // False if singular, whatever the units.
  bool factorize(const State& q);
  // In place, [f; d] -> [x; mu], with the last factorization.
  void solve(VectorX& vector);
  // Accelerations and multipliers at the state that was factorized: [vdot; lambda] of [-g; -Gamma], with Gamma of
  // System::set_rates. False if they are not finite.
  [[nodiscard]] bool set_accelerations(State& q, const VectorX& gamma);
  int singular_column() const { return solver_->singular_column(); }
  double smallest_pivot_ratio() const { return solver_->smallest_pivot_ratio(); }

 private:
  // What the matrix is multiplied by from both sides: nothing; each unknown and row by its own inertia; all of them by
  // the largest mass, which leaves a model as it is in units of that mass.
  enum class Scaling { none, own, common };
  bool factorize_scaled(const State& q);
  void scale_matrix();
  void set_common_scale();
  void set_scale_of_nodes();
  void set_scale_of_rows();
  void set_scale_without_inertia();

  const System& system_;
  SparseMatrix matrix_;
  std::optional<LinearSolver> solver_;
  Residual residual_;
  VectorX vector_;
  // Diagonal of S, powers of two.
  VectorX scale_;
  // That of the last matrix; the next ones begin with it
  Scaling scaling_ = Scaling::none;
};

}  // namespace polhode::assembly
