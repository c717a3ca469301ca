// SPDX-License-Identifier: BSD-3-Clause
// LU factorization of a graph of small dense blocks, and solution with it.
#include "polhode/assembly/linear/block_solver.hpp"

#include <algorithm>

#include "block6.hpp"

namespace polhode::assembly {

// Larger blocks, of unknowns that are not by nodes, are left to KLU.
bool BlockSolver::takes(const SparseMatrix& matrix) {
  if (matrix.block_start.size() < 2 || matrix.row.empty()) return false;
  for (std::size_t b = 0; b + 1 < matrix.block_start.size(); ++b)
    if (matrix.block_start[b + 1] - matrix.block_start[b] > width) return false;
  return true;
}

BlockSolver::BlockSolver(const SparseMatrix& matrix, const BlockOrder& order, SparseMatrix* consumed)
    : matrix_(matrix),
      consumed_(consumed),
      layout_(matrix, order, consumed != nullptr),
      own_(static_cast<std::size_t>(layout_.own_blocks()) * width * width),
      loaded_(static_cast<std::size_t>(layout_.count), 0),
      work_(static_cast<std::size_t>(layout_.count) * width) {}

// Own blocks that the copies do not fill wholly are cleared before. Blocks that other positions have already updated
// were loaded then.
void BlockSolver::load(int p) {
  loaded_[p] = 1;
  if (layout_.partial[p]) std::fill(own(layout_.own_start[p]), own(layout_.own_start[p + 1]), 0.0);
  for (int i = layout_.copy_start[p]; i < layout_.copy_start[p + 1]; ++i) {
    const BlockLayout::Copy& c = layout_.copies[i];
    const double* from = matrix_.values.data() + c.from;
    double* to = own(c.block);
    for (int column = 0; column < c.columns; ++column, from += c.stride, to += width)
      if (c.rows == width)  // the common case, in registers
        block6::Column::load(from).store(to);
      else
        for (int row = 0; row < c.rows; ++row) to[row] = from[row];
  }
}

// U stays as it is: what an LDU factorization would divide by is in L. The pivot of constraint equations is one over a
// mass: whether it is tiny shows in how much the blocks of its neighbours grow, which has no unit.
template <bool is_group>
bool BlockSolver::update_neighbours(int p) {
  constexpr double tiny = 1e10;  // largest entry of L: beyond, the block is tiny against what couples it
  const BlockLayout::Neighbour* neighbours = layout_.neighbours.data() + layout_.start[p];
  const int degree = layout_.start[p + 1] - layout_.start[p];
  const int* target = layout_.targets.data() + layout_.target_start[p];
  const double* inverse = at(layout_.diagonal[p]);
  for (int a = 0; a < degree; ++a)
    if (!loaded_[neighbours[a].block]) load(neighbours[a].block);
  for (int a = 0; a < degree; ++a) {
    double* lower = at(neighbours[a].lower);
    alignas(32) double product[36];
    block6::multiply(lower, inverse, product);
    if (!is_group && !(block6::largest_entry(product) < tiny)) return false;
    block6::Block(product).store(lower);
    const double* own_target = at(target[a * degree + a]);
    const double before = is_group ? block6::largest_entry(own_target) : 0;
    for (int b = 0; b < degree; ++b)
      block6::subtract_product(product, at(neighbours[b].upper), at(target[a * degree + b]));
    if (before > 0 && !(block6::largest_entry(own_target) < tiny * before)) return false;
  }
  return true;
}

// Right-looking elimination: each diagonal block is replaced by its inverse, the column below it by L = A D^-1, and the
// blocks of its neighbors are updated at once.
bool BlockSolver::factorize() {
  constexpr double singular = 1e-14;  // of a pivot against the largest one of its block
  if (consumed_) values_ = consumed_->values.data();
  std::fill(loaded_.begin(), loaded_.end(), 0);
  smallest_ = 1e300;
  largest_ = 0;
  for (int p = 0; p < layout_.count; ++p) {
    double small;
    double large;
    if (!loaded_[p]) load(p);
    double* inverse = at(layout_.diagonal[p]);
    // A smaller block is filled up to six by a diagonal of its own size: pivots of it do not count as small, and the
    // inverse stays apart from the rest.
    if (layout_.size[p] < width) {
      const double fill = block6::largest_entry(inverse);
      for (int i = layout_.size[p]; i < width; ++i) inverse[i * width + i] = fill;
    }
    if (!block6::invert(inverse, small, large)) return false;
    if (small < singular * large) return false;
    smallest_ = std::min(smallest_, small);
    largest_ = std::max(largest_, large);
    const bool good = layout_.is_group[p] ? update_neighbours<true>(p) : update_neighbours<false>(p);
    if (!good) return false;
  }
  return true;
}

// L y = b downward, U x = y upward with the inverse diagonal blocks. Blocks of fewer than six unknowns have zeros in
// their last places, which the ones of the diagonal leave alone.
void BlockSolver::solve(std::span<double> rhs) {
  for (int p = 0; p < layout_.count; ++p) {
    double* to = work_.data() + p * width;
    const double* from = rhs.data() + layout_.first[p];
    if (layout_.size[p] == width)
      block6::Column::load(from).store(to);
    else
      for (int i = 0; i < width; ++i) to[i] = i < layout_.size[p] ? from[i] : 0;
  }
  for (int p = 0; p < layout_.count; ++p)
    for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i)
      block6::subtract_product_of_vector(at(layout_.neighbours[i].lower), work_.data() + p * width,
                                         work_.data() + layout_.neighbours[i].block * width);
  for (int p = layout_.count - 1; p >= 0; --p) {
    double* x = work_.data() + p * width;
    for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i)
      block6::subtract_product_of_vector(at(layout_.neighbours[i].upper),
                                         work_.data() + layout_.neighbours[i].block * width, x);
    block6::multiply_vector(at(layout_.diagonal[p]), x);
    for (int i = 0; i < layout_.size[p]; ++i) rhs[layout_.first[p] + i] = x[i];
  }
}

}  // namespace polhode::assembly
