// SPDX-License-Identifier: BSD-3-Clause
// Sizes of results, counted before a run.
#include "results_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "polhode/io/hdf5/results.hpp"
#include "polhode/math/free_memory.hpp"

namespace polhode::run {
namespace {

double number_of_nodes(const results::Layout& layout) {
  const auto names = std::find_if(layout.statics.begin(), layout.statics.end(),
                                  [](const results::StaticData& data) { return data.path == "/nodes/names"; });
  return names == layout.statics.end() ? 0 : static_cast<double>(names->names.size());
}

// Real and imaginary parts of six numbers a node; all else of a mode is little.
double bytes_of_modes(double modes, const results::Layout& layout) {
  return modes * number_of_nodes(layout) * 12 * static_cast<double>(sizeof(double));
}

}  // namespace

io::RunInfo run_info_of(const io::Deck& deck) {
  const results::RunContents contents = analyses::contents_of(deck.analyses);
  const bool at_given_times = deck.output.interval || !deck.output.times.empty();
  io::RunInfo info{deck.title, deck.text, {}, analyses::expected_states(deck.analyses, deck.output)};
  info.expected_steps = analyses::expected_states(deck.analyses, results::OutputSettings{});
  // Load steps of static analyses are not counted beforehand.
  info.steps_are_known = !contents.step_control;
  info.states_are_known = !contents.static_analyses && (at_given_times || !contents.step_control);
  return info;
}

// State at the begin of the analysis and at the point, what methods keep for each node, what observers gather.
io::RestartInfo restart_info_of(const io::Deck& deck, const results::Layout& layout) {
  constexpr double of_node = 110;
  constexpr double of_run = 200;
  io::RestartInfo info;
  info.enabled = deck.output.restart != 0;
  info.keeps_all = deck.output.restart.has_value();
  std::error_code none;
  info.deck_file = std::filesystem::absolute(deck.file, none).lexically_normal();
  const double rows = deck.analyses.size() > 1 ? 2 * static_cast<double>(layout.state_size) : 0;
  info.expected_words = of_node * number_of_nodes(layout) + of_run + rows;
  if (!info.enabled) return info;
  if (!deck.analyses.empty()) info.expected_points = static_cast<double>(deck.analyses.size()) - 1;
  double begin = 0;
  for (const analyses::Analysis& one : deck.analyses) {
    const double steps = one.expected_states(results::OutputSettings{}, begin) - 1;
    info.expected_points += std::floor(steps / deck.output.restart.value_or(analyses::steps_between_points));
    begin += one.duration();
  }
  return info;
}

// One entry of /solver a step, which is a state a step without its first one; of transients alone.
ResultsSize results_size_of(const io::Deck& deck, const results::Layout& layout) {
  const results::RunContents contents = analyses::contents_of(deck.analyses);
  const bool controlled = contents.step_control;
  const bool by_steps = !deck.output.interval && deck.output.times.empty();
  ResultsSize size;
  io::RunInfo info = run_info_of(deck);
  info.responses.resize(deck.responses.size());
  info.restart = restart_info_of(deck, layout);
  size.states = info.expected_states;
  size.states_are_guessed = by_steps && controlled;
  size.bytes_are_guessed = controlled;
  double steps = 0;
  double begin = 0;
  for (const analyses::Analysis& one : deck.analyses) {
    if (one.duration() > 0) steps += one.expected_states(results::OutputSettings{}, begin) - 1;
    begin += one.duration();
  }
  const double modes = bytes_of_modes(contents.modes, layout);
  size.bytes = io::expected_bytes(info, layout, size.states, steps) + modes;
  size.known_bytes = size.bytes;
  if (controlled) size.known_bytes = io::expected_bytes(info, layout, by_steps ? 0 : size.states, 0) + modes;
  return size;
}

std::string shortage_of(const std::string& file, double bytes) {
  namespace fs = std::filesystem;
  std::error_code none;
  // Of a link the disk is that of the file it leads to.
  const fs::path folder = fs::weakly_canonical(fs::absolute(file, none), none).parent_path();
  const fs::space_info space = fs::space(folder, none);
  if (none) return "";
  auto free = static_cast<double>(space.available);
  if (fs::is_regular_file(file, none)) free += static_cast<double>(fs::file_size(file, none));
  if (bytes <= free) return "";
  return fmt::format(
      "{}: the results do not fit on its disk: about {}, and {} are free; store fewer states or fields (`output`)",
      file, math::bytes_text(bytes), math::bytes_text(free));
}

}  // namespace polhode::run
