// SPDX-License-Identifier: BSD-3-Clause
// The size of a results file before it is written. Constants are those of files that were written: see results.hpp.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>

#include "io/hdf5/datasets.hpp"
#include "io/hdf5/histories.hpp"
#include "io/hdf5/named_parts.hpp"
#include "io/hdf5/restart_points.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

// Superblock and the log.
constexpr double bytes_of_file = 4 * 1024;
// Header with description and unit, and its part in the table of names of its group; of a window on a shared history
// (named_parts.hpp) with its places there.
constexpr double bytes_of_dataset = 560;
// Header and empty table of names.
constexpr double bytes_of_group = 1150;
// A node of an index of chunks lies in a page of its own; one that grew by splits is half full. So do chunks, but for
// small ones (ordered_file.cpp).
constexpr double page = 4096;
constexpr double aligned_from = 2048;
constexpr double chunks_of_node = 32;
// In a collection of texts, beside the text, with its pointer.
constexpr double bytes_of_text = 40;

double whole_pages(double bytes) { return bytes < aligned_from ? bytes : page * std::ceil(bytes / page); }

double bytes_of_history(const results::Channel& channel, double rows, const ExpectedRows& expected) {
  const double numbers = static_cast<double>(results::numbers_of(channel.shape));
  if (numbers == 0 || rows <= 0) return 0;
  const double row = numbers * static_cast<double>(channel.integer ? sizeof(std::int32_t) : sizeof(double));
  const auto chunk_rows = static_cast<double>(rows_of_chunk(static_cast<std::size_t>(row), expected));
  const double chunks = std::ceil(rows / chunk_rows);
  return chunks * whole_pages(chunk_rows * row) + page * (1 + std::floor(chunks / chunks_of_node));
}

double bytes_of_data(const results::StaticData& data) {
  const auto numbers =
      static_cast<double>(data.numbers.size() * sizeof(double) + data.indices.size() * sizeof(std::int32_t));
  if (const std::size_t length = hdf5::padded_length(data.names); length > 0)
    return numbers + static_cast<double>(length * data.names.size());
  double bytes = numbers;
  for (const std::string& name : data.names) bytes += static_cast<double>(name.size()) + bytes_of_text;
  return bytes;
}

// Of "/joints/pivot/force" these are "/joints/pivot" and "/joints".
void add_groups_of(std::string_view path, std::set<std::string_view>& groups) {
  for (std::size_t end = path.rfind('/'); end != 0 && end != std::string_view::npos; end = path.rfind('/')) {
    path = path.substr(0, end);
    groups.insert(path);
  }
}

// In blocks; of those that are not all kept four times as many as their number has digits.
double bytes_of_points(const RestartInfo& info) {
  const double kept = info.keeps_all
                          ? info.expected_points
                          : std::min(info.expected_points, 4 * std::log2(std::max(1.0, info.expected_points)));
  const auto words = static_cast<double>(words_of_block(info.expected_words));
  const double blocks = std::ceil(1.1 * info.expected_words / words);
  const double index = kept > 0 ? page * (1 + std::floor(kept * blocks / chunks_of_node)) : 0;
  constexpr double attributes = 300;
  return kept * blocks * words * sizeof(double) + index + attributes + static_cast<double>(info.deck_file.size());
}

// Headers of all datasets, and groups.
double bytes_of_structure(const RunInfo& info, const results::Layout& layout) {
  const std::vector<hdf5::NamedWindow> windows = hdf5::named_windows(layout);
  std::set<std::string_view> groups{"/", "/responses", "/restart"};
  for (const results::Channel& channel : layout.states) add_groups_of(channel.path, groups);
  for (const results::Channel& channel : layout.steps) add_groups_of(channel.path, groups);
  for (const results::StaticData& data : layout.statics) add_groups_of(data.path, groups);
  for (const hdf5::NamedWindow& window : windows) add_groups_of(window.path, groups);
  constexpr std::size_t texts = 2;  // the deck and the log
  const std::size_t datasets = layout.states.size() + layout.steps.size() + layout.statics.size() +
                               info.responses.size() + windows.size() + texts + 1;
  return bytes_of_dataset * static_cast<double>(datasets) + bytes_of_group * static_cast<double>(groups.size());
}

}  // namespace

double expected_bytes(const RunInfo& info, const results::Layout& layout, double states, double steps) {
  double bytes = bytes_of_file + bytes_of_structure(info, layout);
  bytes += static_cast<double>(info.title.size() + info.deck_text.size());
  for (const results::Channel& channel : layout.states)
    bytes += bytes_of_history(channel, states, {info.expected_states, info.states_are_known});
  for (const results::Channel& channel : layout.steps)
    bytes += bytes_of_history(channel, steps, {info.expected_steps, info.steps_are_known});
  for (const results::StaticData& data : layout.statics) bytes += bytes_of_data(data);
  bytes += bytes_of_points(info.restart);
  return bytes;
}

}  // namespace polhode::io
