// SPDX-License-Identifier: BSD-3-Clause
// Buffered rows and their datasets: creation, sizes of chunks, and the way from rows to columns.
#include "histories.hpp"

#include <algorithm>

namespace polhode::io {
namespace {

constexpr std::size_t buffer_bytes = 512 * 1024, largest_buffer = 4096;  // of the rows; rows

// Rows in a chunk. Chunks are stored whole, so short histories want small ones; 16 kB is enough for speed.
hsize_t chunk_rows(std::size_t row_bytes) {
  const std::size_t rows = std::clamp<std::size_t>(16 * 1024 / row_bytes, 16, 1024);
  return std::clamp<std::size_t>(rows, 1, std::max<std::size_t>(1, 1024 * 1024 / row_bytes));
}

}  // namespace

Histories::Histories(hid_t file, const std::vector<analyses::Channel>& channels, std::size_t row_size)
    : row_size_(row_size),
      capacity_(std::clamp<std::size_t>(buffer_bytes / (sizeof(double) * std::max<std::size_t>(row_size, 1)), 1,
                                        largest_buffer)) {
  const hdf5::Handle links = hdf5::make_link_properties();
  std::size_t widest = 0, widest_integer = 0;
  for (const analyses::Channel& channel : channels) {
    History history;
    history.offset = channel.offset;
    history.integer = channel.integer;
    history.size = 1;
    history.shape = {0};
    std::vector<hsize_t> limit = {H5S_UNLIMITED}, chunk = {0};
    for (const int n : channel.shape) {
      history.size *= static_cast<std::size_t>(n);
      history.shape.push_back(static_cast<hsize_t>(n));
      limit.push_back(static_cast<hsize_t>(n));
      chunk.push_back(static_cast<hsize_t>(std::max(n, 1)));  // an empty axis is allowed, an empty chunk is not
    }
    const std::size_t number = history.integer ? sizeof(std::int32_t) : sizeof(double);
    chunk[0] = chunk_rows(number * std::max<std::size_t>(history.size, 1));

    const int rank = static_cast<int>(history.shape.size());
    const hdf5::Handle space(H5Screate_simple(rank, history.shape.data(), limit.data()), H5Sclose);
    const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    hdf5::checked(H5Pset_chunk(properties, rank, chunk.data()));
    hdf5::checked(H5Pset_obj_track_times(properties, false));  // nothing but the size changes while it grows
    history.dataset =
        hdf5::Handle(H5Dcreate2(file, channel.path.c_str(), history.integer ? H5T_STD_I32LE : H5T_IEEE_F64LE, space,
                                links, properties, H5P_DEFAULT),
                     H5Dclose);
    hdf5::write_attribute(history.dataset, "units", channel.units.empty() ? "1" : channel.units);
    hdf5::write_attribute(history.dataset, "description", channel.description);
    if (!channel.frame.empty()) hdf5::write_attribute(history.dataset, "frame", channel.frame);

    std::size_t& width = history.integer ? widest_integer : widest;
    width = std::max(width, history.size);
    histories_.push_back(std::move(history));
  }
  rows_.resize(capacity_ * row_size_);
  column_.resize(capacity_ * widest);
  integers_.resize(capacity_ * widest_integer);
}

bool Histories::push(std::span<const double> row) {
  if (row.size() != row_size_) throw std::invalid_argument("a row of the results has not the length of its layout");
  std::copy(row.begin(), row.end(), rows_.begin() + static_cast<std::ptrdiff_t>(buffered_ * row_size_));
  return ++buffered_ == capacity_;
}

void Histories::write() {
  if (buffered_ == 0) return;
  for (History& history : histories_) write(history);
  written_ += buffered_;
  buffered_ = 0;
}

void Histories::write(History& history) {
  history.shape[0] = written_ + buffered_;
  hdf5::checked(H5Dset_extent(history.dataset, history.shape.data()));
  if (history.size == 0) return;

  for (std::size_t row = 0; row < buffered_; ++row) {
    const double* from = rows_.data() + row * row_size_ + history.offset;
    const auto place = static_cast<std::ptrdiff_t>(row * history.size);
    if (history.integer)
      std::transform(from, from + history.size, integers_.begin() + place,
                     [](double number) { return static_cast<std::int32_t>(number); });
    else
      std::copy(from, from + history.size, column_.begin() + place);
  }

  hsize_t start[H5S_MAX_RANK] = {written_}, count[H5S_MAX_RANK];
  std::copy(history.shape.begin(), history.shape.end(), count);
  count[0] = buffered_;
  const int rank = static_cast<int>(history.shape.size());
  const hdf5::Handle file_space(H5Dget_space(history.dataset), H5Sclose);
  hdf5::checked(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr));
  const hdf5::Handle memory_space(H5Screate_simple(rank, count, nullptr), H5Sclose);
  const void* data = history.integer ? static_cast<const void*>(integers_.data()) : column_.data();
  hdf5::checked(H5Dwrite(history.dataset, history.integer ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, memory_space,
                         file_space, H5P_DEFAULT, data));
}

}  // namespace polhode::io
