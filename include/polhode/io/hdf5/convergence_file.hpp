// SPDX-License-Identifier: BSD-3-Clause
// Observed orders in HDF5 (format polhode-convergence/1), and results files as their reference.
#pragma once
#include <string>
#include <vector>

#include "polhode/analyses/convergence/convergence.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {

// What is known of one component: its distances over time, and their largest values in the intervals.
struct ComponentErrors {
  analyses::Component component;
  double size = 0;                             // of the reference, that errors are relative to
  std::vector<std::vector<double>> distances;  // one a step, one a time; empty where the step failed
  std::vector<analyses::Errors> errors;        // one an interval
};

struct ConvergenceTable {
  // "own run with a step of 1e-5 s", "results of exact.h5"
  std::string title;
  std::string deck_text;
  std::string method;
  std::string reference;
  double length = 1;                                // size of the model, m
  analyses::ConvergencePlan plan;
  std::vector<analyses::Interval> intervals;
  std::vector<double> time;             // that were compared, s
  std::vector<analyses::StepRun> runs;  // without their trajectories; the reference's last, where it is a run
  std::vector<ComponentErrors> components;
};

// /steps [k], /time [T] and for each component /errors/<component>/{whole, before, after} [k], orders beside them in
// /orders/<component>/..., the distances over time in /distances/<component> [k, T]; /status, /newton_iterations,
// /cpu_time [k]. Steps that failed have NaN. Throws ResultsError.
void write_convergence(const std::string& file, const ConvergenceTable& table);

// The components at the points of the plan that the results hold; `plan.kept` and `components` lose what they do not.
// Throws FileError where nodes or joints of the model are missing, or less than two points are left.
analyses::Trajectory read_trajectory(const ResultsReader& results, std::vector<analyses::Component>& components,
                                     analyses::ConvergencePlan& plan);

}  // namespace polhode::io
