// SPDX-License-Identifier: BSD-3-Clause
// The channels of steps: one entry each.
#include <utility>

#include "polhode/integrators/step_report.hpp"
#include "polhode/results/channel_table.hpp"
#include "polhode/results/monitors.hpp"

namespace polhode::results {
namespace {

// {path, shape, unit, frame, doc, fill, options}, in the order of a row; one entry a paragraph, whatever its length.
// clang-format off
std::vector<StepChannel> make_step_channels() {
  return {
      // What every step reports.
      {"/solver/time", {}, "s", "", "time at the end of the step",
       [](const StepSample& s, double* to) { *to = s.report.t; }},
      {"/solver/step", {}, "s", "", "step size", [](const StepSample& s, double* to) { *to = s.report.h; }},
      {"/solver/newton_iterations", {}, "1", "", "linear solves of the step",
       [](const StepSample& s, double* to) { *to = s.report.iterations; }, {.integer = true}},
      {"/solver/residual", {}, "N, N m", "",
       "Euclidean norm of the equations of motion over all free rows at the last evaluation",
       [](const StepSample& s, double* to) { *to = s.report.residual; }},
      {"/solver/constraint_residual", {}, "m, rad", "",
       "Euclidean norm of the constraints over all rows at the last evaluation",
       [](const StepSample& s, double* to) { *to = s.report.constraint_residual; }},
      {"/solver/wasted_iterations", {}, "1", "", "linear solves of failed attempts before the step",
       [](const StepSample& s, double* to) { *to = s.wasted_iterations; }, {.integer = true}},
      {"/solver/factorizations", {}, "1", "", "iteration matrices made and factorized in the step",
       [](const StepSample& s, double* to) { *to = s.report.factorizations; }, {.integer = true}},
      {"/solver/contraction", {}, "1", "",
       "the step's last increment over the one before; NaN after fewer than two solves",
       [](const StepSample& s, double* to) { *to = s.report.contraction; }},
      {"/solver/convergence_order", {}, "1", "",
       "log(e3/e2)/log(e2/e1) of the step's last three increments; NaN after fewer than three solves",
       [](const StepSample& s, double* to) { *to = s.report.order; }},
      // Step-size control.
      {"/solver/error", {}, "1", "", "estimated local error over the local tolerance of the step; 0 of fixed steps",
       [](const StepSample& s, double* to) { *to = s.report.error; }, {.only = &RunContents::step_control}},
      {"/solver/rejected_for_error", {}, "1", "", "attempts before the step whose error was too large",
       [](const StepSample& s, double* to) { *to = s.report.rejected_for_error; },
       {.integer = true, .only = &RunContents::step_control}},
      {"/solver/rejected_by_newton", {}, "1", "", "attempts before the step that did not converge",
       [](const StepSample& s, double* to) { *to = s.report.rejected_by_newton; },
       {.integer = true, .only = &RunContents::step_control}},
  };
}
// clang-format on

}  // namespace

// Made once, on first use.
const std::vector<StepChannel>& step_channels() {
  static const std::vector<StepChannel> channels = [] {
    std::vector<StepChannel> all = make_step_channels();
    for (StepChannel& channel : monitor_channels()) all.push_back(std::move(channel));
    return all;
  }();
  return channels;
}

}  // namespace polhode::results
