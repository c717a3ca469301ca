// SPDX-License-Identifier: BSD-3-Clause
// The restart points of a results file, and what else a run needs that goes on from one of them.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "polhode/results/channel.hpp"

namespace polhode::io {

// Where a point stands.
struct RestartHead {
  // Of all points that the run has passed, from 1
  long number = 0;
  // Index in the deck
  int analysis = 0;
  // Accepted steps of this analysis; 0: at its begin
  long step = 0;
  // s
  double time = 0;
  // As analyses::RestartPlace
  bool any_duration = false;
  // Rows up to there
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
};

// What a results file says of its restart points.
struct RestartInfo {
  // There are any
  bool enabled = false;
  // All are kept, else the last ones and some before.
  bool keeps_all = false;
  // Words of a point, about; sets the size of blocks
  double expected_words = 0;
  // About
  double expected_points = 0;
  // Absolute
  std::string deck_file;
  // digest() of the tables that the deck reads, as text
  std::string tables;
};

// A results file as it is when it is opened. A file of others is read by a child. All members throw FileError.
class RestartSource {
 public:
  // Refuses a file without restart points, of another version or format of this program, and what is no results file.
  explicit RestartSource(const std::string& file);

  const std::string& file() const { return file_; }
  // As it was read by the run.
  const std::string& deck_text() const { return deck_text_; }
  const RestartInfo& info() const { return info_; }
  // Points that are whole and whose rows are there, in ascending order.
  const std::vector<RestartHead>& points() const { return points_; }
  // What the run has kept there.
  std::vector<double> body_of(const RestartHead& point) const;

  // The first `count` rows of states and steps, one after the other. `layout` has to be that of the run.
  using TakeRow = std::function<void(std::span<const double> row)>;
  void copy_states(const results::Layout& layout, std::uint64_t count, const TakeRow& take) const;
  void copy_steps(const results::Layout& layout, std::uint64_t count, const TakeRow& take) const;
  // Data apart from histories with names or numbers, of which all the rest is known.
  results::StaticData data_like(const results::StaticData& form) const;

 private:
  void copy_rows(const std::vector<results::Channel>& channels, std::size_t row_size, std::uint64_t count,
                 const TakeRow& take) const;

  std::string file_;
  std::string deck_text_;
  RestartInfo info_;
  std::vector<RestartHead> points_;
  // By point: first word and number of words of its body
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;
};

}  // namespace polhode::io
