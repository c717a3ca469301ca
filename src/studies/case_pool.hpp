// SPDX-License-Identifier: BSD-3-Clause
// Cases side by side, each in a process of its own: forked from the one that has read the study, so that nothing is
// read twice, and no case can harm another.
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
    // In the process of the case
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
  struct Running {
    std::size_t number;
    pid_t process;
    int pipe;
    Clock::time_point start;
    std::string said;
    bool too_late = false;
    bool again = false;
  };
  int jobs_;
  double timeout_;
  Work work_;
  std::vector<Running> running_;
  // Whose processes were killed from outside; each gets a second try
  std::vector<std::size_t> again_;

  void start(std::size_t number, bool again);
  void wait();
  // False at its end
  bool hear(Running& one);
  void end(Running& one);
};

}  // namespace polhode::studies
