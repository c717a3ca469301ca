// SPDX-License-Identifier: BSD-3-Clause
// Channels that share one row: the extensible datasets that they are written to, and a chunk of each as a buffer.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io {

// How many rows will come: at most so many where that is known, else about as many; 0 if nothing is known.
struct ExpectedRows {
  double number = 0;
  bool is_known = false;
};

// Rows in a chunk of a history with rows of so many bytes, of which so many are expected; chunks are stored whole.
hsize_t rows_of_chunk(std::size_t row_bytes, const ExpectedRows& expected);

// Numbers go from the row into the chunk of their channel, which goes to the file whole as soon as it is full (past
// HDF5's own cache of chunks, which would copy it again). Short rows wait for each other, so that a channel is called for
// many of them at once; where one row fills a chunk, it goes to the file straight.
class Histories {
 public:
  // Creates the datasets, empty. `row_size`: numbers in a row. Throws hdf5::Error, as do all others.
  Histories(hid_t file, const std::vector<results::Channel>& channels, std::size_t row_size,
            const ExpectedRows& expected);

  // Adds a row of `row_size` numbers. Allocates nothing; writes to the file where fills_chunk() says so.
  void push(std::span<const double> row);
  // Whether the next row fills a chunk, which goes to the file.
  bool fills_chunk() const { return room_ <= 1; }
  // Writes chunks that are not full yet; all datasets have rows() rows after it.
  void write();

  hsize_t rows() const { return rows_; }
  // So many chunks have come since the last write() that the file driver needs a flush (file_driver.hpp).
  bool must_be_flushed() const { return rows_ - written_rows_ >= rows_between_flushes_; }

 private:
  struct History {
    hdf5::Handle dataset;
    std::size_t offset = 0;       // in a row
    std::size_t size = 1;         // numbers a row
    bool integer = false;         // stored as int32
    hsize_t chunk_rows = 1;       // rows that a chunk has
    hsize_t in_chunk = 0;         // rows that it holds so far
    std::vector<hsize_t> shape;   // with the time axis
    std::vector<double> numbers;  // the chunk; of integers the other one
    std::vector<std::int32_t> integers;
  };
  // Rows until the next chunk is full.
  hsize_t smallest_room() const;
  // Rows that wait, into the chunks: no chunk has room for fewer.
  void distribute(const double* rows, std::size_t count);
  static void copy_column(const double* from, std::size_t row_size, std::size_t count, History& history);
  void distribute_waiting();
  static void make_dataset(hid_t file, const results::Channel& channel, History& history);
  void write_chunk(History& history, const void* data);

  std::vector<History> histories_;
  std::size_t row_size_;
  // Rows that are in no chunk yet, one behind the other, and how many have room; 0: none waits
  std::vector<double> waiting_;
  std::size_t most_waiting_;
  std::size_t waiting_rows_ = 0;
  hsize_t rows_ = 0;
  hsize_t room_ = 0;
  hsize_t written_rows_ = 0;
  hsize_t rows_between_flushes_;
};

}  // namespace polhode::io
