// SPDX-License-Identifier: BSD-3-Clause
// Stored states of a model that drives alone move: exact between steps as at them, whatever the length of these.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "polhode/run/run.hpp"
#include "run/decks.hpp"

namespace polhode::run {
namespace {

// An arm of 1 m about a hinge, turned by 1 - cos(3 t); its moment of inertia there is 0.1 + 3 kg m^2.
std::string driven_arm(const std::string& method) {
  return "format: polhode-deck/1\nnodes: {arm: {position: [1, 0, 0]}}\n"
         "bodies: {arm: {type: rigid_body, node: arm, mass: 3, inertia: [0.1, 0.1, 0.1]}}\n"
         "joints: {hinge: {type: revolute, connects: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], "
         "rotation: \"=1 - cos(3*t)\"}}\n"
         "analysis: {type: transient, duration: 4, step: 0.4, integrator: {method: " +
         method +
         "}}\noutput: {interval: 0.05}\n"
         "responses: {radius: {max_abs: nodes.arm.position}, least_radius: {min: nodes.arm.position}, "
         "fastest: {max_abs: nodes.arm.velocity}, torque: {at: {time: 1, of: joints.hinge.axis_torque}}}\n";
}

class DrivenStates : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DrivenStates, testing::Values("rosenbrock4", "rosenbrock_w2", "radau5"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(DrivenStates, AreExactBetweenLongSteps) {
  const RunResult result = run_deck(support::deck_of(driven_arm(GetParam())));
  ASSERT_EQ(result.status, Status::completed);
  std::map<std::string, double> values;
  for (const auto& response : result.responses) values[response.name] = response.value;
  EXPECT_NEAR(values.at("radius"), 1, 1e-9);
  EXPECT_NEAR(values.at("least_radius"), 1, 1e-9);
  EXPECT_LE(values.at("fastest"), 3 + 1e-7);
  EXPECT_GE(values.at("fastest"), 2.99);
  EXPECT_NEAR(values.at("torque"), 27.9 * std::cos(3.0), 1e-6);
}

// A slide strokes out and back within a few hundredths of a second, and leaves a pendulum swinging: work of both signs,
// far more than what is left of it, which is the energy (gravity aside, at rest before).
class WorkOfDrives : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, WorkOfDrives,
                         testing::Values("adams", "bdf", "explicit_rk", "rosenbrock4", "rosenbrock_w2", "radau5",
                                         "lie_alpha"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(WorkOfDrives, OfAShortStrokeIsTheEnergyThatItLeaves) {
  const std::string deck =
      "format: polhode-deck/1\nnodes: {slide: {position: [0, 0, 0]}, arm: {position: [0.5, 0, 0]}}\n"
      "bodies: {slide: {type: rigid_body, node: slide, mass: 2, inertia: [0.1, 0.1, 0.1]},\n"
      "  arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.02, 0.02, 0.02]}}\n"
      "gravity: [0, 0, -9.81]\n"
      "joints: {drive: {type: prismatic, connects: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "  translation: \"=0.3*exp(-((t - 0.7)/0.005)^2)\"},\n"
      "  pin: {type: revolute, connects: [slide, arm], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "analysis: {type: transient, duration: 1, step: {tolerance: 1.0e-6}, integrator: {method: " +
      std::string(GetParam()) + "}}\nresponses: {work: {last: energy.external_work}, energy: {last: energy.total}}\n";
  const RunResult result = run_deck(support::deck_of(deck));
  ASSERT_EQ(result.status, Status::completed);
  const double work = result.responses.at(0).value;
  EXPECT_NEAR(work, result.responses.at(1).value, 0.1);
  EXPECT_NEAR(work, 14.43, 0.1);
}

}  // namespace
}  // namespace polhode::run
