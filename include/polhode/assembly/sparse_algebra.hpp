// SPDX-License-Identifier: BSD-3-Clause
// Products and diagonals of sparse matrices, for what is done once in an analysis.
#pragma once
#include <algorithm>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

// y = A x of the leading `size` rows and columns.
// x and y have `size` numbers each, and are not the same array.
inline void multiply(const SparseMatrix& A, const double* x, double* y, int size) {
  std::fill(y, y + size, 0.0);
  for (int column = 0; column < size; ++column)
    for (int p = A.column_start[column]; p < A.column_start[column + 1] && A.row[p] < size; ++p)
      y[A.row[p]] += A.at(p) * x[column];
}

// Calls visit(i, A_ii) of the first `count` columns; A_ii is a reference where A may change.
// Entries that the pattern does not have are passed over.
template <class Matrix, class Visit>
void for_each_diagonal(Matrix& A, int count, const Visit& visit) {
  for (int column = 0; column < count; ++column) {
    const auto begin = A.row.begin() + A.column_start[column];
    const auto end = A.row.begin() + A.column_start[column + 1];
    const auto entry = std::lower_bound(begin, end, column);
    if (entry != end && *entry == column)
      visit(column, A.values[static_cast<std::size_t>(A.place_of(static_cast<int>(entry - A.row.begin())))]);
  }
}

}  // namespace polhode::assembly
