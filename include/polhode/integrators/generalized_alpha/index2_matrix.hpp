// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the stabilized index-2 formulation (index2.hpp): its values, block by block from matrices of the system.
#pragma once
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"

namespace polhode::integrators {

class Index2Matrix {
 public:
  // `S`: any matrix of the system; only its pattern counts. `inverse_weight`: W^-1 by free unknown.
  Index2Matrix(const assembly::System& system, const assembly::SparseMatrix& S, const model::VectorX& inverse_weight);
  // The solver refers to the matrix.
  Index2Matrix(const Index2Matrix&) = delete;
  Index2Matrix& operator=(const Index2Matrix&) = delete;

  // N, by [ . B_n^T ; . . ]. It stays until the next call, the values of the matrix until they are factorized in place.
  void set_normal(const assembly::SparseMatrix& S);
  // The values, in this order. None of these allocates.
  // By [ A_0 . ; B . ]: what dp brings; I and -N.
  void set_dynamics(const assembly::SparseMatrix& S);
  // [ A B^T ; B T 0 ] is set by the system, as the first values of all().
  // By [ . . ; B + s Z T . ].
  void set_velocities(const assembly::SparseMatrix& S);

  // Adds N eta to `p`, by free unknown; `x` by the unknowns of the matrix.
  void add_p(const model::VectorX& x, model::VectorX& p) const;

  const Index2Layout& layout() const { return layout_; }
  assembly::SparseMatrix& all() { return all_; }

 private:
  Index2Layout layout_;
  model::VectorX inverse_weight_;
  assembly::SparseMatrix all_;
  // Blocks of N, dense by columns
  math::LargeVector<double> normal_;
};

}  // namespace polhode::integrators
