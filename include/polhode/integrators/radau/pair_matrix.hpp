// SPDX-License-Identifier: BSD-3-Clause
// A system of complex numbers in real ones, of twice the size of the model:
//
//   (P + i Q) (x + i y) + B^T (l + i k) = a + i b,   B (x + i y) = c + i d
//
//   [  Q  P  B^T  0   ] [  x ]   [  b ]
//   [ -P  Q  0    B^T ] [  y ]   [ -a ]
//   [  B  0  0    0   ] [  k ] = [  c ]
//   [  0  B  0    0   ] [ -l ]   [  d ]
//
// In this order Q, which is definite where the imaginary part of a mass term is, stands on the diagonal, and
// elimination by blocks without pivots across them stays regular. Blocks are those of the system, each with its two
// halves next to each other; values are kept by blocks, dense by columns.
#pragma once
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class PairMatrix {
 public:
  // `S`: any matrix of the system; only its pattern counts. Allocates all that the functions need, but for pivots of
  // KLU.
  PairMatrix(const assembly::System& system, const assembly::SparseMatrix& S);
  PairMatrix(const PairMatrix&) = delete;

  // The values, in this order; they are lost with factorize(). From [ P B^T ; B 0 ], and [ Q . ; . . ].
  void set_real_part(const assembly::SparseMatrix& P);
  void set_imaginary_part(const assembly::SparseMatrix& Q);
  // Calls set_values(), twice if need be (LinearSolver::factorize).
  template <class SetValues>
  bool factorize(const SetValues& set_values) {
    return solver_.factorize(set_values);
  }
  const assembly::LinearSolver& solver() const { return solver_; }
  // Unknown of the system that a column of the matrix is of.
  int unknown_of(int column) const;

  // In place: [a; c] and [b; d] become [x; l] and [y; k], by the unknowns of the system.
  void solve(model::VectorX& re, model::VectorX& im);

 private:
  enum class Kind { of_nodes, of_constraints };
  // A block of the system's matrix: its first value, that of the four in the place of it, and how many numbers each
  // has.
  struct Block {
    Kind kind;
    int from;
    int to;
    int count;
  };
  assembly::SparsePattern make_pattern(const assembly::SparseMatrix& S);

  int free_;
  std::vector<Block> blocks_;
  // By unknown of the system: x or k, and y or -l
  std::vector<int> first_;
  std::vector<int> second_;
  assembly::SparsePattern pattern_;
  assembly::SparseMatrix all_;
  assembly::LinearSolver solver_;
  model::VectorX vector_;
};

}  // namespace polhode::integrators
