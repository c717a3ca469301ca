// SPDX-License-Identifier: BSD-3-Clause
// Observed orders of a transient: the same run with several fixed steps, and the distance of each from a reference.
//
// Errors are largest values over times that all runs pass, of the distances of analyses/trajectory.hpp. The multipliers
// of index-3 methods oscillate after a start that is not the method's own, with an amplitude of order one that decays
// as n^2 rho^n with the number n of steps (Arnold, Brüls & Cardona, Numer. Math. 129 (2015) 149-179); so the time
// before and the time after are told apart.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/analyses/convergence/trajectory.hpp"
#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

struct ConvergenceSettings {
  std::vector<double> steps;             // s, at least two, all different
  std::optional<double> reference_step;  // s; default: a tenth of the smallest step
  // s after the start: end of the start's transient, end of what counts
  std::optional<double> from;
  std::optional<double> to;
  int jobs = 0;                          // runs side by side; 0 = one a processor
};

// One run.
struct StepRun {
  double step = 0;      // s
  long steps = 0;       // in all
  std::string problem;  // why it ended early; "" if it did not
  bool interrupted = false;
  Progress progress;
  double cpu = 0;  // s
  Trajectory trajectory;
  std::vector<std::string> warnings;
  model::Problems problems;  // of the start
};

// What is run, and the times that count: those that all runs pass, n / intervals of the duration.
struct ConvergencePlan {
  double duration = 0;        // s, of all runs
  std::vector<double> steps;  // s, falling
  double reference_step = 0;  // s; 0 = the reference is given
  std::vector<long> counts;   // steps of each run; the reference's last, where it is a run
  long intervals = 0;         // of the common grid
  std::vector<long> kept;     // points of the grid that are compared, from 0
  double from = 0;            // s, end of the start's transient
  std::string why_from;       // "165 steps of the largest, then n^2 rho^n < 1e-3"
  double time(long point) const { return duration * static_cast<double>(point) / static_cast<double>(intervals); }
};

// What is wrong with the settings goes to `problem`, with what to do. `numbers_a_state`: kept of a state; where all
// points of the grid would be too many for the memory, every k-th is kept.
ConvergencePlan plan_convergence(const TransientSettings& transient, const ConvergenceSettings& settings,
                                 bool reference_is_given, std::size_t numbers_a_state, std::string& problem);

// Steps after which n^2 rho^n < 1e-3, rho the method's spectral radius at infinity; a million where it damps nothing.
long steps_of_transient(const integrators::IntegratorSettings& settings);

// Looks on; called by the threads of the runs.
class ConvergenceObserver {
 public:
  virtual ~ConvergenceObserver() = default;
  virtual void advanced(long steps) = 0;  // so many more, of any run
  virtual bool interrupted() const = 0;
};

// Does all runs of the plan, `jobs` side by side, the longest first. Each keeps its own system of the model.
std::vector<StepRun> run_convergence(const model::Model& model, const TransientSettings& transient,
                                     const ConvergencePlan& plan, const std::vector<Component>& components, int jobs,
                                     ConvergenceObserver& observer);

// Times that errors are the largest of.
struct Interval {
  std::string name;  // "whole", "before", "after"
  double begin;
  double end;
};
std::vector<Interval> intervals_of(const ConvergencePlan& plan);

// Errors of one component in one interval. Of steps that failed they are not a number.
struct Errors {
  std::vector<double> errors;  // one a step
  std::vector<double> orders;  // from the step before; not a number for the first
  double order = 0;            // slope of the least-squares line through all; not a number from less than two
  std::vector<bool> vague;     // errors that do not fall with the step, or lie at round-off: the order means nothing
};
Errors errors_of(const std::vector<double>& steps, const std::vector<std::vector<double>>& distances,
                 const std::vector<double>& time, const Interval& interval, double size);

}  // namespace polhode::analyses
