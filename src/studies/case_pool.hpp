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
    std::function<Row(std::size_t)> run;       // in the process of the case
    std::function<std::optional<std::size_t>()> next;   // the number of another case to be done
    std::function<void(const Row&)> finished;  // in this process; may throw
    std::function<void()> waiting;                      // called at least five times a second
    std::function<bool()> interrupted;
    std::size_t responses = 0;  // of each row
  };

  CasePool(int jobs, double timeout, Work work);  // timeout in s by the clock; 0: none
  ~CasePool();                                    // ends what still runs
  CasePool(const CasePool&) = delete;
  CasePool& operator=(const CasePool&) = delete;

  void run();  // until no case is left, or interrupted; throws io::ResultsError where a case could not write its files

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
  std::vector<std::size_t> again_;  // whose processes were killed from outside; each gets a second try

  void start(std::size_t number, bool again);
  void wait();
  bool hear(Running& one);  // false at its end
  void end(Running& one);
};

}  // namespace polhode::studies
