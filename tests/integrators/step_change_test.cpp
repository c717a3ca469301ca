// SPDX-License-Identifier: BSD-3-Clause
// Steps of changing size: re-basing keeps the order, halving saves a step that Newton cannot make.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "integrators/grid_errors.hpp"
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::NewtonSettings;

constexpr double changes_end = 0.2;
constexpr double changes_grid = 0.004;

// The states of `pattern` (fractions of h, repeated) at the points of the grid.
std::vector<State> pattern_states(const assembly::System& system, double rho, double h,
                                  const std::vector<double>& pattern) {
  State q = consistent_start(system);
  Stepper stepper(system, method("lie_alpha", rho), to_round_off());
  stepper.start(q);
  std::vector<State> result;
  double t = 0;
  for (std::size_t n = 0; t < changes_end - 1e-9; ++n) {
    const double step = h * pattern[n % pattern.size()];
    t += step;
    if (!stepper.advance(q, step, t)) throw std::runtime_error("failed");
    if (std::abs(t / changes_grid - std::round(t / changes_grid)) < 1e-6) result.push_back(q);
  }
  return result;
}

// Of the heavy top against a run with small equal steps; of the multipliers after the transient of the start.
GridErrors errors_after_start(const std::vector<State>& a, const std::vector<State>& b) {
  GridErrors e = grid_errors(a, b);
  e.lambda = grid_errors(a, b, 0.5 * changes_end).lambda;
  return e;
}

class StepChange : public testing::TestWithParam<double> {};

TEST_P(StepChange, KeepsTheOrderOfPositionsAndMultipliers) {
  const Machine machine(heavy_top());
  const double rho = GetParam();
  const std::vector<State> exact = pattern_states(machine.system, rho, 2.5e-5, {1});
  const auto errors = [&](double h, const std::vector<double>& pattern) {
    return errors_after_start(pattern_states(machine.system, rho, h, pattern), exact);
  };
  const std::vector<double> equal{1};
  const std::vector<double> alternating{1.0 / 3, 2.0 / 3};
  const GridErrors coarse = errors(1e-3, alternating);
  const GridErrors fine = errors(5e-4, alternating);
  const GridErrors same = errors(1e-3, equal);
  EXPECT_GE(coarse.x / fine.x, 3.2) << coarse.x << " " << fine.x;
  EXPECT_GE(coarse.lambda / fine.lambda, 3) << coarse.lambda << " " << fine.lambda;
  // steps below 1e-3 that alternate are not worse than equal ones of 1e-3 by more than the jumps cost
  EXPECT_LE(coarse.x, 3 * same.x);
  EXPECT_LE(coarse.lambda, 10 * same.lambda);
}

INSTANTIATE_TEST_SUITE_P(RhoInfinity, StepChange, testing::Values(0.9, 0.6),
                         [](const auto& rho) { return rho.param == 0.9 ? "09" : "06"; });

// The top turns 1.2 rad in a step of 8 ms: some of these steps have no solution, their halves have one.
TEST(Stepper, HalvesAStepThatFails) {
  const Machine machine(heavy_top());
  const State start = consistent_start(machine.system);
  const double h = 8e-3;
  const int steps = 37;
  State q = start;
  Stepper stepper(machine.system, method("lie_alpha"), to_round_off());
  stepper.start(q);
  int halved = 0;
  int wasted = 0;
  for (int n = 1; n <= steps; ++n) {
    ASSERT_TRUE(stepper.advance(q, h, n * h)) << "step " << n;
    halved += stepper.reports().size() > 1;
    wasted += stepper.wasted_iterations();
    EXPECT_EQ(q.t, n * h);
    EXPECT_EQ(stepper.reports().back().t, n * h);
    double covered = 0;
    for (const auto& report : stepper.reports()) covered += report.h;
    EXPECT_NEAR(covered, h, 1e-15);
  }
  EXPECT_GT(halved, 0);
  EXPECT_LT(halved, steps);
  EXPECT_GT(wasted, 0);
  // nothing is lost: the pivot holds, and the energy is that of the start, as far as steps of this size can tell
  EXPECT_NEAR(q.x[1].norm(), 1, 1e-13);
  EXPECT_NEAR(machine.system.energies(q).total() / machine.system.energies(start).total(), 1, 1e-2);
}

// Halving as an accident in the middle of equal steps costs no more than the method's own error.
TEST(Stepper, GoesOnAfterAHalvedStepWithoutAJump) {
  const Machine machine(heavy_top());
  const double h = 1e-3;
  std::vector<double> with_one_halved(200, 1.0);
  with_one_halved[60] = 0.5;
  with_one_halved.insert(with_one_halved.begin() + 61, 0.5);
  const std::vector<State> exact = pattern_states(machine.system, 0.9, 2.5e-5, {1});
  const GridErrors halved = errors_after_start(pattern_states(machine.system, 0.9, h, with_one_halved), exact);
  const GridErrors plain = errors_after_start(pattern_states(machine.system, 0.9, h, {1}), exact);
  EXPECT_LE(halved.x, 1.2 * plain.x);
  EXPECT_LE(halved.lambda, 2 * plain.lambda);
}

// (q, v, a, vdot) after a step of h from that before, of vdot = -q.
Eigen::Matrix4d oscillator_step(const integrators::AlphaParameters& p, double h) {
  Eigen::Matrix4d A;
  A << 1, 0, -h * h * p.beta, 0,           //
      0, 1, -h * p.gamma, 0,               //
      0, 0, 1 - p.alpha_m, p.alpha_f - 1,  //
      1, 0, 0, 1;
  Eigen::Matrix4d B;
  B << 1, h, h * h * (0.5 - p.beta), 0,  //
      0, 1, h * (1 - p.gamma), 0,        //
      0, 0, -p.alpha_m, p.alpha_f,       //
      0, 0, 0, 0;
  return A.lu().solve(B);
}

// a <- vdot + r (a - vdot).
Eigen::Matrix4d rebased(double r) {
  Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
  M(2, 2) = r;
  M(2, 3) = 1 - r;
  return M;
}

// Over omega h from 10^-3 to 10^4: the largest spectral radius of steps of h and r h in turn.
double radius_of_alternating_steps(double rho, double r) {
  const auto p = integrators::AlphaParameters::chung_hulbert(rho);
  double largest = 0;
  for (int i = 0; i <= 280; ++i) {
    const double h = std::pow(10, -3 + i / 40.0);
    const Eigen::Matrix4d two = oscillator_step(p, r * h) * rebased(r) * oscillator_step(p, h) * rebased(1 / r);
    largest = std::max(largest, two.eigenvalues().cwiseAbs().maxCoeff());
  }
  return largest;
}

// Why steps grow by a factor of two at most.
TEST(AlternatingSteps, AreStableUpToARatioOfTwoAndAHalf) {
  for (const auto& [rho, at_three] : {std::pair{0.9, 0.0219}, {0.8, 0.0466}, {0.6, 0.106}, {0.0, 0.357}}) {
    for (const double r : {1.0, 1.5, 2.0, 2.5})
      EXPECT_LE(radius_of_alternating_steps(rho, r), 1 + 2e-5) << rho << " " << r;
    EXPECT_NEAR(radius_of_alternating_steps(rho, 3) - 1, at_three, 0.02 * at_three) << rho;
  }
}

}  // namespace
}  // namespace polhode::support
