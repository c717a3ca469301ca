// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that says how far a run is; nothing at all where standard error is no terminal.
#pragma once
#include <chrono>

namespace polhode::cli {

class Progress {
 public:
  Progress(double begin, double end);  // simulated time, s
  ~Progress();                         // takes the line away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // To be called after each step: `steps` so far and their linear solves. Prints at most ten times a second.
  void update(double time, long steps, long newton_solves);
  void clear();  // before a message goes to the terminal

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool visible_ = false;
  double begin_;
  double end_;
  Clock::time_point start_;
  Clock::time_point last_print_;
};

}  // namespace polhode::cli
