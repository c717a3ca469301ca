// SPDX-License-Identifier: BSD-3-Clause
// Steps under control where drives alone say how a model moves: positions are exact then whatever the step, velocities
// and forces are not.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

class DrivenControl : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DrivenControl,
                         testing::Values("{method: lie_alpha}", "{method: lie_alpha, frame: spatial}",
                                         "{method: lie_alpha_index2}", "{method: ul_crv}"),
                         [](const auto& name) {
                           std::string text = name.param;
                           std::erase_if(text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
                           return text;
                         });

// An arm of 1 m and 3 kg about a hinge, by a function of time or free.
std::string arm(const std::string& name, double mass, const std::string& rotation) {
  return fmt::format(
      "nodes: {{{0}: {{position: [1, 0, 0]}}}}\n"
      "bodies: {{{0}: {{type: rigid_body, node: {0}, mass: {1}, inertia: [0.1, 0.1, 0.1]}}}}\n"
      "joints: {{{0}: {{type: revolute, connects: [ground, {0}], at: [0, 0, 0], axis: [0, 0, 1]{2}}}}}\n",
      name, mass, rotation);
}

io::Deck run_of(const std::string& parts, double duration, double tolerance, const std::string& integrator) {
  return deck_of(
      fmt::format("format: polhode-deck/1\n{}analysis: {{type: transient, duration: {}, step: "
                  "{{tolerance: {}}}, integrator: {}}}\n",
                  parts, duration, tolerance, integrator));
}

// Largest |v| - speed(t), m/s, over the run, and the number of steps.
struct SpeedErrors final : analyses::Observer {
  std::function<double(double)> speed;
  double largest = 0;
  long steps = -1;
  void warn(const std::string& text) override { ADD_FAILURE() << text; }
  void observe(const State& q, const integrators::StepRecord&, const analyses::Progress&, bool) override {
    ++steps;
    largest = std::max(largest, std::abs(q.v[1].head<3>().norm() - std::abs(speed(q.t))));
  }
};

SpeedErrors errors_of(const io::Deck& deck, std::function<double(double)> speed) {
  const Machine machine(deck.model);
  State q = machine.system.initial_state();
  model::Problems problems;
  SpeedErrors errors;
  errors.speed = std::move(speed);
  run_transient(machine.system, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, errors, problems);
  EXPECT_TRUE(problems.empty());
  return errors;
}

// What holds the arm on its way makes no difference to how the steps resolve it.
TEST_P(DrivenControl, ADrivenArmTakesTheStepsOfAFreeOne) {
  constexpr double tolerance = 1e-4;
  const auto speed = [](double) { return 27.0; };
  const std::string spin = "initial_motion: {angular_velocity: [0, 0, 27]}\n";
  const SpeedErrors driven =
      errors_of(run_of(spin + arm("arm", 3, ", rotation: \"=27*t\""), 2, tolerance, GetParam()), speed);
  const SpeedErrors free = errors_of(run_of(spin + arm("arm", 3, ""), 2, tolerance, GetParam()), speed);
  EXPECT_LT(driven.largest, 27 * 1e-3);
  // Index 2 estimates the error of the free arm together with that of its hinge.
  EXPECT_GT(driven.steps, 0.9 * static_cast<double>(free.steps));
  EXPECT_LT(driven.steps, 1.3 * static_cast<double>(free.steps));
}

TEST_P(DrivenControl, AToleranceCountsWhereNothingIsFree) {
  const auto speed = [](double t) { return 3 * std::sin(3 * t); };
  std::vector<SpeedErrors> errors;
  for (const double tolerance : {1e-3, 1e-5})
    errors.push_back(
        errors_of(run_of(arm("arm", 3, ", rotation: \"=1 - cos(3*t)\""), 20, tolerance, GetParam()), speed));
  EXPECT_GT(errors[1].steps, 5 * errors[0].steps);
  EXPECT_LT(errors[0].largest, 3 * 1e-2);
  EXPECT_LT(errors[1].largest, 3 * 1e-4);
}

// What a drive leaves in velocities when it comes to rest dies out before the steps grow again. The torque is that of
// gravity then.
TEST_P(DrivenControl, BehindADriveThatComesToRestForcesAreThoseOfRest) {
  const std::string smoother = "0.1*(10*((t-0.3)/T)^3 - 15*((t-0.3)/T)^4 + 6*((t-0.3)/T)^5)";
  for (const char* span : {"0.02", "0.3"}) {
    const io::Deck deck =
        run_of(std::string("gravity: [0, -9.81, 0]\nparameters: {T: ") + span + "}\n" +
                   arm("arm", 1, ", rotation: \"=t < 0.3 ? 0 : t < 0.3 + T ? " + smoother + " : 0.1\""),
               1, 1e-3, GetParam());
    const Transient run(deck);
    ASSERT_EQ(run.result.end, TransientResult::End::done) << span;
    EXPECT_LT(run.q.v[1].norm(), 1e-4) << span;
    EXPECT_LT(run.q.vdot[1].norm(), 0.1) << span;
    EXPECT_LT(run.result.progress.step, 2000) << span;
  }
}

// One of two drives rests while the other goes on: each is let go by itself.
TEST_P(DrivenControl, ADriveThatRestsBesideOneThatMovesCostsNothing) {
  const Transient run(run_of(
      "gravity: [0, 0, -9.81]\n"
      "nodes: {a: {position: [0.5, 0, 0]}, b: {position: [1.5, 0, 0]}}\n"
      "bodies:\n"
      "  a: {type: rigid_body, node: a, mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
      "  b: {type: rigid_body, node: b, mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
      "joints:\n"
      "  pan: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1],\n"
      "    rotation: \"=t < 0.5 ? 0 : t < 0.8 ? ((t-0.5)/0.3)^2*(3-2*(t-0.5)/0.3) : 1\"}\n"
      "  tilt: {type: revolute, connects: [a, b], at: [1, 0, 0], axis: [0, 1, 0], rotation: \"=0.1*(1-cos(t))\"}\n",
      2, 1e-2, GetParam()));
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_LT(run.result.progress.step, 1000);
}

// A light arm that turns fast beside one of a million times its mass that turns slowly.
TEST_P(DrivenControl, ALightFastDriveIsNotLostBesideAHeavySlowOne) {
  const SpeedErrors errors = errors_of(
      run_of(
          "nodes:\n"
          "  fast: {position: [1, 0, 0], velocity: [0, 27, 0], angular_velocity: [0, 0, 27]}\n"
          "  slow: {position: [1, 0, 0], velocity: [0, 0.02, 0], angular_velocity: [0, 0, 0.02]}\n"
          "bodies:\n"
          "  fast: {type: rigid_body, node: fast, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
          "  slow: {type: rigid_body, node: slow, mass: 1.0e+6, inertia: [1.0e+5, 1.0e+5, 1.0e+5]}\n"
          "joints:\n"
          "  fast: {type: revolute, connects: [ground, fast], at: [0, 0, 0], axis: [0, 0, 1], rotation: \"=27*t\"}\n"
          "  slow: {type: revolute, connects: [ground, slow], at: [0, 0, 0], axis: [0, 0, 1], rotation: \"=0.02*t\"}\n",
          1, 1e-4, GetParam()),
      [](double) { return 27.0; });
  EXPECT_LT(errors.largest, 27 * 1e-3);
}

}  // namespace
}  // namespace polhode::support
