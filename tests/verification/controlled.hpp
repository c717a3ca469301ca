// SPDX-License-Identifier: BSD-3-Clause
// Runs of published decks whose states are kept on a grid of times, whatever their steps are, and distances between
// them.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/transient/transient.hpp"

namespace polhode::verification {

struct GridRun {
  std::vector<model::State> states;  // at interval, 2 interval, ...
  std::vector<double> estimates;     // of the local error of each step, by what is allowed; 0 of fixed steps
  analyses::Progress progress;
  double length = 0;  // of the model
  int unknowns = 0;
  long work() const { return progress.iterations + progress.wasted; }  // linear solves
};

// inputs/<deck>.yaml under `settings` (PATH=VALUE); `deck` with its folder.
GridRun grid_run(const std::string& deck, const std::vector<std::string>& settings, double interval);

// The largest, over the grid, of the root of the mean square over the free unknowns: positions by the size of the
// model, rotations in rad.
double distance(const GridRun& a, const GridRun& b);

// Richardson's extrapolation of two runs of order two whose steps are as 2 to 1.
GridRun extrapolated(const GridRun& coarse, const GridRun& fine);

std::string set_tolerance(double tolerance);

}  // namespace polhode::verification
