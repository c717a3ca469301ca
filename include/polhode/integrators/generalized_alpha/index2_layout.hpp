// SPDX-License-Identifier: BSD-3-Clause
// Where everything stands in the matrix of the stabilized index-2 formulation (index2.hpp), and which entry of a matrix
// of the system goes where.
//
// Unknowns: those of the system's nodes, p of the nodes that constraints touch, lambda and eta of each group of
// constraint equations. The pattern is symmetric, as elimination by blocks wants it.
#pragma once
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::integrators {

// Made once, before the first step.
struct Index2Layout {
  // Value `to` of the large matrix comes from value `from` of a matrix of the system.
  struct Copy {
    int from;
    int to;
  };
  // The same of a row of p, whose weight is that of the free unknown `unknown`.
  struct WeightedCopy {
    int from;
    int to;
    int unknown;
  };
  // Row four less row three: value of `from` less that of `less`, which is one of the large matrix.
  struct Difference {
    int from;
    int less;
    int to;
  };

  // Number of the entry in the pattern, which has to be there.
  int entry(int row, int column) const;

  assembly::SparsePattern pattern;
  // By block of the pattern: the block that it is eliminated with (assembly::BlockOrder): p with its node, eta with the
  // lambda of its group
  std::vector<int> leaders;
  // By free unknown: its p among the unknowns; -1 without
  std::vector<int> p_place;
  int first_lambda = 0;
  int first_eta = 0;
  // From [A B^T; B T 0], from [A_0 .; B 0], from the columns of B_n^T, and from the rows of B + s Z T.
  std::vector<Copy> first;
  std::vector<Copy> second;
  std::vector<WeightedCopy> normal;
  std::vector<Difference> velocity;
};

// `S`: any matrix of the system; only its pattern counts. `k`: free unknowns of the system's nodes.
Index2Layout make_index2_layout(const assembly::SparseMatrix& S, int k);

}  // namespace polhode::integrators
