// SPDX-License-Identifier: BSD-3-Clause
// Steps under control: the error follows the tolerance, and costs no more than with fixed steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "polhode/io/deck/deck.hpp"
#include "support/places.hpp"
#include "support/stepper.hpp"
#include "verification/controlled.hpp"
#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6};
const std::string default_newton = "analysis.newton={}";

std::vector<std::string> with(std::vector<std::string> settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

// The slope of log error over log tolerance, and error by tolerance, at each of the tolerances.
void expect_error_to_follow(const std::string& model, const std::string& deck, const std::vector<std::string>& settings,
                            const GridRun& exact, double interval) {
  std::vector<double> errors;
  for (const double tolerance : tolerances) {
    const GridRun run = grid_run(deck, with(settings, set_tolerance(tolerance)), interval);
    errors.push_back(distance(run, exact));
    char what[80];
    std::snprintf(what, sizeof what, "error / tolerance at %.0e, %ld steps", tolerance, run.progress.step);
    expect_between(model, what, errors.back() / tolerance, 0.1, 10);
    EXPECT_LE(run.progress.rejected_for_error + run.progress.rejected_by_newton, run.progress.step / 50);
  }
  expect_between(model, "slope of log error over log tolerance", observed_order(tolerances, errors), 0.9, 1.1, 3);
}

TEST(StepControlled, ErrorOfTheHeavyTopFollowsTheTolerance) {
  std::vector<std::string> settings{default_newton, set_duration(1), "analysis.integrator.initial=perturbed"};
  const auto fixed = [&](double h) { return grid_run("benchmarks/heavy_top", with(settings, set_step(h)), 0.01); };
  const GridRun exact = extrapolated(fixed(5e-5), fixed(2.5e-5));
  for (const char* method : {"lie_alpha", "lie_alpha_index2", "ul_rotation_vector"})
    expect_error_to_follow(std::string("heavy top, ") + method, "benchmarks/heavy_top",
                           with(settings, set_method(method)), exact, 0.01);
}

TEST(StepControlled, ErrorAndWorkOfTheRightAngleBeam) {
  const std::string model = "right-angle beam, 5 s";
  const std::string deck = "benchmarks/right_angle_beam";
  const std::vector<std::string> settings{default_newton, set_duration(5)};
  const auto fixed = [&](double h) { return grid_run(deck, with(settings, set_step(h)), 0.05); };
  const GridRun exact = extrapolated(fixed(1e-3), fixed(5e-4));
  expect_error_to_follow(model, deck, settings, exact, 0.05);

  // Work goes as error^-1/2 for a method of order two.
  const GridRun equal = fixed(0.0125);
  const GridRun controlled = grid_run(deck, with(settings, set_tolerance(1e-3)), 0.05);
  const double best =
      static_cast<double>(equal.work()) * std::sqrt(distance(equal, exact) / distance(controlled, exact));
  expect_at_most(model, "solves of controlled steps by those of fixed ones at equal error, tolerance 1e-3",
                 static_cast<double>(controlled.work()) / best, 1.2);
}

// Each step against sixteen from the same state.
TEST(StepControlled, EstimateOnTheRightAngleBeamMeetsTheTrueLocalError) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/right_angle_beam.yaml", {default_newton});
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system);
  integrators::NewtonSettings newton;  // to round-off
  newton.criterion = integrators::NewtonSettings::Criterion::residual;
  newton.residual_tolerance = newton.constraint_tolerance = 1e-100;
  for (const double h : {0.05, 0.0125}) {
    constexpr double any = 1e30;  // tolerance
    const auto& settings = deck.analyses[0].as<analyses::TransientSettings>()->integrator;
    support::Stepper stepper(*system, settings, newton, any);
    support::Stepper fine(*system, settings, newton, any);
    model::State q = system->initial_state();
    ASSERT_TRUE(analyses::set_accelerations(*system, q, problems));
    stepper.start(q);
    std::vector<double> ratios;
    while (q.t < 5 - h / 2) {
      const model::State before = q;
      ASSERT_TRUE(stepper.attempt(q, h, q.t + h));
      const double estimate = stepper.local_error().of_step;
      stepper.accept(q);
      if (before.t < 2.5) continue;  // the load has kinks up to 2 s
      GridRun coarse;
      GridRun exact;
      coarse.length = system->length();
      coarse.unknowns = system->free_unknowns();
      model::State small = before;
      for (int i = 1; i <= 16; ++i) {
        ASSERT_TRUE(fine.attempt(small, h / 16, before.t + i * h / 16));
        fine.accept(small);
      }
      coarse.states.push_back(q);
      exact.states.push_back(small);
      ratios.push_back(estimate / distance(coarse, exact));
    }
    std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
    expect_between("right-angle beam", "estimate by true local error, median, h = " + std::to_string(h),
                   ratios[ratios.size() / 2], 0.8, 1.25);
  }
}

struct Cost {
  double error;
  double work;
};

// Of runs with fixed steps, the largest error first: between two of them by their logarithms, the least work above all
// errors, and order two below.
double work_at(double error, const std::vector<Cost>& runs) {
  if (error >= runs.front().error) return runs.front().work;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const Cost& more = runs[i - 1];
    const Cost& less = runs[i];
    if (error < less.error) continue;
    const double part = std::log(error / less.error) / std::log(more.error / less.error);
    return less.work * std::pow(more.work / less.work, part);
  }
  return runs.back().work * std::sqrt(runs.back().error / error);
}

// Which vibrations a change of the step excites is chance: work and error are those of several runs that differ a
// little.
TEST(StepControlled, FourBarIsAccurateAndDoesNotCollapse) {
  const std::string deck = "benchmarks/four_bar";
  const std::vector<std::string> settings{default_newton, set_duration(4)};
  constexpr double interval = 0.1;
  const auto fixed = [&](double h) { return grid_run(deck, with(settings, set_step(h)), interval); };
  const GridRun exact = extrapolated(fixed(0.0025), fixed(0.00125));
  // Steps of 30 ms lose the motion.
  std::vector<Cost> of_fixed;
  for (const double h : {0.025, 0.02, 0.01, 0.005}) {
    const GridRun run = fixed(h);
    of_fixed.push_back({distance(run, exact), static_cast<double>(run.work())});
  }
  const auto controlled = [&](const std::string& method, double rho, double tolerance, double safety) {
    const std::string step = fmt::format("analysis.step={{tolerance: {}, safety: {}}}", tolerance, safety);
    const std::string integrator =
        fmt::format("analysis.integrator={{method: {}, rho_infinity: {}, initial: consistent}}", method, rho);
    return grid_run(deck, with(with(settings, step), integrator), interval);
  };
  constexpr std::array safeties{0.48, 0.49, 0.5, 0.51, 0.52};
  const std::string index3 = "lie_alpha";
  const std::string index2 = "lie_alpha_index2";
  for (const auto& [method, rho, tolerance] : {std::tuple{index3, 0.9, 1e-2},
                                               {index3, 0.9, 3e-3},
                                               {index3, 0.9, 1e-3},
                                               {index3, 0.9, 3e-4},
                                               {index3, 0.95, 1e-3},
                                               {index2, 0.9, 1e-2},
                                               {index2, 0.9, 1e-3},
                                               {index2, 0.9, 3e-4}}) {
    double sum = 0;
    double largest = 0;
    for (const double safety : safeties) {
      const GridRun run = controlled(method, rho, tolerance, safety);
      const double ratio = static_cast<double>(run.work()) / work_at(distance(run, exact), of_fixed);
      sum += ratio;
      largest = std::max(largest, ratio);
    }
    const std::string model = fmt::format("four-bar, 4 s, {}, rho {}, tolerance {:.0e}", method, rho, tolerance);
    expect_at_most(model,
                   "solves of controlled steps by those of the best fixed ones at equal error, mean of five runs",
                   sum / safeties.size(), 2.5);
    expect_at_most(model, "the same, largest", largest, 3);
  }
  const std::string model = "four-bar, 4 s";
  const GridRun run = controlled(index3, 0.9, 1e-3, 0.5);
  const auto steps = static_cast<double>(run.progress.step);
  expect_at_most(model, "error / tolerance at 1e-3", distance(run, exact) / 1e-3, 10);
  expect_at_most(model, "rejected steps [%]",
                 100 * static_cast<double>(run.progress.rejected_for_error + run.progress.rejected_by_newton) / steps,
                 20);
  expect_between(model, "shortest step [s]", run.progress.shortest, 1e-4, 0.02, 5);
  note(model, "accepted steps", std::to_string(run.progress.step));
}

// The rod of the press springs by 1e-5 m. Fixed steps of 10 ms have the accuracy of all others, which is that.
TEST(StepControlled, PressIsTakenWithoutTheVibrationsOfItsRod) {
  const std::string deck = "examples/press";
  const std::vector<std::string> settings{default_newton, "responses="};
  for (const double rho : {0.8, 0.9}) {
    const std::string model = fmt::format("press, 2 s, rho {}", rho);
    const std::vector<std::string> of_rho = with(settings, fmt::format("analysis.integrator.rho_infinity={}", rho));
    const auto fixed = [&](double h) { return grid_run(deck, with(of_rho, set_step(h)), 0.02); };
    const GridRun exact = extrapolated(fixed(2e-4), fixed(1e-4));
    const GridRun coarse = fixed(0.01);
    const GridRun run = grid_run(deck, with(of_rho, set_tolerance(1e-3)), 0.02);
    expect_at_most(model, "solves at 1e-3 by those of fixed steps of 0.01 s",
                   static_cast<double>(run.work()) / static_cast<double>(coarse.work()), 2.5);
    expect_at_most(model, "error by that of these", distance(run, exact) / distance(coarse, exact), 1.5);
    expect_at_most(model, "accepted steps at 1e-4",
                   static_cast<double>(grid_run(deck, with(of_rho, set_tolerance(1e-4)), 0.02).progress.step), 1600);
  }
}

// The pendulum of the benchmarks on a spring that is a million times stiffer than its weight, in the place of the rod:
// its vibrations, hundreds in a period, must not be followed.
TEST(StepControlled, StiffPendulumIsTakenWithItsSlowSteps) {
  const std::string model = "stiff pendulum, 5 s";
  const std::string deck = "benchmarks/pendulum";
  const std::vector<std::string> settings{
      "joints=",
      "forces={rod: {type: spring_damper, connects: [ground, mass], at: [[0, 0, 0], [-1, 0, 0]], stiffness: 1.0e+6}}",
      "responses=", set_duration(5), "analysis.integrator.rho_infinity=0.6"};
  const GridRun exact = grid_run(deck, with(settings, set_step(2e-4)), 0.05);
  for (const double tolerance : {1e-3, 1e-4}) {
    const GridRun run = grid_run(deck, with(settings, set_tolerance(tolerance)), 0.05);
    const auto steps = static_cast<double>(run.progress.step);
    expect_at_most(model, "error / tolerance", distance(run, exact) / tolerance, 10);
    expect_at_most(model, "rejected steps [%]", 100 * static_cast<double>(run.progress.rejected_for_error) / steps, 20);
    note(model, "accepted steps", std::to_string(run.progress.step));
  }
}

// The mast is struck for 0.1 s of two minutes. Errors of both against a much finer run.
TEST(StepControlled, SavesMostOfTheWorkWhereTimeScalesAreApart) {
  const std::string model = "mast struck by a wave";
  const std::string deck = "examples/mast_struck";
  const GridRun exact = grid_run(deck, {"analysis.step={tolerance: 1.0e-5, max: 0.05}"}, 0.05);
  const GridRun controlled = grid_run(deck, {}, 0.05);
  const GridRun equal = grid_run(deck, {set_step(0.005)}, 0.05);
  const double best =
      static_cast<double>(equal.work()) * std::sqrt(distance(equal, exact) / distance(controlled, exact));
  expect_between(model, "error / tolerance at 1e-3", distance(controlled, exact) / 1e-3, 0, 10);
  expect_between(model, "solves of fixed steps at equal error by those of controlled ones",
                 best / static_cast<double>(controlled.work()), 3, 1000);
}

}  // namespace
}  // namespace polhode::verification
