// SPDX-License-Identifier: BSD-3-Clause
// The size of a results file before it is written. Constants are those of files that were written: of nine decks, from
// 1 to 500 000 states, the sum is 1 % below to 3 % above the size of the file; 9 % below for a deck with a `band` of
// modes, whose number is a guess.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "io/hdf5/histories.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/results/kept_fields.hpp"

namespace polhode::io {
namespace {

// Superblock, groups' root, collections of texts, the log.
constexpr double bytes_of_file = 12 * 1024;
// Header with description and unit, and its part in the tables of names of its groups.
constexpr double bytes_of_dataset = 1000;
// A node of an index of chunks lies in a page of its own, as chunks do; one that grew by splits is half full.
constexpr double page = 4096;
constexpr double chunks_of_node = 32;
// In a collection of texts, beside the text, with its pointer.
constexpr double bytes_of_text = 40;

double whole_pages(double bytes) { return page * std::ceil(bytes / page); }

double bytes_of_history(const results::Channel& channel, double rows, double expected) {
  const double numbers = static_cast<double>(results::numbers_of(channel.shape));
  if (numbers == 0 || rows <= 0) return 0;
  const double row = numbers * static_cast<double>(channel.integer ? sizeof(std::int32_t) : sizeof(double));
  const auto chunk_rows = static_cast<double>(rows_of_chunk(static_cast<std::size_t>(row), expected));
  const double chunks = std::ceil(rows / chunk_rows);
  return chunks * whole_pages(chunk_rows * row) + page * (1 + std::floor(chunks / chunks_of_node));
}

double bytes_of_data(const results::StaticData& data) {
  double bytes = static_cast<double>(data.numbers.size() * sizeof(double) + data.indices.size() * sizeof(std::int32_t));
  for (const std::string& name : data.names) bytes += static_cast<double>(name.size()) + bytes_of_text;
  return bytes;
}

}  // namespace

double expected_bytes(const RunInfo& info, const results::Layout& layout, double states, double steps) {
  const std::size_t datasets =
      layout.states.size() + layout.steps.size() + layout.statics.size() + info.responses.size();
  double bytes = bytes_of_file + bytes_of_dataset * static_cast<double>(datasets);
  bytes += static_cast<double>(info.title.size() + info.deck_text.size());
  for (const results::Channel& channel : layout.states)
    bytes += bytes_of_history(channel, states, info.expected_states);
  for (const results::Channel& channel : layout.steps) bytes += bytes_of_history(channel, steps, 0);
  for (const results::StaticData& data : layout.statics) bytes += bytes_of_data(data);
  return bytes;
}

}  // namespace polhode::io
