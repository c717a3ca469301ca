// SPDX-License-Identifier: BSD-3-Clause
// Cases side by side, in processes that are forked from the one that has read the study, so that nothing is read twice
// and no case can harm another. A process does one case after the other, as long as none ends it: a fork costs more than
// a short run.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polhode/studies/rows.hpp"

namespace polhode::studies {

class CasePool {
 public:
  struct Work {
    // In the process of the case, which may have done others before
    std::function<Row(std::size_t)> run;
    // The number of another case to be done
    std::function<std::optional<std::size_t>()> next;
    // In this process; may throw
    std::function<void(const Row&)> finished;
    // Called at least five times a second
    std::function<void()> waiting;
    std::function<bool()> interrupted;
    // Of each row
    std::size_t responses = 0;
  };

  // Timeout in s by the clock; 0: none
  CasePool(int jobs, double timeout, Work work);
  // Ends what still runs
  ~CasePool();
  CasePool(const CasePool&) = delete;
  CasePool& operator=(const CasePool&) = delete;

  // Until no case is left, or interrupted; throws io::ResultsError where a case could not write its files
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  // A process, and the case that it does now.
  struct Running {
    // None: asked to end
    std::optional<std::size_t> number;
    pid_t process;
    // Socket: numbers of cases to it, rows from it
    int line;
    // Of the case
    Clock::time_point start;
    std::string said;
    // Cases that it has done
    int done = 0;
    bool too_late = false;
    bool again = false;
  };
  int jobs_;
  double timeout_;
  Work work_;
  std::vector<Running> running_;
  // Whose processes were killed from outside, or ended after they had done others; each gets a second try by itself
  std::vector<std::size_t> again_;
  // Whether the study may have another case
  bool more_ = true;

  std::optional<std::size_t> next();
  void start(std::size_t number, bool again);
  void give(Running& one, std::optional<std::size_t> number);
  void wait();
  // False at its end
  bool hear(Running& one);
  void take_rows(Running& one);
  void end(Running& one);
};

}  // namespace polhode::studies
