// SPDX-License-Identifier: BSD-3-Clause
// LU factorization of a graph of small dense blocks.
#include "polhode/assembly/block_solver.hpp"

#include <camd.h>

#include <algorithm>
#include <new>

#include "block6.hpp"

namespace polhode::assembly {
namespace {

constexpr int nowhere = -1;  // a place not yet given

}  // namespace

bool BlockSolver::takes(const SparseMatrix& matrix) {
  if (matrix.block_start.size() < 2 || matrix.row.empty()) return false;
  for (std::size_t b = 0; b + 1 < matrix.block_start.size(); ++b)
    if (matrix.block_start[b + 1] - matrix.block_start[b] > width) return false;
  return true;
}

BlockSolver::BlockSolver(const SparseMatrix& matrix)
    : matrix_(matrix), count_(static_cast<int>(matrix.block_start.size()) - 1) {
  order_blocks();
  lay_out(false);
}

BlockSolver::BlockSolver(SparseMatrix& matrix, InPlace)
    : matrix_(matrix), consumed_(&matrix), count_(static_cast<int>(matrix.block_start.size()) - 1) {
  order_blocks();
  lay_out(true);
}

// The graph of the blocks, from the first column of each; the ordering of AMD with constraint groups (blocks without a
// diagonal) after all nodes.
void BlockSolver::order_blocks() {
  std::vector<int> block_of(static_cast<std::size_t>(matrix_.size));
  for (int b = 0; b < count_; ++b)
    std::fill(block_of.begin() + matrix_.block_start[b], block_of.begin() + matrix_.block_start[b + 1], b);
  std::vector<int> starts{0};
  std::vector<int> rows;
  std::vector<int> late(static_cast<std::size_t>(count_), 1);
  for (int b = 0; b < count_; ++b) {
    const int column = matrix_.block_start[b];
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1];) {
      const int other = block_of[matrix_.row[p]];
      if (other == b && column < matrix_.late) late[b] = 0;
      rows.push_back(other);
      p += matrix_.block_start[other + 1] - matrix_.block_start[other];
    }
    starts.push_back(static_cast<int>(rows.size()));
  }
  original_.resize(static_cast<std::size_t>(count_));
  const int status = camd_order(count_, starts.data(), rows.data(), original_.data(), nullptr, nullptr, late.data());
  if (status != CAMD_OK && status != CAMD_OK_BUT_JUMBLED) throw std::bad_alloc();

  // Symbolic elimination: the later neighbours of a position are those of the matrix and of the positions that it
  // follows.
  std::vector<int> position(static_cast<std::size_t>(count_));
  for (int p = 0; p < count_; ++p) position[original_[p]] = p;
  std::vector<std::vector<int>> later(static_cast<std::size_t>(count_));
  start_.assign(1, 0);
  for (int p = 0; p < count_; ++p) {
    const int b = original_[p];
    first_.push_back(matrix_.block_start[b]);
    size_.push_back(matrix_.block_start[b + 1] - matrix_.block_start[b]);
    auto& list = later[p];
    for (int i = starts[b]; i < starts[b + 1]; ++i)
      if (position[rows[i]] > p) list.push_back(position[rows[i]]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (!list.empty()) {  // handed on to the first of them
      auto& parent = later[list.front()];
      parent.insert(parent.end(), list.begin() + 1, list.end());
    }
    for (const int q : list) neighbours_.push_back({q, nowhere, nowhere});
    start_.push_back(static_cast<int>(neighbours_.size()));
    list = {};
  }
}

BlockSolver::Place& BlockSolver::place_of(int row, int column) {
  if (row == column) return diagonal_[row];
  const int early = std::min(row, column);
  const int late = std::max(row, column);
  const auto begin = neighbours_.begin() + start_[early];
  const auto end = neighbours_.begin() + start_[early + 1];
  const auto it = std::lower_bound(begin, end, late, [](const Neighbour& n, int value) { return n.block < value; });
  return row > column ? it->lower : it->upper;
}

void BlockSolver::lay_out(bool in_place) {
  std::vector<int> position_of(static_cast<std::size_t>(matrix_.size));
  for (int p = 0; p < count_; ++p) std::fill_n(position_of.begin() + first_[p], size_[p], p);
  // Calls use(row, column, first value, from column to column) for each block of the matrix.
  const auto each_block = [&](const auto& use) {
    for (int b = 0; b < count_; ++b) {
      const int column = matrix_.block_start[b];
      const int c = position_of[column];
      const int begin = matrix_.column_start[column];
      const int end = matrix_.column_start[column + 1];
      for (int entry = begin; entry < end;) {
        const int r = position_of[matrix_.row[entry]];
        const int from = matrix_.place_of(entry);
        use(r, c, from, size_[c] > 1 ? matrix_.place_of(entry + end - begin) - from : 0);
        entry += size_[r];
      }
    }
  };
  diagonal_.assign(static_cast<std::size_t>(count_), nowhere);
  if (in_place)
    each_block([&](int r, int c, int from, int stride) {
      if (size_[r] == width && size_[c] == width && stride == width) place_of(r, c) = from;
    });
  int next = 0;
  const auto give_own = [&](Place& place) {
    if (place == nowhere) place = -1 - next++;
  };
  for (int p = 0; p < count_; ++p) {
    own_start_.push_back(next);
    give_own(diagonal_[p]);
    for (int i = start_[p]; i < start_[p + 1]; ++i) {
      give_own(neighbours_[i].lower);
      give_own(neighbours_[i].upper);
    }
  }
  own_start_.push_back(next);
  own_.resize(static_cast<std::size_t>(next) * width * width);
  target_start_.assign(1, 0);
  for (int p = 0; p < count_; ++p) {
    for (int a = start_[p]; a < start_[p + 1]; ++a)
      for (int b = start_[p]; b < start_[p + 1]; ++b)
        targets_.push_back(place_of(neighbours_[a].block, neighbours_[b].block));
    target_start_.push_back(static_cast<int>(targets_.size()));
  }
  each_block([&](int r, int c, int from, int stride) {
    if (const Place place = place_of(r, c); place < 0)
      copies_.push_back({from, stride, -1 - place, size_[r], size_[c]});
  });
  std::sort(copies_.begin(), copies_.end(), [](const Copy& a, const Copy& b) { return a.block < b.block; });
  partial_.assign(static_cast<std::size_t>(count_), 0);
  loaded_.assign(static_cast<std::size_t>(count_), 0);
  auto copy = copies_.begin();
  for (int p = 0; p < count_; ++p) {
    copy_start_.push_back(static_cast<int>(copy - copies_.begin()));
    int full = 0;
    for (; copy != copies_.end() && copy->block < own_start_[p + 1]; ++copy)
      full += copy->rows == width && copy->columns == width;
    partial_[p] = full < own_start_[p + 1] - own_start_[p];
  }
  copy_start_.push_back(static_cast<int>(copies_.size()));
  work_.resize(static_cast<std::size_t>(count_) * width);
}

void BlockSolver::load(int p) {
  loaded_[p] = 1;
  if (partial_[p]) std::fill(own(own_start_[p]), own(own_start_[p + 1]), 0.0);
  for (int i = copy_start_[p]; i < copy_start_[p + 1]; ++i) {
    const Copy& c = copies_[i];
    const double* from = matrix_.values.data() + c.from;
    double* to = own(c.block);
    for (int column = 0; column < c.columns; ++column, from += c.stride, to += width)
      if (c.rows == width)  // the common case, in registers
        block6::Column::load(from).store(to);
      else
        for (int row = 0; row < c.rows; ++row) to[row] = from[row];
  }
}

bool BlockSolver::factorize() {
  if (consumed_) values_ = consumed_->values.data();
  std::fill(loaded_.begin(), loaded_.end(), 0);
  smallest_ = 1e300;
  largest_ = 0;
  for (int p = 0; p < count_; ++p) {
    double small;
    double large;
    if (!loaded_[p]) load(p);
    double* inverse = at(diagonal_[p]);
    if (size_[p] < width) {  // what a smaller block lacks of six, out of the way
      const double fill = block6::largest_entry(inverse);
      for (int i = size_[p]; i < width; ++i) inverse[i * width + i] = fill;
    }
    if (!block6::invert(inverse, small, large)) return false;
    if (small < 1e-14 * large) return false;
    smallest_ = std::min(smallest_, small);
    largest_ = std::max(largest_, large);
    const int begin = start_[p];
    const int degree = start_[p + 1] - begin;
    const int* target = targets_.data() + target_start_[p];
    for (int a = begin; a < begin + degree; ++a)
      if (!loaded_[neighbours_[a].block]) load(neighbours_[a].block);
    for (int a = 0; a < degree; ++a) {
      double* lower = at(neighbours_[begin + a].lower);
      alignas(32) double product[36];
      block6::multiply(lower, inverse, product);
      if (!(block6::largest_entry(product) < 1e10)) return false;  // the block is tiny against what couples it
      block6::Block(product).store(lower);
      for (int b = 0; b < degree; ++b)
        block6::subtract_product(product, at(neighbours_[begin + b].upper), at(target[a * degree + b]));
    }
  }
  return true;
}

void BlockSolver::solve(std::span<double> rhs) {
  for (int p = 0; p < count_; ++p) {
    double* to = work_.data() + p * width;
    const double* from = rhs.data() + first_[p];
    if (size_[p] == width)
      block6::Column::load(from).store(to);
    else
      for (int i = 0; i < width; ++i) to[i] = i < size_[p] ? from[i] : 0;
  }
  for (int p = 0; p < count_; ++p)
    for (int i = start_[p]; i < start_[p + 1]; ++i)
      block6::subtract_product_of_vector(at(neighbours_[i].lower), work_.data() + p * width,
                                         work_.data() + neighbours_[i].block * width);
  for (int p = count_ - 1; p >= 0; --p) {
    double* x = work_.data() + p * width;
    for (int i = start_[p]; i < start_[p + 1]; ++i)
      block6::subtract_product_of_vector(at(neighbours_[i].upper), work_.data() + neighbours_[i].block * width, x);
    block6::multiply_vector(at(diagonal_[p]), x);
    for (int i = 0; i < size_[p]; ++i) rhs[first_[p] + i] = x[i];
  }
}

}  // namespace polhode::assembly
