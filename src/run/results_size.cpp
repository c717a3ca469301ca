// SPDX-License-Identifier: BSD-3-Clause
// Sizes of results, counted before a run.
#include "results_size.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>

#include "polhode/results/kept_fields.hpp"

namespace polhode::run {
namespace {

// Integers are stored in four bytes.
double bytes_of_row(const std::vector<results::Channel>& channels) {
  double bytes = 0;
  for (const results::Channel& channel : channels)
    bytes += static_cast<double>(results::numbers_of(channel.shape)) *
             static_cast<double>(channel.integer ? sizeof(std::int32_t) : sizeof(double));
  return bytes;
}

std::string size_text(double bytes) {
  constexpr std::array units{"MB", "GB", "TB", "PB"};
  double size = bytes * 1e-6;
  std::size_t unit = 0;
  while (size >= 1000 && unit + 1 < units.size()) {
    size *= 1e-3;
    ++unit;
  }
  return fmt::format("{:.3g} {}", size, units[unit]);
}

}  // namespace

// One entry of /solver a step, which is a state a step without its first one.
ResultsSize results_size_of(const io::Deck& deck, const results::Layout& layout) {
  const bool controlled = analyses::contents_of(deck.analyses).step_control;
  const bool by_steps = !deck.output.interval && deck.output.times.empty();
  ResultsSize size;
  size.states = analyses::expected_states(deck.analyses, deck.output);
  size.states_are_guessed = by_steps && controlled;
  size.bytes_are_guessed = controlled;
  const double steps = analyses::expected_states(deck.analyses, results::OutputSettings{});
  size.bytes = size.states * bytes_of_row(layout.states) + steps * bytes_of_row(layout.steps);
  return size;
}

std::string shortage_of(const std::string& file, double bytes) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::absolute(file, none).parent_path();
  const fs::space_info space = fs::space(folder, none);
  if (none) return "";
  auto free = static_cast<double>(space.available);
  if (fs::is_regular_file(file, none)) free += static_cast<double>(fs::file_size(file, none));
  if (bytes <= free) return "";
  return fmt::format("about {}, and {} are free", size_text(bytes), size_text(free));
}

}  // namespace polhode::run
