// SPDX-License-Identifier: BSD-3-Clause
// Direct solution by LU factorization of small dense blocks: one block a node (six unknowns) or a group of constraint
// rows.
//
// The matrix of a mechanism is a graph of 6x6 blocks with few neighbours. Blocks are eliminated whole, each by its
// explicit inverse (Gauss-Jordan with row pivots inside the block), nodes before constraint groups, which have no
// diagonal of their own but get one, -B A^-1 B^T, from the nodes that they connect. There are no pivots across blocks:
// where a block comes out (nearly) singular, factorize() says so and the caller takes a solver with full pivoting.
#pragma once
#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

class BlockSolver {
 public:
  static constexpr int width = 6;

  // True if the matrix has blocks (SparseMatrix::block_start) of at most six unknowns each.
  static bool takes(const SparseMatrix& matrix);
  // Orders the blocks for little fill and lays out the factors. Keeps a reference to the matrix, which stays as it is.
  explicit BlockSolver(const SparseMatrix& matrix);
  // The same, but factorizes in place what is whole in the matrix, so that its values are lost: half the memory, and
  // half of what has to travel through it.
  explicit BlockSolver(SparseMatrix& matrix, InPlace);

  bool factorize();  // the present values; false if a block is singular to working precision, or tiny against what
                     // couples it
  void solve(std::span<double> rhs);  // in place, with the last factorization; allocates nothing
  double operations() const {         // of a factorization, nearly
    return 2.0 * width * width * width * static_cast<double>(targets_.size());
  }
  double smallest_pivot_ratio() const { return smallest_ / largest_; }

 private:
  // Where a block is: its first value among those of the matrix, or -1 - its number among the own blocks.
  using Place = int;
  struct Neighbour {     // of an eliminated block, later in the order
    int block;           // position in the order
    // L block (neighbour, this) and U block (this, neighbour)
    Place lower;
    Place upper;
  };
  struct Copy {  // values of the matrix into an own block: the first of them, and how far apart columns begin
    int from;
    int stride;
    int block;
    int rows;
    int columns;
  };
  void order_blocks();
  void lay_out(bool in_place);
  Place& place_of(int row, int column);  // of a block, by positions
  void load(int position);               // the values of its own blocks, from the matrix
  double* own(int number) { return own_.data() + static_cast<std::size_t>(number) * width * width; }
  double* at(Place place) { return place >= 0 ? values_ + place : own(-1 - place); }

  const SparseMatrix& matrix_;
  SparseMatrix* consumed_ = nullptr;  // the same, where factors take its place
  double* values_ = nullptr;          // of it
  int count_ = 0;
  std::vector<int> original_;      // block of the matrix at each position of the order
  // first unknown and number of unknowns, by position
  std::vector<int> first_;
  std::vector<int> size_;
  std::vector<int> start_;         // neighbours of position p: [start_[p], start_[p + 1])
  std::vector<Neighbour> neighbours_;
  std::vector<int> targets_;  // for each position, for each pair of its neighbours (row, column): the block they update
  std::vector<int> target_start_;
  std::vector<Place> diagonal_;  // by position: its block, which becomes its inverse
  // What is not in place: fill-in, blocks smaller than six, or all blocks of a matrix that stays as it is. Own blocks
  // of a position stand together, and are loaded just before they are needed, so that each travels once through the
  // processor's cache.
  math::LargeVector<double> own_;  // column-major 6x6
  std::vector<int> own_start_;     // by position
  std::vector<Copy> copies_;
  std::vector<int> copy_start_;  // by position
  std::vector<char> partial_;    // by position: copies do not fill all of its own blocks
  std::vector<char> loaded_;     // by position, in this factorization
  std::vector<double> work_;     // right-hand side by blocks
  double smallest_ = 1;
  double largest_ = 1;
};

}  // namespace polhode::assembly
