// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that says how far a run or a study is, at most ten times a second.
#pragma once
#include <chrono>
#include <string>

#include "polhode/run/messages.hpp"

namespace polhode::cli {

class Progress {
 public:
  explicit Progress(run::Messages& messages) : messages_(messages) {}
  ~Progress() { messages_.clear_status(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts the clock of the time left anew.
  void restart();
  // Shows what `make_text()` returns, with the time left where `fraction` of the work is done. `make_text` is called
  // only where the line is due. For one thread at a time.
  template <class MakeText>
  void show(double fraction, const MakeText& make_text) {
    if (is_due()) show_text(fraction, make_text());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  void show_text(double fraction, std::string text);

  run::Messages& messages_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace polhode::cli
