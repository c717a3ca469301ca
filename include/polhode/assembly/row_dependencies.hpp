// SPDX-License-Identifier: BSD-3-Clause
// How dropped constraint equations follow from the others, and the multipliers of least norm: in each step, where the
// choice of the dropped ones stays.
//
// With A = I, rotations by the length of the model squared, and the kept rows B_k,
//   [ A B_k^T ; B_k 0 ] [ x ; c ] = [ B_d^T ; 0 ]
// gives the coefficients c of a dropped row B_d, and in x what does not follow from them: nothing, as long as the row
// depends. One factorization and few back-substitutions do that for all mechanisms side by side.
#pragma once
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

class RowDependencies {
 public:
  // Of the redundant ones of these rows. Keeps a reference to the system, which has to have constraint equations.
  RowDependencies(const System& system, const DroppedConstraints& dropped);

  // At a state with these dropped rows: how far the dropped rows are from the span of the kept ones, which is the largest
  // distance of a row of unit length. Infinite where the kept ones depend on each other. Allocates nothing, as a rule.
  double update(const State& q);
  // Takes from the multipliers what gives no force, as of the last update(): of all with the same forces these have the
  // least Euclidean norm.
  void reduce_to_least_norm(VectorX& lambda);
  // Of the revision that was given: DroppedConstraints::revision.
  int revision() const { return dropped_.revision; }

 private:
  // Rows that share unknowns, directly or by way of others, with some dropped ones among them.
  struct Part {
    std::vector<int> rows;
    std::vector<int> unknowns;
    std::vector<int> dropped;
    // By row of `rows`, a column for each dropped one: combinations of rows that vanish
    math::MatrixX combinations;
  };
  void find_parts();
  // The right-hand side of the `round`-th dropped row of each part.
  void set_right_hand_side(std::size_t round);
  double take_combinations(std::size_t round);
  bool factorize(const State& q);

  const System& system_;
  DroppedConstraints dropped_;
  std::vector<Part> parts_;
  SparseMatrix matrix_;
  LinearSolver solver_;
  VectorX weights_;                          // A, of free unknowns
  std::vector<int> diagonal_;                // of A in the matrix
  std::vector<VectorX> columns_;             // by round: right-hand sides, and the solutions in their place
  std::vector<std::vector<double>> length_;  // of a dropped row, by round and part, squared in A^-1
  double best_ratio_ = 0;                    // of pivots
};

}  // namespace polhode::assembly
