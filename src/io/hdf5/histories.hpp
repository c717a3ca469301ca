// SPDX-License-Identifier: BSD-3-Clause
// Channels that share one row: the extensible datasets that they are written to, and a chunk of each as a buffer.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hdf5.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io {

// Each number is copied once, from the row into the chunk of its channel, which goes to the file whole as soon as it is
// full (past HDF5's own cache of chunks, which would copy it again). Where one row fills a chunk, it goes there
// straight.
class Histories {
 public:
  Histories(hid_t file, const std::vector<results::Channel>& channels, std::size_t row_size, double expected_rows);

  void push(std::span<const double> row);
  void write();  // what stands in chunks that are not full yet; all datasets have rows() rows after it

  hsize_t rows() const { return rows_; }

 private:
  struct History {
    hdf5::Handle dataset;
    std::size_t offset = 0;
    std::size_t size = 0;
    bool integer = false;
    // rows that a chunk has, and that it holds so far
    hsize_t chunk_rows = 1;
    hsize_t in_chunk = 0;
    std::vector<hsize_t> shape;            // with the time axis
    std::vector<double> numbers;           // the chunk
    std::vector<std::int32_t> integers;
  };
  void write_chunk(History& history, const void* data);

  std::vector<History> histories_;
  std::size_t row_size_;
  hsize_t rows_ = 0;
};

}  // namespace polhode::io
