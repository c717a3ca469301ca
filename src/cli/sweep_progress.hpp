// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that says how far a study is; nothing at all where standard error is no terminal.
#pragma once
#include <chrono>
#include <cstddef>

namespace polhode::cli {

class SweepProgress {
 public:
  explicit SweepProgress(std::size_t to_go);
  ~SweepProgress();  // takes the line away
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void add(bool completed);
  void show();  // at most ten times a second

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t all_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  bool terminal_;
  bool visible_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace polhode::cli
