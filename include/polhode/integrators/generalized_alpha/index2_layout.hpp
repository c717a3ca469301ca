// SPDX-License-Identifier: BSD-3-Clause
// Where everything stands in the matrix of the stabilized index-2 formulation (index2.hpp), and which block of a matrix
// of the system goes where.
//
// Unknowns: those of the system's nodes, p of some of the nodes that constraints touch, lambda and eta of each group of
// constraint equations. The p of all other nodes is eliminated beforehand, p = N h eta: it puts the products A_0 N in
// the rows of its node and B N between the groups at the node. That is the smaller matrix where few groups meet at a
// node, and where M and C couple the node with no other one. The pattern is symmetric, as elimination by blocks wants
// it, and values are kept by blocks, each dense by columns, as in matrices of the system. The first values are those of
// such a matrix, [ A B^T ; B T 0 ], in the same order, so that the system writes them itself. So it does with those that
// follow, the second: first [ A_0 . ; B . ], of which rows of groups become those of velocities, what A_0 N is goes in
// the place of B^T, and A_0 of the nodes that have a p is what stands in its columns. All else follows.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

// Things of all sections of the system (assembly::Sections), those of a section together.
template <class T>
struct BySection {
  std::vector<T> items;
  // By section, with the end of the last
  std::vector<std::size_t> start;
  std::span<const T> of(std::size_t begin, std::size_t end) const {
    return std::span<const T>(items).subspan(start[begin], start[end] - start[begin]);
  }
};

// Made once, before the first step. What is by section can be done as soon as the section has been written.
struct Index2Layout {
  // Places are those of values, of the first of a block; in the large matrix but where another is named.
  struct Copy {
    int from;
    int to;
    int count;  // of numbers
  };
  // The block of N of a node and a group, W^-1 B_n^T.
  struct Normal {
    int node;     // first unknown of the node
    int eta;      // of the group
    int rows;     // unknowns of the node
    int columns;  // equations of the group
    int stride;   // of the columns of B
    int from;     // block of B, in a matrix of the system
    int value;    // among the values of N
  };
  // Values [begin, end).
  struct Range {
    int begin;
    int end;
  };
  // A block of A_0 or of B times one of N. Several may meet in one place; the first of them sets it.
  struct Product {
    int from;
    int normal;  // among the values of N
    int to;
    int rows;
    int stride;  // from column to column
    int inner;
    int columns;
    bool sets;
  };

  assembly::SparsePattern pattern;
  // By block of the pattern: the block that it is eliminated with (assembly::BlockOrder): p with its node, eta with the
  // lambda of its group
  std::vector<int> leaders;
  // By block of the pattern: the last section that writes to its rows and columns
  std::vector<int> finished_by;
  // By free unknown: its p among the unknowns; -1 without
  std::vector<int> p_place;
  int first_lambda = 0;
  int first_eta = 0;
  // Number of the first values, and of the second; where these begin
  int of_system = 0;
  int second = 0;
  // The identity of row two
  BySection<int> ones;
  // Blocks behind the second values that nothing is written to but the identity of row two
  BySection<Range> zeros;
  // Of the second values: B in the columns of p, before it becomes rows of velocities
  BySection<Copy> copies;
  BySection<Product> products;
  BySection<Normal> normal;
  // -N in the rows of p, from the values of N
  BySection<Copy> negated;
  int normal_values = 0;
  // B T, among the first values; at the same place among the second: row four. Blocks that follow each other are one.
  BySection<Range> rows;
};

Index2Layout make_index2_layout(const assembly::System& system);

}  // namespace polhode::integrators
