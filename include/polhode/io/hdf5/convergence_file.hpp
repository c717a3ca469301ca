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
  // Of the reference, that errors are relative to; in the unit of the component.
  double size = 0;
  // One a step size, one a time; empty where the run of the step failed.
  std::vector<std::vector<double>> distances;
  // One an interval.
  std::vector<analyses::Errors> errors;
};

// All that `polhode convergence` prints and stores.
struct ConvergenceTable {
  std::string title;
  std::string deck_text;
  std::string method;
  // "own run with a step of 1e-5 s", "results of exact.h5"
  std::string reference;
  // Size of the model, m.
  double length = 1;
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

// The same of a file that others may have made: it is read by a process of its own (read_apart.hpp).
analyses::Trajectory read_reference(const std::string& file, std::vector<analyses::Component>& components,
                                    analyses::ConvergencePlan& plan);

}  // namespace polhode::io
