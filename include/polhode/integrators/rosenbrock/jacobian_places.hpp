// SPDX-License-Identifier: BSD-3-Clause
// Where entries of [M B^T; B 0] stand among the values of the system's matrix: by nodes, and by columns of B.
#pragma once
#include <array>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

struct JacobianPlaces {
  struct NodeColumn {  // the entries of a node in a column of B^T, and their counterparts in B
    int node;
    int row;     // constraint equation
    int count;   // of entries: the unknowns of the node
    int entry;   // the first one: of a node and a group of equations all follow each other, by columns
    int place;   // of the first one; the others follow
    int mirror;  // of its counterpart
    int stride;  // from one counterpart to the next
  };
  struct Range {  // of places, [begin, end)
    int begin;
    int end;
  };

  // `X`: a matrix of the system, of which only the pattern counts.
  JacobianPlaces(const assembly::System& system, const assembly::SparseMatrix& X);

  int unknowns;                            // free ones, n
  int equations;                           // constraint equations, m
  std::vector<NodeColumn> columns;         // B^T by nodes and columns
  int entries = 0;                         // of B^T
  std::vector<Range> inner;                // places of the entries over the free unknowns
  std::vector<Range> below;                // all other places but those of B^T: rows of constraint equations
  std::vector<int> diagonal;               // places of their diagonal
  std::vector<std::array<int, 36>> nodes;  // places of each node's block, row + 6 column; -1 where removed
};

}  // namespace polhode::integrators
