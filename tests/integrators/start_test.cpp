// SPDX-License-Identifier: BSD-3-Clause
// What the start does to multipliers: of second order from the first step on if velocities and a_0 are those which the
// method itself carries.
#include <gtest/gtest.h>

#include "integrators/grid_errors.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::IntegratorSettings;

std::vector<State> started_states(const assembly::System& system, const IntegratorSettings& settings,
                                  int steps_a_point) {
  std::vector<State> result;
  int n = 0;
  run(system, consistent_start(system), settings, to_round_off(), grid / steps_a_point, grid_points * steps_a_point,
      [&](const State& q, const Stepper&) {
        if (++n % steps_a_point == 0) result.push_back(q);
      });
  return result;
}

IntegratorSettings starting(const std::string& name, IntegratorSettings::Initial initial) {
  IntegratorSettings settings = method(name);
  settings.initial = initial;
  return settings;
}

class Start : public testing::TestWithParam<std::string> {
 protected:
  // Ratios of the errors of lambda and x when the step is halved, of both starts.
  void check(model::Model model) {
    const Machine machine(std::move(model));
    const auto run_with = [&](IntegratorSettings::Initial initial, int steps_a_point) {
      return started_states(machine.system, starting(GetParam(), initial), steps_a_point);
    };
    const auto exact = run_with(IntegratorSettings::Initial::perturbed, 20);
    for (const auto initial : {IntegratorSettings::Initial::consistent, IntegratorSettings::Initial::perturbed}) {
      const GridErrors coarse = grid_errors(run_with(initial, 2), exact);
      const GridErrors fine = grid_errors(run_with(initial, 4), exact);
      const double x = std::log2(coarse.x / fine.x);
      const double lambda = std::log2(coarse.lambda / fine.lambda);
      EXPECT_NEAR(x, 2, 0.15) << coarse.x << " " << fine.x;
      const bool perturbed = initial == IntegratorSettings::Initial::perturbed;
      EXPECT_NEAR(lambda, perturbed ? 2 : 1, 0.2) << coarse.lambda << " " << fine.lambda;
    }
  }
};

TEST_P(Start, PerturbedGivesMultipliersOfSecondOrderFromTheFirstStepOnOfTheTop) { check(heavy_top()); }
TEST_P(Start, PerturbedGivesMultipliersOfSecondOrderFromTheFirstStepOnWithADrivenJoint) { check(driven_top()); }

// A first step that is made in halves starts from what belongs to the halves.
TEST_P(Start, PerturbedForOneStepServesAnother) {
  const Machine machine(driven_top());
  const IntegratorSettings settings = starting(GetParam(), IntegratorSettings::Initial::perturbed);
  const auto first_lambda = [&](double h_of_start) {
    State q = consistent_start(machine.system);
    Stepper stepper(machine.system, settings, to_round_off());
    start(machine.system, settings, h_of_start, stepper, q);
    EXPECT_TRUE(stepper.advance(q, 5e-4, 5e-4));
    return q.lambda;
  };
  const VectorX own = first_lambda(5e-4);
  const VectorX other = first_lambda(1e-3);
  EXPECT_LE((own - other).norm(), 2e-3 * own.norm());
}

INSTANTIATE_TEST_SUITE_P(Methods, Start, testing::Values("lie_alpha", "ul_crv", "ul_rotation_vector"),
                         [](const auto& name) { return std::string(name.param); });

// Known in closed form: a body that spins freely about an axis at unequal rates has Omega(t) by Euler's equations.
TEST(AccelerationRates, AreTheDerivativesOfEulersEquations) {
  ModelMaker m;
  const Vec3 J(1.0, 0.6, 0.8);
  const Vec3 Omega(1, 3, -2);
  m.node("stone", Vec3::Zero()).angular_velocity = Omega;
  m.body("stone", "stone", 1.7, J);
  const Machine machine(std::move(m.model));
  const State q = consistent_start(machine.system);
  std::vector<Vec6> vddot;
  model::Problems problems;
  ASSERT_TRUE(analyses::set_acceleration_rates(machine.system, q, 1e-5, vddot, problems));
  const Mat3 inertia = J.asDiagonal();
  const Vec3 rate = J.cwiseInverse().cwiseProduct(Vec3((inertia * Omega).cross(Omega)));
  const Vec3 exact = J.cwiseInverse().cwiseProduct(Vec3((inertia * rate).cross(Omega) + (inertia * Omega).cross(rate)));
  EXPECT_LE((vddot[1].tail<3>() - exact).norm(), 1e-8 * exact.norm());
}

}  // namespace
}  // namespace polhode::support
