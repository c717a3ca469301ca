// SPDX-License-Identifier: BSD-3-Clause
// Sizes of chunks: what HDF5 keeps in memory for each of them, and what the last one wastes.
#include <gtest/gtest.h>

#include "io/hdf5/histories.hpp"

namespace polhode {
namespace {

// HDF5 keeps about 180 bytes for each node of the index of a dataset, and a node has 32 chunks.
TEST(Chunks, OfALongHistoryTakeAtMostATenThousandthOfItInMemory) {
  for (const std::size_t row_bytes : {4, 8, 24, 48, 64}) {
    const double rows = 1e8;
    const double nodes = rows / static_cast<double>(io::rows_of_chunk(row_bytes, {rows, true})) / 32;
    EXPECT_LT(180 * nodes, 1e-4 * rows * static_cast<double>(row_bytes)) << row_bytes;
  }
}

TEST(Chunks, OfShortRowsFillWholePages) {
  for (const std::size_t row_bytes : {4, 8, 24, 48, 64})
    for (const double rows : {0.0, 1e3, 7e4, 3e5, 1e6, 1e8})
      EXPECT_EQ(io::rows_of_chunk(row_bytes, {rows, false}) * row_bytes % 4096, 0u) << row_bytes << ' ' << rows;
}

TEST(Chunks, AreAtMostASixtyFourthOfTheHistoryWhereTheyAreLong) {
  for (const std::size_t row_bytes : {4, 8, 24, 48, 64})
    for (const double rows : {7e4, 3e5, 1e6, 1e8}) {
      const auto chunk = static_cast<double>(io::rows_of_chunk(row_bytes, {rows, false}));
      EXPECT_LE(chunk, rows / 64) << row_bytes << ' ' << rows;
      EXPECT_LE(chunk * static_cast<double>(row_bytes), 128 * 1024) << row_bytes << ' ' << rows;
    }
}

}  // namespace
}  // namespace polhode
