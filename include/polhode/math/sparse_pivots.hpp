// SPDX-License-Identifier: BSD-3-Clause
// Which columns of a sparse matrix depend on the others: pivots of an elimination that keeps it sparse.
#pragma once
#include <utility>
#include <vector>

namespace polhode::math {

// Entries (column, value) of a row, columns ascending or not, no column twice.
using SparseRow = std::vector<std::pair<int, double>>;

// A column for each row, none twice, in the order of elimination; none for rows that others eliminate wholly. The
// square matrix of these columns is regular. Pivots are at least a third of the largest entry that is left in their
// row; among those, the one that fills least is taken (Markowitz: other rows of the column times other columns of the
// row), then the largest. Where rows hang together as a tree the number of operations grows with the number of rows.
// Allocates.
std::vector<int> sparse_pivots(std::vector<SparseRow> rows, int columns);

}  // namespace polhode::math
