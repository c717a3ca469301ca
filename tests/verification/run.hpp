// SPDX-License-Identifier: BSD-3-Clause
// A run of a published deck inside the test, its histories kept in memory under the names that the deck's responses
// use.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "polhode/analyses/transient/transient.hpp"

namespace polhode::verification {

using Series = Eigen::MatrixXd;  // one row a stored state

struct Histories {
  std::vector<double> time;                  // of the stored states
  std::vector<Series> histories;             // one a name
  std::vector<analyses::Progress> analyses;  // one an analysis
  double mean_solves(std::size_t analysis = 0) const {
    const analyses::Progress& p = analyses.at(analysis);
    return static_cast<double>(p.iterations) / static_cast<double>(p.step);
  }
  const Series& operator[](std::size_t name) const { return histories.at(name); }
};

// Runs inputs/benchmarks/<deck>.yaml, or inputs/<deck>.yaml of a name with a folder ("examples/pendulum"), under
// `settings` (PATH=VALUE, as --set takes them) and keeps the histories `names`
// ("nodes.tip.position", "joints.motor.force") at the start and after each `interval` s (0: at the end alone; after
// each step of a run with step control).
// A step that has to be subdivided, or an analysis that fails, throws: neither belongs to these cases.
Histories run(const std::string& deck, const std::vector<std::string>& settings, const std::vector<std::string>& names,
              double interval = 0);

std::string set_method(const std::string& method);
std::string set_step(double h);
std::string set_duration(double seconds);

inline const std::vector<std::string> all_methods{"lie_alpha", "ul_crv", "ul_rotation_vector"};

}  // namespace polhode::verification
