// SPDX-License-Identifier: BSD-3-Clause
// Datasets of histories: creation, sizes of chunks, and the way from rows to chunks.
#include "io/hdf5/histories.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "io/hdf5/datasets.hpp"
#include "io/hdf5/file_driver.hpp"
#include "polhode/results/kept_fields.hpp"

namespace polhode::io {
namespace {

constexpr double most_bytes = 128 * 1024;
constexpr double least_bytes = 16 * 1024;

// Rows in a chunk where their number is not known. Chunks are stored whole, so short histories want small ones, of 16
// kB or what is expected to come. Long ones have 128 kB, which the system takes at half the cost a byte, while the
// chunks of all channels together still fit into the processor's cache. Short rows fill whole pages: each gap between
// chunks would be kept in memory by HDF5 as free space, for ever. The gaps behind nodes of the index are, too, one for
// some thirty chunks: histories of more than a hundred thousand short rows have longer chunks.
double rows_for_any_number(double row_bytes, double expected) {
  if (row_bytes <= 64) {
    const double pages = row_bytes <= 8 ? 1024 : 512;
    constexpr double least_chunks = 64;  // the last one is half empty: below 1 % of the history
    const double most = std::floor(most_bytes / (pages * row_bytes));
    return pages * std::clamp(std::floor(expected / (least_chunks * pages)), 1.0, most);
  }
  const double least = std::max(1.0, std::floor(least_bytes / row_bytes));
  return std::clamp(expected, least, std::max(least, std::floor(most_bytes / row_bytes)));
}

// Rows of a few kB in sum.
std::size_t rows_to_wait_for(std::size_t row_size) {
  constexpr std::size_t most_numbers = 1024;
  constexpr std::size_t most_rows = 32;
  const std::size_t rows = row_size > 0 ? std::min(most_rows, most_numbers / row_size) : 0;
  return rows > 1 ? rows : 0;
}

// `size` numbers of each row. Most histories of steps are one number.
template <class Number>
void copy_rows(const double* from, std::size_t row_size, std::size_t count, std::size_t size, Number* to) {
  if (size == 1) {
    for (std::size_t row = 0; row < count; ++row) to[row] = static_cast<Number>(from[row * row_size]);
    return;
  }
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t k = 0; k < size; ++k) to[row * size + k] = static_cast<Number>(from[row * row_size + k]);
}

}  // namespace

// What is known to come is one chunk where it is not too much, else some of about the same size. A few rows more, of
// steps in parts, make small chunks of their own.
hsize_t rows_of_chunk(std::size_t row_bytes, const ExpectedRows& expected) {
  const auto row = static_cast<double>(row_bytes);
  const double at_a_time = rows_for_any_number(row, expected.number);
  if (!expected.is_known || expected.number * row > std::min(most_bytes, at_a_time * row))
    return static_cast<hsize_t>(at_a_time);
  constexpr double few = 8;
  const double least = few * row <= 4096 ? few : 1;
  return static_cast<hsize_t>(std::max(least, std::ceil(expected.number)));
}

Histories::Histories(hid_t file, const std::vector<results::Channel>& channels, std::size_t row_size,
                     const ExpectedRows& expected)
    : row_size_(row_size),
      most_waiting_(rows_to_wait_for(row_size)),
      rows_between_flushes_(std::numeric_limits<hsize_t>::max()) {
  waiting_.resize(most_waiting_ * row_size);
  for (const results::Channel& channel : channels) {
    History history;
    history.offset = channel.offset;
    history.integer = channel.integer;
    history.size = results::numbers_of(channel.shape);
    const std::size_t number = history.integer ? sizeof(std::int32_t) : sizeof(double);
    // An axis of length zero still has chunks.
    history.chunk_rows = rows_of_chunk(number * std::max<std::size_t>(history.size, 1), expected);
    make_dataset(file, channel, history);
    const std::size_t numbers = history.size * static_cast<std::size_t>(history.chunk_rows);
    if (history.integer)
      history.integers.resize(numbers);
    else if (history.chunk_rows > 1)
      history.numbers.resize(numbers);
    // One chunk less, since rows that begin within a chunk touch one more.
    rows_between_flushes_ = std::min(rows_between_flushes_, (chunks_between_flushes - 1) * history.chunk_rows);
    histories_.push_back(std::move(history));
  }
  room_ = smallest_room();
}

// Time is the first axis and has no limit; a chunk has some rows of all the rest.
void Histories::make_dataset(hid_t file, const results::Channel& channel, History& history) {
  std::vector<hsize_t> limit = {H5S_UNLIMITED};
  std::vector<hsize_t> chunk = {history.chunk_rows};
  history.shape = {0};
  for (const int n : channel.shape) {
    history.shape.push_back(static_cast<hsize_t>(n));
    limit.push_back(static_cast<hsize_t>(n));
    chunk.push_back(static_cast<hsize_t>(std::max(n, 1)));  // an empty axis is allowed, an empty chunk is not
  }
  const int rank = static_cast<int>(history.shape.size());
  const hdf5::Handle space(H5Screate_simple(rank, history.shape.data(), limit.data()), H5Sclose);
  const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  hdf5::checked(H5Pset_chunk(properties, rank, chunk.data()));
  hdf5::checked(H5Pset_obj_track_times(properties, false));  // nothing but the size changes while it grows
  const hid_t type = history.integer ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
  history.dataset = hdf5::Handle(
      H5Dcreate2(file, channel.path.c_str(), type, space, hdf5::link_properties(), properties, H5P_DEFAULT), H5Dclose);
  hdf5::describe(history.dataset, channel.units.empty() ? "1" : channel.units, channel.description);
  if (!channel.frame.empty()) hdf5::write_attribute(history.dataset, "frame", channel.frame);
  for (const results::Link& link : channel.links)
    hdf5::write_attribute(history.dataset, link.attribute.c_str(), link.path);
}

void Histories::push(std::span<const double> row) {
  if (row.size() != row_size_) throw std::invalid_argument("a row of the results has not the length of its layout");
  ++rows_;
  --room_;
  if (most_waiting_ == 0) {
    distribute(row.data(), 1);
  } else {
    std::copy_n(row.data(), row_size_, waiting_.data() + waiting_rows_ * row_size_);
    if (++waiting_rows_ == most_waiting_ || room_ == 0) distribute_waiting();
  }
  if (room_ == 0) room_ = smallest_room();
}

void Histories::distribute_waiting() {
  const std::size_t count = waiting_rows_;
  waiting_rows_ = 0;
  if (count > 0) distribute(waiting_.data(), count);
}

// A row that fills a chunk goes to the file without a copy.
void Histories::distribute(const double* rows, std::size_t count) {
  for (History& history : histories_) {
    const double* from = rows + history.offset;
    const bool is_straight = !history.integer && history.chunk_rows == 1;
    if (!is_straight) copy_column(from, row_size_, count, history);
    history.in_chunk += count;
    if (history.in_chunk < history.chunk_rows) continue;
    if (history.integer)
      write_chunk(history, history.integers.data());
    else
      write_chunk(history, is_straight ? from : history.numbers.data());
    history.in_chunk = 0;
  }
}

// Integers are converted.
void Histories::copy_column(const double* from, std::size_t row_size, std::size_t count, History& history) {
  const std::size_t place = static_cast<std::size_t>(history.in_chunk) * history.size;
  if (history.integer)
    copy_rows(from, row_size, count, history.size, history.integers.data() + place);
  else
    copy_rows(from, row_size, count, history.size, history.numbers.data() + place);
}

hsize_t Histories::smallest_room() const {
  hsize_t room = std::numeric_limits<hsize_t>::max();
  for (const History& history : histories_) room = std::min(room, history.chunk_rows - history.in_chunk);
  return room;
}

// Chunks that are not full are written as they are, and again when they are.
void Histories::write() {
  distribute_waiting();
  for (History& history : histories_) {
    if (history.in_chunk == 0) continue;
    if (history.integer)
      write_chunk(history, history.integers.data());
    else
      write_chunk(history, history.numbers.data());
  }
  written_rows_ = rows_;
}

// The chunk that holds the last row. What lies in it past that row is of no meaning, nor is it part of the dataset.
void Histories::write_chunk(History& history, const void* data) {
  history.shape[0] = rows_;
  hdf5::checked(H5Dset_extent(history.dataset, history.shape.data()));
  if (history.size == 0) return;
  // First row of the chunk, a multiple of its rows.
  hsize_t start[H5S_MAX_RANK] = {(rows_ - 1) / history.chunk_rows * history.chunk_rows};
  const std::size_t bytes = static_cast<std::size_t>(history.chunk_rows) * history.size *
                            (history.integer ? sizeof(std::int32_t) : sizeof(double));
  hdf5::checked(H5Dwrite_chunk(history.dataset, H5P_DEFAULT, 0, start, bytes, data));
}

}  // namespace polhode::io
