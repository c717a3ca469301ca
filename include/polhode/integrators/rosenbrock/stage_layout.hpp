// SPDX-License-Identifier: BSD-3-Clause
// Where everything stands in the matrix of a stage (stage_system.hpp), and which value goes where.
//
// Unknowns: p of the system's nodes, w and z of the nodes that constraints touch (elsewhere they are zero), then nu, y
// and x of each group of constraint equations. The pattern is symmetric by blocks, as elimination by blocks wants it: w
// and z are eliminated with p of their node, y and x with nu of their group, so that the order is that of the system's
// own matrix and its cost grows with the number of bodies where that of the system's matrix does.
#pragma once
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "polhode/assembly/sparse.hpp"
#include "polhode/integrators/rosenbrock/jacobian_places.hpp"

namespace polhode::integrators {

// Made once, before the first step.
struct StageLayout {
  // Value `to` of the large matrix comes from value `from` of a matrix of the system, or of the lift.
  struct Copy {
    int from;
    int to;
  };
  // An entry (row, row) of the constraint equations: of positions, velocities, accelerations.
  struct Hold {
    int position;
    int velocity;
    int acceleration;
  };

  // `X`: any matrix of the system; only its pattern counts. `by_rates`: by value of X, whether forces there depend on
  // velocities or accelerations; empty: all of them may. Two nodes of which none does have no entries of w and z in
  // each other's rows: of rigid bodies with joints that halves the operations.
  StageLayout(const JacobianPlaces& places, const assembly::SparseMatrix& X, std::span<const char> by_rates = {});
  // Number of the entry in the pattern, which has to be there.
  int entry(int row, int column) const;

  assembly::SparsePattern pattern;
  // By block of the pattern: the block that it is eliminated with (assembly::BlockOrder)
  std::vector<int> leaders;
  // By free unknown: its w among the unknowns, -1 without; z follows `lifts` later
  std::vector<int> w_place;
  int lifts = 0;
  int first_nu = 0;
  int first_y = 0;
  int first_x = 0;
  // Rows of forces, by columns of p, w, z, nu
  std::vector<Copy> forces_p;
  std::vector<Copy> forces_w;
  std::vector<Copy> forces_z;
  std::vector<Copy> forces_nu;
  // B: of p in rows of positions, of w in those of velocities, of z in those of accelerations
  std::vector<Copy> gradient;
  // Of p in rows of velocities; of p and w in rows of accelerations
  std::vector<Copy> velocities_p;
  std::vector<Copy> accelerations_p;
  std::vector<Copy> accelerations_w;
  // The lift, of y in rows of w and of x in rows of z; `from` counts JacobianPlaces::rows
  std::vector<Copy> lift;
  // Values of the system that have no place of w and z, since they are not by rates
  std::vector<int> without_rates;
  // Ones: of w and z in their own rows
  std::vector<int> identity;
  // By constraint equation: one where it is dropped
  std::vector<Hold> holds;

 private:
  // Unknowns, and the blocks that they make.
  void number(const JacobianPlaces& places, const assembly::SparseMatrix& X);
  void find_rates(const assembly::SparseMatrix& X, std::span<const char> by_rates);
  bool has_rates(int row, int column) const;
  void set_pattern(const assembly::SparseMatrix& X);
  void add_node_copies(const JacobianPlaces& places, const assembly::SparseMatrix& X);
  void add_constraint_copies(const JacobianPlaces& places);

  // By unknown of the system: first one of its block
  std::vector<int> block_begin_;
  // Pairs of blocks, by their first unknowns, with forces by rates between them, both ways
  std::set<std::pair<int, int>> rates_;
};

}  // namespace polhode::integrators
