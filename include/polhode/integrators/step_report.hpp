// SPDX-License-Identifier: BSD-3-Clause
// How one step ended: a value, whatever the method. A failure says what failed, after how many iterations, and which
// equations were worst, by the names of the deck.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

enum class Outcome {
  converged,       // by the criterion
  round_off,       // no further progress, and increments are at the round-off of the positions: accepted
  not_converged,   // max_iterations solves without convergence
  diverged,        // a residual or an increment is not finite, or increments grow four times in a row, beyond ten times
                   // the size of the model
  singular,        // the iteration matrix is singular
  mirrored,        // converged to a position where a joint is turned over
  past_bound,      // converged to a state where an element is turned past the bound of its rotation vector
  inaccurate,      // converged, but its estimated error is above the tolerance
  turned_too_far,  // a rotation left the chart of `variational`, h |Omega| < 1
  not_finite,      // the state that it led to, or the energy of that, is not finite; StepReport::said names it
  unbounded,       // the state that it led to has far more energy than was given to it; StepReport::said
  interrupted,     // the run is to end: neither a success nor a failure
};
// What happened, as the end of the sentence "the step ...".
std::string_view text_of(Outcome outcome);

// One solve of Newton's iteration.
struct Iteration {
  // Before the solve: Euclidean norm of r, N and N m together
  double residual = 0;
  // Before the solve: Euclidean norm of Phi, m and rad together
  double constraint_residual = 0;
  // Weighted root-mean-square norm of the solution; 0 if not solved
  double increment = 0;
};

// Counts and norms are of the attempt itself.
struct StepReport {
  // End of the step and its size, s
  double t = 0;
  double h = 0;
  Outcome outcome = Outcome::converged;
  // Linear solves; of the methods of SUNDIALS evaluations of the accelerations
  int iterations = 0;
  // Of the iteration matrix
  int factorizations = 0;
  // Last increment over the one before; NaN after fewer than two solves
  double contraction = 0;
  // Observed: log(e3/e2)/log(e2/e1) of the last three increments; NaN after fewer
  double order = 0;
  // Norms at the last evaluation: N and N m; m and rad
  double residual = 0;
  double constraint_residual = 0;
  // Controlled steps: estimated error, relative to what the tolerance allows a step
  double error = 0;
  // Attempts before it, of controlled steps: those with too large an error, and those that did not converge
  int rejected_for_error = 0;
  int rejected_by_newton = 0;
  // Of a failed step: all its solves
  std::vector<Iteration> history;
  // Of a failed step, its five worst equations: "joints.pivot: position x  1.2e+03"
  std::vector<std::string> worst;
  // Of a failed step, index into Model::entries of what gives a force that is not finite at a state that is; -1: none
  int without_value = -1;
  // Of a failed step of a library: its own words; with Outcome::not_finite and
  // Outcome::unbounded what, when, and where most
  std::string said;
  // The state at its end may be accepted.
  bool succeeded() const { return outcome == Outcome::converged || outcome == Outcome::round_off; }
};

// Contraction and order of a report, from the increments of all its solves.
void set_convergence(const std::vector<Iteration>& iterations, StepReport& report);
// Makes the outcome Outcome::mirrored, and names the joint, where a joint is turned over in `next`.
void refuse_mirrored(const assembly::System& system, const model::State& next, StepReport& report);
// Makes the outcome Outcome::past_bound, and names the element, where one is turned past its bound from `old` to
// `next`.
void refuse_past_bound(const assembly::System& system, const model::State& old, const model::State& next,
                       StepReport& report);
// Names the five worst rows of a residual whose norms the report has. Forces and constraints are each measured against
// their own norm.
void name_worst_rows(const assembly::System& system, const assembly::Residual& residual,
                     const model::DroppedConstraints& dropped, StepReport& report);
// Sets StepReport::without_value by the forces at the state at which a step failed, one by one, which allocates. Nothing
// is looked at where the residual or the error of the report is a number, unless the iteration matrix was singular or a
// library has given up; nothing is said of a state whose motion is not finite.
void find_without_value(const assembly::System& system, const model::State& failed, StepReport& report);
// Names the `count` largest of (size, unknown of the system): "nodes.tip: force x  1.2e-06". Sorts `sizes`.
std::vector<std::string> names_of_largest(const assembly::System& system, std::vector<std::pair<double, int>>& sizes,
                                          std::size_t count);
// The same of errors by node, translations by the model's length and rotations in rad.
std::vector<std::string> names_of_largest(const assembly::System& system, std::span<const model::Vec6> errors,
                                          std::size_t count);

}  // namespace polhode::integrators
