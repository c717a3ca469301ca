// SPDX-License-Identifier: BSD-3-Clause
// Direct solution by LU factorization of small dense blocks: one block a node (six unknowns) or a group of constraint
// rows.
//
// The matrix of a mechanism is a graph of 6x6 blocks with few neighbours. Blocks are eliminated whole, each by its
// explicit inverse (Gauss-Jordan with row pivots inside the block), constraint groups, which have no diagonal of their
// own, once they have got one from nodes that they act on (block_order.hpp). There are no pivots across blocks: where a
// block comes out (nearly) singular, factorize() says so and the caller takes a solver with full pivoting.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "polhode/assembly/linear/block_layout.hpp"
#include "polhode/assembly/sections.hpp"

namespace polhode::assembly {

class BlockSolver {
 public:
  static constexpr int width = BlockLayout::width;

  // True if the matrix has blocks (SparseMatrix::block_start) of at most six unknowns each.
  static bool takes(const PatternView& matrix);
  // Lays out the factors. Keeps a reference to the matrix, which stays as it is.
  explicit BlockSolver(const SparseMatrix& matrix) : BlockSolver(matrix, BlockOrder(matrix)) {}
  BlockSolver(const SparseMatrix& matrix, const BlockOrder& order) : BlockSolver(matrix, order, nullptr) {}
  // The same, but factorizes in place what is whole in the matrix, so that its values are lost: half the memory, and
  // half of what has to travel through it.
  BlockSolver(SparseMatrix& matrix, InPlace in_place) : BlockSolver(matrix, BlockOrder(matrix), in_place) {}
  BlockSolver(SparseMatrix& matrix, const BlockOrder& order, InPlace in_place) : BlockSolver(matrix, order, &matrix) {
    is_iterated_ = in_place.is_iterated;
  }

  // Factorizes the present values. False if a block is singular to working precision, or tiny against what couples it.
  // Allocates nothing.
  bool factorize();
  // Solves in place with the last factorization, which has to have succeeded; `rhs` has the size of the matrix.
  // Allocates nothing.
  void solve(std::span<double> rhs);
  // Both, to the same bits: what is eliminated is substituted at once, while it is in the cache. `rhs` stays as it is
  // where the factorization fails.
  bool factorize_and_solve(std::span<double> rhs);
  // Who sets the values, section by section (Sections): the solver goes on behind each of them while the cache holds what
  // was written. `finished_by`: by block of the matrix, the last section that writes to it. Keeps a reference.
  void follow(const Sections& sections, std::span<const int> finished_by);
  using Write = std::function<void(std::size_t section)>;
  // The last of the above, to the same bits, once write(section) has set the values of a section. All sections are
  // written where it succeeds.
  bool factorize_and_solve(std::span<double> rhs, const Write& write);
  // Smallest over largest pivot of all blocks: a cheap estimate of the reciprocal condition number.
  double smallest_pivot_ratio() const { return all_pivots_.smallest / all_pivots_.largest; }

 private:
  using Place = BlockLayout::Place;
  // Magnitudes, of some positions
  struct Pivots {
    double smallest = 1e300;
    double largest = 0;
    void add(double small, double large);
  };
  BlockSolver(const SparseMatrix& matrix, const BlockOrder& order, SparseMatrix* consumed);
  void load(int position);  // the values of its own blocks, from the matrix
  // Of a position of so many unknowns: inverts its block, divides the column below it by that, and updates the blocks of
  // its neighbours. False where the block is singular, or tiny against what couples it.
  // `whole`: it and all its neighbours are nodes of six unknowns, as in a chain of beams.
  // `end`: behind the last position that may be touched, of its task or of all.
  template <int size, bool whole>
  bool eliminate(int position, int end, Pivots& pivots);
  // Its parts: inverts the block on the diagonal; notes for a neighbour (by its place among all of them) whether they
  // are coupled, and what reaches it.
  template <int size, bool whole>
  [[gnu::always_inline]] bool invert(int position, Pivots& pivots);
  template <int size>
  [[gnu::always_inline]] void note_coupling(int position, int neighbour);
  // Of a group, inverted: the least share of its diagonal that the sums of contributions have left.
  double part_left(int position);
  template <int size, class Column, bool whole>
  bool update_neighbour(int position, int a, int end);
  template <int size, bool whole>
  [[gnu::always_inline]] bool update(int position, int a, int end);
  // Positions [begin, until) in turn, of a task or all that ends at `end`; `substitutes`: with the forward substitution of
  // the right-hand side in work_. Inlined: small models have nothing but the top, and calls would show there.
  template <bool substitutes>
  [[gnu::always_inline]] bool eliminate_range(int begin, int until, int end, Pivots& pivots);
  // All positions, with the right-hand side if there is one; behind sections if they are to be written.
  template <bool substitutes>
  bool factorize_with(std::span<const double> rhs, const Write* write);
  // The top by rows (BlockLayout::updates), which threads share: all of them, and one.
  template <bool substitutes>
  bool eliminate_rows();
  template <bool substitutes>
  bool eliminate_row(int position, Pivots& pivots);
  // Of sections that are followed: a task, or all, with the sections that write its values.
  struct Lane {
    int begin;  // positions
    int end;
    std::size_t first_section;
    std::size_t end_section;
  };
  template <bool substitutes>
  bool eliminate_behind(const Lane& lane, const Write& write, Pivots& pivots);
  // `finished`: by position, the last section that writes to it. Sets `behind_`.
  std::vector<Lane> lanes(std::span<const int> finished);
  // Calls use(task) for each of them, by several threads.
  template <class Use>
  void each_task(const Use& use) const;
  // All tasks, and what they hand on to the top.
  template <bool substitutes>
  bool eliminate_tasks(const Write* write);
  bool add_handed_on(int position);
  bool add_to_diagonal(int position, const BlockLayout::HandedOn& handed_on);
  [[gnu::always_inline]] void load_rhs(const double* rhs, int position);
  // Sums that a task hands on to the top, and those of all of them, in the order of their subtrees.
  [[gnu::always_inline]] void clear_slots_of_task(int task);
  [[gnu::always_inline]] void add_slots_to_top();
  [[gnu::always_inline]] void solve_down_range(int begin, int end);
  [[gnu::always_inline]] void solve_up_range(std::span<double> rhs, int begin, int end);
  // U x = y upward, from the top to the tasks.
  [[gnu::always_inline]] void solve_up_all(std::span<double> rhs);
  template <int size, bool whole>
  void solve_down(int position);
  template <int size, bool whole>
  [[gnu::always_inline]] void substitute(int position, int neighbour);
  template <int size, bool whole>
  void solve_up(int position);
  // Number of unknowns of a position.
  template <bool whole>
  int size_of(int position) const {
    if constexpr (whole) return width;
    return layout_.size[position];
  }
  double* at(Place place) { return place >= 0 ? values_ + place : own_.data() + (-1 - place); }
  void clear_own(BlockLayout::Range r) { std::fill(own_.begin() + r.begin, own_.begin() + r.end, 0.0); }

  const SparseMatrix& matrix_;
  SparseMatrix* consumed_ = nullptr;  // the same, where factors take its place
  bool is_iterated_ = false;          // InPlace
  double* values_ = nullptr;          // of it
  BlockLayout layout_;
  math::LargeVector<double> own_;  // fill-in, and what is not factorized in place
  std::vector<char> loaded_;       // by position, in this factorization
  // By position, then by slot, as in `work_`: largest entry of the blocks of nodes that were eliminated before and couple
  // with it. Empty, as is the next, where all positions are whole.
  std::vector<double> reach_;
  // Six numbers for each of them, of groups: the largest sizes that their diagonals had
  std::vector<double> peak_;
  // Blocks that are coupled by the pattern alone, as two bodies at a spherical joint are, have no products.
  struct Zero {
    bool lower;
    bool upper;
  };
  std::vector<Zero> zero_;       // by neighbour, in this factorization
  std::vector<char> whole_;      // by position
  std::vector<double> work_;     // right-hand side, six numbers a position, and a slot (BlockLayout::slots)
  const double* rhs_ = nullptr;  // that comes with this factorization
  std::vector<Pivots> pivots_;   // by task
  Pivots all_pivots_{1, 1};
  std::vector<Pivots> pivots_of_rows_;            // of the top, where it is taken by rows
  std::vector<std::atomic<bool>> is_eliminated_;  // the same
  const Sections* sections_ = nullptr;
  std::vector<Lane> lanes_;  // empty: the factorization begins when all is written
  std::vector<int> behind_;  // by section: the position up to which its lane may go on
};

}  // namespace polhode::assembly
