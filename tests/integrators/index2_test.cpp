// SPDX-License-Identifier: BSD-3-Clause
// The stabilized index-2 method: velocity constraints met, order two from the first step on; and what a projection of
// the velocities does in index 3.
#include <gtest/gtest.h>

#include <functional>

#include "integrators/grid_errors.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using Look = std::function<void(State&, Stepper&)>;

// The states at the points of the grid; `look` may change the state that comes next.
std::vector<State> index2_states(const assembly::System& system, const std::string& name, int steps_a_point,
                                 const Look& look = {}) {
  State q = consistent_start(system);
  integrators::IntegratorSettings settings = method(name);
  settings.initial = integrators::IntegratorSettings::Initial::perturbed;
  Stepper stepper(system, settings, to_round_off());
  const double h = grid / steps_a_point;
  start(system, settings, h, stepper, q);
  std::vector<State> result;
  for (int n = 1; n <= grid_points * steps_a_point; ++n) {
    if (!stepper.advance(q, h, n * h)) throw std::runtime_error("step " + std::to_string(n) + " failed");
    if (look) look(q, stepper);
    if (n % steps_a_point == 0) result.push_back(q);
  }
  return result;
}

double velocity_violation(const assembly::System& system, const State& q) {
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  system.set_rates(q, Bv, phi_t, gamma);
  return (Bv + phi_t).norm();
}

class Index2 : public testing::TestWithParam<const char*> {
 protected:
  static model::Model model() { return std::string(GetParam()) == "top" ? heavy_top() : driven_top(); }
  const Machine machine{model()};
  const assembly::System& system = machine.system;
};

TEST_P(Index2, IsOfOrderTwoInAllFromTheFirstStepOn) {
  const auto exact = index2_states(system, "lie_alpha_index2", 20);
  const GridErrors coarse = grid_errors(index2_states(system, "lie_alpha_index2", 2), exact);
  const GridErrors fine = grid_errors(index2_states(system, "lie_alpha_index2", 4), exact);
  EXPECT_NEAR(std::log2(coarse.x / fine.x), 2, 0.2) << coarse.x;
  EXPECT_NEAR(std::log2(coarse.R / fine.R), 2, 0.2) << coarse.R;
  EXPECT_NEAR(std::log2(coarse.v / fine.v), 2, 0.2) << coarse.v;
  EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2, 0.2) << coarse.lambda;
}

TEST_P(Index2, AgreesWithIndexThreeInTheLimit) {
  const auto a = index2_states(system, "lie_alpha_index2", 10);
  const auto b = index2_states(system, "lie_alpha", 10);
  const auto c = index2_states(system, "lie_alpha_index2", 5);
  const auto d = index2_states(system, "lie_alpha", 5);
  const GridErrors fine = grid_errors(a, b);
  const GridErrors coarse = grid_errors(c, d);
  EXPECT_GE(coarse.x / fine.x, 3.5);
  EXPECT_GE(coarse.lambda / fine.lambda, 3.5);
}

TEST_P(Index2, MeetsPositionAndVelocityConstraints) {
  double stabilized = 0;
  double position = 0;
  double index3 = 0;
  assembly::Residual r = system.make_residual();
  index2_states(system, "lie_alpha_index2", 2, [&](State& q, Stepper&) {
    stabilized = std::max(stabilized, velocity_violation(system, q));
    system.set_residual(q, r, {false, false, true});
    position = std::max(position, r.phi.norm());
  });
  index2_states(system, "lie_alpha", 2,
                [&](State& q, Stepper&) { index3 = std::max(index3, velocity_violation(system, q)); });
  EXPECT_LE(stabilized, 1e-11);
  EXPECT_LE(position, 1e-13);
  EXPECT_GE(index3, 1e-5);
}

// Conditions and iteration counts do not know h.
TEST_P(Index2, MatrixDoesNotDependOnTheStep) {
  double ratio[2]{};
  int level = 0;
  for (const double h : {1e-4, 1e-6}) {
    State q = consistent_start(system);
    Stepper stepper(system, method("lie_alpha_index2"), integrators::NewtonSettings{});
    stepper.start(q);
    for (int n = 1; n <= 3; ++n) ASSERT_TRUE(stepper.advance(q, h, n * h));
    ratio[level++] = stepper.linear_solver().smallest_pivot_ratio();
    EXPECT_TRUE(stepper.linear_solver().uses_blocks());
  }
  EXPECT_NEAR(ratio[0] / ratio[1], 1, 0.05);
}

// A change of the step needs the re-basing of a only, as there is no violation to carry.
TEST_P(Index2, KeepsItsOrderWhereStepsChange) {
  const auto alternating = [&](int pairs_a_point) {
    State q = consistent_start(system);
    Stepper stepper(system, method("lie_alpha_index2", 0.6), to_round_off());
    stepper.start(q);
    std::vector<State> result;
    const double h = grid / pairs_a_point;
    for (int n = 0; n < grid_points * pairs_a_point; ++n) {
      EXPECT_TRUE(stepper.advance(q, h / 3, (n + 1.0 / 3) * h));
      EXPECT_TRUE(stepper.advance(q, 2 * h / 3, (n + 1) * h));
      if ((n + 1) % pairs_a_point == 0) result.push_back(q);
    }
    return result;
  };
  const auto exact = index2_states(system, "lie_alpha_index2", 20);
  const GridErrors coarse = grid_errors(alternating(2), exact);
  const GridErrors fine = grid_errors(alternating(4), exact);
  EXPECT_GE(coarse.x / fine.x, 3.2) << coarse.x;
  EXPECT_GE(coarse.lambda / fine.lambda, 3) << coarse.lambda;
}

// Arnold, Cardona & Brüls (2015): the projected velocities are not those which the method of index 3 carries.
TEST_P(Index2, ProjectionOfVelocitiesCostsIndexThreeAnOrderInTheMultipliersAndIndexTwoNothing) {
  const double time = 0.5 * grid * grid_points;
  const auto project = [&](State& q, Stepper& stepper) {
    if (std::abs(q.t - time) > 1e-9) return;
    stepper.method().project_velocities(q);
    EXPECT_EQ(stepper.residual(), nullptr);
    EXPECT_LE(velocity_violation(system, q), 1e-12);
  };
  const auto exact = index2_states(system, "lie_alpha", 20);
  const auto coarse = index2_states(system, "lie_alpha", 2, project);
  const auto fine = index2_states(system, "lie_alpha", 4, project);
  const GridErrors all[2] = {grid_errors(coarse, exact), grid_errors(fine, exact)};
  const GridErrors before[2] = {grid_errors(coarse, exact, -1, time), grid_errors(fine, exact, -1, time)};
  EXPECT_NEAR(std::log2(before[0].lambda / before[1].lambda), 2, 0.2);
  EXPECT_NEAR(std::log2(all[0].lambda / all[1].lambda), 1, 0.25);
  EXPECT_NEAR(std::log2(all[0].x / all[1].x), 2, 0.2);
  const GridErrors of_index2 =
      grid_errors(index2_states(system, "lie_alpha_index2", 2, project), index2_states(system, "lie_alpha_index2", 2));
  EXPECT_LE(of_index2.x, 1e-12);
  EXPECT_LE(of_index2.lambda, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, Index2, testing::Values("top", "driven"),
                         [](const auto& name) { return std::string(name.param); });

// Without constraints there is nothing to stabilize.
TEST(Index2WithoutConstraints, IsLieAlpha) {
  const Machine machine(cantilever(2));
  const State start = consistent_start(machine.system);
  const State a = run(machine.system, start, method("lie_alpha"), to_round_off(), 0.05, 10);
  const State b = run(machine.system, start, method("lie_alpha_index2"), to_round_off(), 0.05, 10);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.v, b.v);
}

}  // namespace
}  // namespace polhode::support
