// SPDX-License-Identifier: BSD-3-Clause
// Channels that share one row: a buffer of rows, and the extensible datasets that it is written to.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hdf5.hpp"
#include "polhode/analyses/channel.hpp"

namespace polhode::io {

class Histories {
 public:
  Histories(hid_t file, const std::vector<analyses::Channel>& channels, std::size_t row_size);

  // Copies the row; true when the buffer is full, so that write() has to follow.
  bool push(std::span<const double> row);
  void write();  // the buffered rows, to the datasets

  bool empty() const { return buffered_ == 0; }
  hsize_t rows() const { return written_ + buffered_; }

 private:
  struct History {
    hdf5::Handle dataset;
    std::size_t offset = 0, size = 0;
    bool integer = false;
    std::vector<hsize_t> shape;  // with the time axis
  };
  void write(History& history);

  std::vector<History> histories_;
  std::size_t row_size_, capacity_, buffered_ = 0;
  hsize_t written_ = 0;
  std::vector<double> rows_, column_;
  std::vector<std::int32_t> integers_;
};

}  // namespace polhode::io
