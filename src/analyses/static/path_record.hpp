// SPDX-License-Identifier: BSD-3-Clause
// What a path of equilibria leaves behind: states and warnings for its observer, counts and failures in its result.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "polhode/analyses/static/static.hpp"

namespace polhode::analyses {

class PathRecord {
 public:
  // Keeps references.
  PathRecord(StaticObserver& observer, StaticResult& result) : observer_(observer), result_(result) {}

  void observe(const model::State& q, const StaticStep& step, bool last) { observer_.observe(q, step, last); }
  void warn(const std::string& text) { observer_.warn(text); }
  // For the summary: no reason to warn.
  void note(std::string text) { result_.notes.push_back(std::move(text)); }

  void add_step(const StaticStep& step) {
    ++result_.steps;
    result_.iterations += step.iterations;
    result_.load_factor = step.load_factor;
    result_.smallest_pivot = step.smallest_pivot;
  }
  // Of an equilibrium that takes the place of the last one.
  void add_rest(int solves) { result_.iterations += solves; }
  void add_limit_load(double s) { result_.limit_loads.push_back(s); }
  void add_wasted(int solves) { result_.wasted += solves; }
  void set_unstable(int directions) { result_.unstable = directions; }
  const StaticResult& result() const { return result_; }

  struct Reason {
    std::string text;
    std::vector<std::string> details;
  };
  void fail(Reason reason) { fail(reason.text, std::move(reason.details)); }
  // The analysis ends here: the reason, and lines of detail.
  void fail(const std::string& text, std::vector<std::string> details = {}) {
    result_.end = StaticResult::End::failed;
    result_.failure = text;
    result_.details = std::move(details);
  }
  bool interrupted() const { return observer_.interrupted(); }
  RestartPoints* restart_points() { return observer_.restart_points(); }
  void archive(math::Archive& a) {
    a(result_.limit_loads, result_.steps, result_.iterations, result_.wasted, result_.load_factor, result_.unstable,
      result_.notes, result_.smallest_pivot);
  }
  // The analysis ends here if it has been interrupted.
  bool end_if_interrupted() {
    if (!interrupted()) return false;
    result_.end = StaticResult::End::interrupted;
    return true;
  }

 private:
  StaticObserver& observer_;
  StaticResult& result_;
};

}  // namespace polhode::analyses
