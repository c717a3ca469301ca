// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix with the constraints: [ M B^T ; B 0 ] [ x ; mu ] = [ f ; d ].
//
// Serves consistent accelerations (f = -g, d = -Gamma), and corrections of positions and velocities that restore the
// constraints with the least change in the norm of M (f = 0).
#pragma once
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
  // False if singular.
  bool factorize(const State& q);
  // In place, [f; d] -> [x; mu], with the last factorization.
  void solve(VectorX& vector) { solver_.solve(vector); }
  // Accelerations and multipliers at the state that was factorized: [vdot; lambda] of [-g; -Gamma], with Gamma of
  // System::set_rates. False if they are not finite.
  [[nodiscard]] bool set_accelerations(State& q, const VectorX& gamma);
  int singular_column() const { return solver_.singular_column(); }
  double smallest_pivot_ratio() const { return solver_.smallest_pivot_ratio(); }

 private:
  const System& system_;
  SparseMatrix matrix_;
  LinearSolver solver_;
  Residual residual_;
  VectorX vector_;
};

}  // namespace polhode::assembly
