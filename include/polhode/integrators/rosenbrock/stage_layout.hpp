// SPDX-License-Identifier: BSD-3-Clause
// Where everything stands in the matrix of a stage (stage_system.hpp), and which block of the system's goes where.
//
// Unknowns: p of the system's nodes, w and z of the nodes that constraints touch (elsewhere they are zero), then nu, y
// and x of each group of constraint equations. The pattern is symmetric by blocks, as elimination by blocks wants it: w
// and z are eliminated with p of their node, y and x with nu of their group, so that the order is that of the system's
// own matrix and its cost grows with the number of bodies where that of the system's matrix does. Values are kept by
// blocks, each dense by columns, as in matrices of the system.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"
#include "polhode/integrators/rosenbrock/jacobian_places.hpp"

namespace polhode::integrators {

// Made once, before the first step. Places are those of values, of the first of a block.
struct StageLayout {
  // A block of a matrix of the system: its first value, its size, and how far its columns are apart.
  struct Block {
    int from;
    int row;  // first unknown of its node, or first equation of its group
    int column;
    int rows;
    int columns;
    int stride;
    int count() const { return stride * columns; }
  };
  // Of two nodes, or of one with itself: where it goes by columns of p, w and z, the last two -1 where the node of the
  // columns has none.
  struct Forces {
    Block of;
    int p;
    int w;
    int z;
  };
  // Of B: rows of positions by p, of velocities by p and w, of accelerations by p, w and z, the last three -1 where a
  // stage has none.
  struct Gradient {
    Block of;
    int positions_p;
    int velocities_p;
    int velocities_w;
    int accelerations_p;
    int accelerations_w;
    int accelerations_z;
  };
  // Numbers that follow each other; `from` in the matrix of the system, or among the values of the lift.
  struct Copy {
    int from;
    int to;
    int count;
  };

  // `X`: any matrix of the system; only its pattern counts. `by_rates`: by value of X, whether forces there depend on
  // velocities or accelerations; empty: all of them may. Two nodes of which none does have no entries of w and z in
  // each other's rows: of rigid bodies with joints that halves the operations.
  // `with_accelerations`: whether there are z and x at all.
  StageLayout(const JacobianPlaces& places, const assembly::SparseMatrix& X, std::span<const char> by_rates = {},
              bool with_accelerations = true);

  assembly::SparsePattern pattern;
  // By block of the pattern: the block that it is eliminated with (assembly::BlockOrder)
  std::vector<int> leaders;
  // By free unknown: its w among the unknowns, -1 without; z follows `lifts` later
  std::vector<int> w_place;
  int lifts = 0;
  int first_nu = 0;
  int first_y = 0;
  int first_x = 0;
  bool has_accelerations = true;
  // Blocks whose M and C count, and those that have K alone
  std::vector<Forces> forces;
  std::vector<Copy> by_positions;
  // B^T, by columns of nu
  std::vector<Copy> forces_nu;
  std::vector<Gradient> gradients;
  // V, by columns of y in rows of w and by columns of x in rows of z
  std::vector<Copy> lift;
  // Blocks that have no other values than these: ones of w and z in their own rows, and of dropped equations, by
  // equation: of positions, velocities and accelerations, -1 without
  std::vector<JacobianPlaces::Range> zeros;
  std::vector<int> identity;
  std::vector<std::array<int, 3>> holds;
};

}  // namespace polhode::integrators
