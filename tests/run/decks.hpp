// SPDX-License-Identifier: BSD-3-Clause
// Small decks to run, and the messages of their runs, for the tests of this folder.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/run/messages.hpp"
#include "support/deck_text.hpp"
#include "support/program.hpp"

namespace polhode::run {

// A mass of 2 kg that falls from rest; after t its height is -g t^2 / 2.
inline std::string falling(const std::string& analysis) {
  return "format: polhode-deck/1\ntitle: Falling mass\ngravity: [0, 0, -10]\n"
         "nodes: {mass: {position: [0, 0, 0], dofs: translation}}\n"
         "bodies: {mass: {type: point_mass, node: mass, mass: 2}}\n"
         "responses: {height: {last: nodes.mass.position.z}, speed: {max_abs: nodes.mass.velocity}}\n"
         "analysis: " +
         analysis + "\n";
}

inline const std::string one_second = "{type: transient, duration: 1, step: 0.01}";

// Of the benchmark; its duration is that of a published figure, longer than most tests need.
inline io::Deck heavy_top(const std::vector<std::string>& settings) {
  return io::read_deck(support::shipped("benchmarks/heavy_top.yaml"), settings);
}

// Messages of a run, kept as lines with their levels.
struct Kept {
  std::vector<std::pair<Level, std::string>> lines;
  Messages messages;
  explicit Kept(Level least = Level::info) {
    messages.pass_to([this](Level level, std::string_view text) { lines.emplace_back(level, text); }, least);
  }
  bool has(Level level, const std::string& part) const {
    for (const auto& [one, text] : lines)
      if (one == level && text.find(part) != std::string::npos) return true;
    return false;
  }
};

}  // namespace polhode::run
