// SPDX-License-Identifier: BSD-3-Clause
// Machines with controllers whose blocks have states: equilibrium, modes and linear models against closed forms.
#include <gtest/gtest.h>

#include <complex>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "polhode/math/dense.hpp"
#include "support/rested.hpp"
#include "support/transients.hpp"

namespace polhode::analyses {
namespace {

using Complex = std::complex<double>;

using support::held_by;
using support::holding;
using support::Rested;
using support::weight_moment;

const std::string pid = "  torque: {type: pid, input: error, kp: 60, ki: 40, kd: 12, filter: 0.05}\n";

// An integral makes the error zero, whatever it takes to hold the weight.
TEST(ControlledMachines, IntegratorsComeToRestAtTheirGoal) {
  const Rested rod(held_by(pid, "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  EXPECT_NEAR(rod.signal("angle"), 0.5, 1e-11);
  EXPECT_NEAR(rod.signal("torque"), holding, 1e-9);
  EXPECT_NEAR(rod.q.signals.z[0], holding, 1e-9);
  EXPECT_LE(rod.q.signals.rate.norm(), 1e-9);
}

// Nothing holds the hinge but what the integral has gathered.
TEST(ControlledMachines, AnIntegralAloneHolds) {
  const Rested rod(held_by("  torque: {type: integrator, input: \"=30*error\"}\n", "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  EXPECT_NEAR(rod.signal("angle"), 0.5, 1e-11);
  EXPECT_NEAR(rod.signal("torque"), holding, 1e-9);
}

// A torque of 5 N m cannot lift the rod: with anti-windup there is a rest at the limit.
TEST(ControlledMachines, ALimitIsARestToo) {
  const Rested rod(held_by(
      "  torque: {type: pid, input: error, kp: 60, ki: 40, kd: 12, filter: 0.05, limit: [-5, 5]}\n", "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  EXPECT_EQ(rod.signal("torque"), -5);
  EXPECT_NEAR(rod.signal("angle"), std::acos(5 / weight_moment), 1e-9);
}

// The same beside an integral for a response, which never rests: nothing is lost by waiting for it.
TEST(ControlledMachines, AnOdometerDoesNotKeepAControllerFromItsRest) {
  const Rested rod(held_by(pid + "  clock: {type: integrator, input: 1, initial: 7}\n", "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  EXPECT_NEAR(rod.signal("torque"), holding, 1e-9);
  EXPECT_EQ(rod.signal("clock"), 7);
  // The last state that is stored is that of the rest
  EXPECT_EQ(rod.keeper.states.back().signals.values, rod.q.signals.values);
}

// A filter in the loop has the gain of its rest; what nothing follows (an odometer) does not keep others from it.
TEST(ControlledMachines, FiltersRestAndOdometersStay) {
  const Rested rod(
      held_by("  slow: {type: low_pass, input: \"=60*error\", time_constant: 3}\n  torque: slow\n"
              "  gathered: {type: integrator, input: \"=abs(error)\", initial: 7}\n",
              "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  const double angle = rod.signal("angle");
  EXPECT_NEAR(60 * (0.5 - angle) + weight_moment * std::cos(angle), 0, 1e-8);
  EXPECT_EQ(rod.signal("gathered"), 7);
}

// The integral of what the machine cannot change goes on for ever, and moves what a spring holds.
TEST(ControlledMachines, WhatNeverRestsIsNamed) {
  const Rested rod(
      support::held_by_spring_and("  torque: {type: integrator, input: \"=0.3 + 0*angle\"}\n", "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::failed);
  EXPECT_NE(rod.result.failure.find("signals.torque finds no rest"), std::string::npos) << rod.result.failure;
}

// The shaft that carries the hinge is free to turn: it is held, as in statics without signals.
TEST(ControlledMachines, AFreeMotionBesideAControllerIsHeld) {
  const Rested rod(
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
      "nodes: {rod: {position: [1, 0, 0]}, post: {position: [0, 0, 0]}}\n"
      "bodies:\n  rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
      "  post: {type: rigid_body, node: post, mass: 1, inertia: [1, 1, 1]}\n"
      "signals:\n  angle: {of: joints.hinge.coordinates}\n  error: \"=0.5 - angle\"\n" +
      pid +
      "joints:\n  shaft: {type: revolute, connects: [ground, post], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  hinge: {type: revolute, connects: [post, rod], at: [0, 0, 0], axis: [0, 1, 0], motor: torque}\n"
      "analysis: {type: static}\n");
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  EXPECT_NEAR(rod.signal("angle"), 0.5, 1e-10);
  EXPECT_NEAR(rod.signal("torque"), holding, 1e-8);
  model::Problems problems;
  const ModalResult found = run_modal(*rod.system, {}, rod.q, "analysis", problems);
  ASSERT_EQ(found.modes.size(), 4U);  // that of the shaft, and those of the loop
  EXPECT_TRUE(found.modes[0].free);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(found.modes[i].free) << i;
}

// From there on a transient stays where it is: signals and motion are at rest.
TEST(ControlledMachines, AMotionFromRestStaysAtRest) {
  Rested rod(held_by(pid, "[{type: static}, {type: transient, duration: 1, step: 0.01}]"));
  const model::State before = rod.q;
  model::Problems problems;
  set_accelerations(*rod.system, rod.q, problems);
  EXPECT_LE(rod.q.vdot[1].norm(), 1e-9);
  EXPECT_LE((rod.q.signals.z - before.signals.z).norm(), 1e-12);
}

// (J s^2 + m g L sin) (T s + 1) s + (kp s + ki)(T s + 1) + kd s^2 of the loop.
Complex characteristic(Complex s) {
  const double inertia = 2.2;
  return (inertia * s * s + weight_moment * std::sin(0.5)) * (0.05 * s + 1.0) * s +
         (60.0 * s + 40.0) * (0.05 * s + 1.0) + 12.0 * s * s;
}

TEST(ControlledMachines, ModesOfTheClosedLoopAreItsPoles) {
  Rested rod(held_by(pid + "  seen: {type: low_pass, input: angle, time_constant: 3}\n", "{type: static}"));
  const ModalResult found = run_modal(*rod.system, {}, rod.q, "analysis", rod.problems);
  ASSERT_TRUE(rod.problems.empty()) << rod.problems.front().message;
  ASSERT_EQ(found.modes.size(), 3U);  // a pair and two real ones; the filter moves nothing
  for (const Mode& mode : found.modes) {
    const double size = std::abs(mode.lambda);
    EXPECT_LE(std::abs(characteristic(mode.lambda)), 1e-9 * (2.2 * 0.05 * std::pow(size, 4) + 40));
  }
}

struct Linear {
  explicit Linear(const std::string& text, LinearizeSettings settings) : rod(text) {
    made = make_linear_model(*rod.system, settings, rod.q, "analysis", rod.problems);
    if (!made) throw std::runtime_error(rod.problems.front().message);
  }
  // C (s - A)^-1 B + D at a real s
  double transfer(double s, Eigen::Index output, Eigen::Index input) const {
    const Eigen::Index n = made->a.rows();
    const math::MatrixX P = s * math::MatrixX::Identity(n, n) - made->a;
    return (made->c.row(output) * math::solve(P, math::VectorX(made->b.col(input)))).value() + made->d(output, input);
  }
  Rested rod;
  std::optional<LinearModel> made;
};

TEST(ControlledMachines, TransferFunctionsOfTheClosedLoop) {
  const Linear linear(held_by(pid, "{type: static}"), {.inputs = {"signals.error", "signals.torque"},
                                                       .outputs = {"joints.hinge.coordinates", "signals.torque"},
                                                       .open = {},
                                                       .modes = {},
                                                       .rotation = {}});
  for (const double s : {0.3, 2.0, 17.0}) {
    const double plant = 1 / (2.2 * s * s + weight_moment * std::sin(0.5));
    const double control = 60 + 40 / s + 12 * s / (0.05 * s + 1);
    EXPECT_NEAR(linear.transfer(s, 0, 0), plant * control / (1 + plant * control), 1e-10);
    EXPECT_NEAR(linear.transfer(s, 0, 1), plant / (1 + plant * control), 1e-10);
    EXPECT_NEAR(linear.transfer(s, 1, 0), control / (1 + plant * control), 1e-7);
    EXPECT_NEAR(linear.transfer(s, 1, 1), 1 / (1 + plant * control), 1e-9);
  }
}

// A state that is not at rest has no linear model: an integral that grows.
TEST(ControlledMachines, ARateThatIsNotZeroIsNamed) {
  Rested rod(held_by(pid, "{type: static}"));
  rod.q.signals.z[1] += 0.1;  // of the filter
  rod.system->signals().settle(rod.q);
  model::Problems problems;
  EXPECT_FALSE(make_linear_model(*rod.system, {}, rod.q, "analysis", problems));
  ASSERT_FALSE(problems.empty());
}

// Signals that measure results have their derivatives, by accelerations and multipliers, too.
TEST(ControlledMachines, ReactionsAndEnergiesAreOutputs) {
  const std::string measured =
      pid + "  load: {of: joints.hinge.force.z}\n  energy: {of: energy.total}\n  twice: \"=2*load\"\n";
  const Linear linear(
      held_by(measured, "{type: static}"),
      {.inputs = {"signals.torque"},
       .outputs = {"joints.hinge.force.z", "signals.load", "signals.twice", "energy.total", "signals.energy"},
       .open = {},
       .modes = {},
       .rotation = {}});
  const auto& c = linear.made->c;
  const auto& d = linear.made->d;
  EXPECT_GT(c.row(0).norm(), 1);
  EXPECT_GT(std::abs(d(0, 0)), 0.1);
  EXPECT_LE((c.row(1) - c.row(0)).norm(), 1e-9 * c.row(0).norm());
  EXPECT_LE((c.row(2) - 2 * c.row(0)).norm(), 1e-9 * c.row(0).norm());
  EXPECT_LE((c.row(4) - c.row(3)).norm(), 1e-9);
  EXPECT_NEAR(d(1, 0), d(0, 0), 1e-9);
  EXPECT_NEAR(linear.rod.signal("load"), 2 * 9.81, 1e-9);
}

}  // namespace
}  // namespace polhode::analyses
