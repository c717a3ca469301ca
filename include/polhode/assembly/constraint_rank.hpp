// SPDX-License-Identifier: BSD-3-Clause
// Rank of the constraints at a state, rows that follow from others, and multipliers of least norm.
#pragma once
#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

// Rank of B over the free unknowns, rotations by the length of the model, by a rank-revealing QR factorization of B^T,
// rows scaled to unit length.
struct ConstraintRank {
  int rank = 0;
  // Rows, ascending
  std::vector<int> redundant;
  // For each redundant row the combination of rows that vanishes, n^T B = 0: the row itself and those that it follows
  // from (a minimal dependent set). Each of size rows().
  std::vector<VectorX> dependencies;
  // Diagonal entry of R that counted as non-zero: how independent the rows are, 1 at best
  double smallest = 1;
};
// `threshold`: diagonal entries of R below it count as zero. `with_smallest`: always by QR, else `smallest` is 1 where
// a cheaper factorization shows that the rank is full.
// For steps of a run, not for iterations: allocates.
ConstraintRank constraint_rank(const System& system, const State& q, double threshold = 1e-9,
                               bool with_smallest = false);

// Takes from the multipliers what does no work and gives no force, the part in the null space of B^T: among all
// multipliers with the same forces they then have the least Euclidean norm.
void reduce_to_least_norm(const ConstraintRank& rank, VectorX& lambda);

}  // namespace polhode::assembly
