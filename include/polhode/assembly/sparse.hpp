// SPDX-License-Identifier: BSD-3-Clause
// A square sparse matrix in compressed columns, its pattern fixed and shared, its values changing.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "polhode/math/column_width.hpp"
#include "polhode/math/large_vector.hpp"

namespace polhode::assembly {

struct BlockOrder;

// Columns by increasing index, as KLU wants them: entry p of column j stands in row[p], column_start[j] <= p.
struct SparsePattern {
  int size = 0;
  // size + 1 of them
  std::vector<int> column_start;
  // Ascending in each column
  std::vector<int> row;
  // Where given: first unknown of each group of unknowns that belong together (nodes, rows of a joint), and size at the
  // end. All columns of a group have the same rows, whole groups.
  std::vector<int> block_start;
  // Groups from this unknown on (constraints) want to be eliminated after the others
  int late = std::numeric_limits<int>::max();
  // Where the value of each entry is kept; empty: in the order of the entries. Models keep theirs by blocks (a group of
  // rows, a group of columns), each dense by columns.
  std::vector<int> place;
  // Values beyond those of the entries: zeros below columns, and for whoever fills the matrix
  int spare = 0;
  // Blocks in the rows of groups from `late` on have columns of math::column_width(), with zeros below, so that their
  // factors may take their place.
  bool wide_rows = false;
  // In which its blocks are eliminated, where that is known already
  std::shared_ptr<const BlockOrder> order = nullptr;

  // How many values a matrix has
  std::size_t values() const { return row.size() + static_cast<std::size_t>(spare); }
};

// The parts of a pattern, which has to outlive it.
struct PatternView {
  explicit PatternView(const SparsePattern& p)
      : size(p.size),
        column_start(p.column_start),
        row(p.row),
        block_start(p.block_start),
        place(p.place),
        late(p.late),
        wide_rows(p.wide_rows),
        order(p.order.get()) {}

  // Where the value of an entry is kept.
  int place_of(int entry) const { return place.empty() ? entry : place[entry]; }
  // From one column to the next of a block of so many rows that begins with this one.
  int stride(int first_row, int rows) const { return wide_rows && first_row >= late ? math::column_width(rows) : rows; }

  int size;
  std::span<const int> column_start;
  std::span<const int> row;
  std::span<const int> block_start;
  std::span<const int> place;
  int late;
  bool wide_rows;
  const BlockOrder* order;
};

// With values, zero at first.
struct SparseMatrix : PatternView {
  explicit SparseMatrix(const SparsePattern& p)
      : PatternView(p), values(p.values(), 0.0) {}

  double& at(int entry) { return values[place_of(entry)]; }
  double at(int entry) const { return values[place_of(entry)]; }

  // Of entries in the order of `place`
  math::LargeVector<double> values;
};

// Of solvers: factors take the place of the matrix
struct InPlace {
  // Solutions are steps of an iteration, which makes good what is lost to small pivots
  bool is_iterated = true;
};

}  // namespace polhode::assembly
