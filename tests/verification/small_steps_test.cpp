// SPDX-License-Identifier: BSD-3-Clause
// Small steps cost no iterations: the scaled system is as good at h = 1e-6 as at the largest step, and Newton stops at
// round-off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

const std::vector<double> top_steps{2e-3, 1e-3, 1e-4, 1e-5, 1e-6};
const std::vector<double> moving_steps{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

// Mean Newton solves of 200 steps of the heavy top from its start.
double top_solves(const std::string& method, const std::string& residual, const std::string& constraint, double h) {
  return run("heavy_top",
             {set_method(method), set_step(h), set_duration(200 * h), "analysis.newton.residual_tolerance=" + residual,
              "analysis.newton.constraint_tolerance=" + constraint},
             {})
      .mean_solves();
}

// The same from the state of motion at 0.6 s, to which a first transient with steps of 0.01 s leads.
struct Moving {
  std::string model;
  std::string deck;
  std::string parameters;
  std::string tolerances;
  double solves(const std::string& method, const std::string& second_tolerances, double h) const {
    const std::string how = "type: transient, integrator: {method: " + method + ", " + parameters +
                            "}, newton: {predictor: zero, criterion: residual, ";
    const std::string first = "{duration: 0.6, step: 0.01, " + how + tolerances + "}}";
    const std::string second =
        "{duration: " + number(200 * h) + ", step: " + number(h) + ", " + how + second_tolerances + "}}";
    return run(deck, {"analysis=[" + first + ", " + second + "]"}, {}).mean_solves(1);
  }
};
const Moving four_bar{"four-bar", "four_bar", "rho_infinity: 0.9",
                      "residual_tolerance: 1.0e-6, constraint_tolerance: 1.0e-8"};
const Moving moving_beam{"right-angle beam", "right_angle_beam", "hht_alpha: 0.05", "residual_tolerance: 2.0e-5"};

// The first step, the largest one, sets the measure.
template <class Solves>
void expect_no_more_solves(const std::string& model, const std::string& method, const std::vector<double>& steps,
                           Solves solves) {
  const double largest_step = solves(steps.front());
  note(model, method + ": mean solves of 200 steps of " + number(steps.front()) + " s", number(largest_step));
  for (std::size_t i = 1; i < steps.size(); ++i)
    expect_at_most(model, method + ": mean solves of 200 steps of " + number(steps[i]) + " s", solves(steps[i]),
                   largest_step + 1);
}

template <class Solves>
void expect_to_stop(const std::string& model, const std::string& method, const std::vector<double>& steps,
                    Solves solves) {
  double most = 0;
  for (const double h : steps) most = std::max(most, solves(h));
  expect_at_most(model,
                 method + ": tolerances out of reach, largest mean of solves of 200 steps, h = " +
                     number(steps.front()) + " ... 1e-6",
                 most, 6);
}

TEST(SmallSteps, HeavyTopNeedsNoMoreSolves) {
  for (const std::string& method : all_methods)
    expect_no_more_solves("heavy top", method, top_steps,
                          [&](double h) { return top_solves(method, "1.0e-8", "1.0e-10", h); });
}

TEST(SmallSteps, FourBarAndBeamInMotionNeedNoMoreSolves) {
  for (const Moving& moving : {four_bar, moving_beam})
    for (const std::string& method : all_methods)
      expect_no_more_solves(moving.model, method, moving_steps,
                            [&](double h) { return moving.solves(method, moving.tolerances, h); });
}

// Tolerances that round-off keeps out of reach: the iteration ends where nothing improves any more, and the step
// counts.
TEST(SmallSteps, NewtonStopsAtRoundOff) {
  for (const std::string& method : all_methods) {
    expect_to_stop("heavy top", method, top_steps,
                   [&](double h) { return top_solves(method, "1.0e-30", "1.0e-30", h); });
    for (const Moving& moving : {four_bar, moving_beam})
      expect_to_stop(moving.model, method, moving_steps, [&](double h) {
        return moving.solves(method, "residual_tolerance: 1.0e-30, constraint_tolerance: 1.0e-30", h);
      });
  }
}

TEST(SmallSteps, HeavyTopStaysExact) {
  const Eigen::RowVector3d exact(9.2307567838435366e-4, 0.99999957396536352, -6.1921652744860611e-7);  // x at 2e-4 s
  for (const std::string& method : all_methods) {
    const Histories top =
        run("heavy_top", {set_method(method), set_step(1e-6), set_duration(2e-4)}, {"nodes.centre.position"});
    expect_at_most("heavy top", method + ": distance of x after 200 steps of 1e-6 s from the exact solution [m]",
                   (top[0].row(0) - exact).norm(), 1e-11);
  }
}

}  // namespace
}  // namespace polhode::verification
