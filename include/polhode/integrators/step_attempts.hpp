// SPDX-License-Identifier: BSD-3-Clause
// Tries a step: whole, and, where the method fails, as 2, 4, ... equal sub-steps from the undamaged state.
#pragma once
#include <optional>
#include <vector>

#include "polhode/integrators/integrator.hpp"

namespace polhode::integrators {

class StepAttempts {
 public:
  // `halvings`: a failed step is repeated as 2, 4, ... 2^halvings sub-steps; 0: never. Keeps a reference.
  StepAttempts(Integrator& integrator, int halvings);

  // Makes `q` the end of the step; false if all attempts failed, `q` is then as before. Step::stop is asked between
  // attempts, too: the last report then has Outcome::interrupted. Allocates nothing unless it fails.
  bool advance(State& q, const Step& step);

  // Of the sub-steps that led to the present state, one unless the step was subdivided; after a failure that of the
  // last attempt.
  const std::vector<StepReport>& reports() const { return reports_; }
  StepReport& last_report() { return reports_.back(); }
  // Linear solves of failed attempts in the last advance().
  int wasted_iterations() const { return wasted_; }
  // As Integrator::external_work, of the whole step.
  std::optional<double> external_work(double before) const;
  // The state before the last successful advance().
  const State& previous() const { return *previous_; }

 private:
  // Makes `parts` equal steps in trial_, and swaps it with q once all have succeeded.
  bool subdivide(State& q, const Step& step, int parts);
  // Whether no more is to be tried, behind an attempt.
  bool is_stopped(const Step& step);

  Integrator& integrator_;
  int halvings_;
  // Of sub-steps; made when a step fails for the first time
  State trial_;
  const State* previous_ = &trial_;
  std::vector<StepReport> reports_;
  int wasted_ = 0;
  // The last step
  bool subdivided_ = false;
  bool stopped_ = false;
  // J, of the sub-steps of the last step so far
  std::optional<double> work_;
};

}  // namespace polhode::integrators
