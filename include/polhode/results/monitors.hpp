// SPDX-License-Identifier: BSD-3-Clause
// Monitors: numbers that show, step by step, whether a transient may be trusted.
//
// A new monitor is one more entry in src/results/monitors.cpp. Each has a line in /log, and all but some in the summary,
// with its worst and its last value, and a history: in /monitors, or where the results have the numbers already.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/math/archive.hpp"
#include "polhode/results/channel_table.hpp"

namespace polhode::results {

struct Monitor {
  // In words of paths: "energy_balance".
  std::string_view name;
  // SI; "1" of ratios.
  std::string_view unit;
  // One line, what it is and what a bad value means.
  std::string_view doc;
  // NaN where a step has none. Allocates nothing.
  double (*value)(const StepSample& sample);
  // The worst value is the smallest one, else the one farthest from zero.
  bool smallest = false;
  // Path of its history, a number a step. Those in /monitors are made of this table.
  std::string_view history;
  // For who looks closely: in the log, and not in the summary
  bool detail = false;
  // Has a new value in steps at which all nodes are looked at alone.
  bool sampled = false;
};

// All monitors, in the order of the summary.
std::span<const Monitor> monitors();
// Histories in /monitors, a row a step.
std::vector<StepChannel> monitor_channels();

// Worst and last values over the steps of an analysis.
class MonitorExtremes {
 public:
  MonitorExtremes();
  // `looked`: all nodes were looked at in this step. Allocates nothing.
  void add(const StepSample& sample, bool looked);
  // One line a monitor that any step had a value of: "energy_balance: worst -0.001 J at t = 0.3 s, -0.0005 J at the
  // end". Those for the summary, or those with `detail` set.
  std::vector<std::string> lines(bool detail = false) const;

  void archive(math::Archive& a) {
    for (Extreme& one : extremes_) a(one.worst, one.time, one.last, one.badness);
  }

  struct Extreme {
    double worst;
    // s
    double time;
    double last;
    // Of the worst value: its size, or its negative where the smallest is the worst; without one -infinity
    double badness;
  };

 private:
  // In the order of monitors()
  std::vector<Extreme> extremes_;
};

}  // namespace polhode::results
