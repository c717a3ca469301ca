// SPDX-License-Identifier: BSD-3-Clause
// The revolute joint: its counted angle, its drive without limit, its reactions.
#include <gtest/gtest.h>

#include <numbers>

#include "support/bench.hpp"
#include "support/joints.hpp"
#include "support/runs.hpp"

namespace polhode::support::revolute_test {
namespace {

constexpr double pi = std::numbers::pi;
const Vec3 axis = Vec3(1, 2, -2) / 3;
const Vec3 at(0.2, 0.5, -0.3);

// Two bodies with a hinge off both nodes; the second driven if there is a drive.
model::Model hinge(const char* drive = nullptr) {
  ModelMaker m;
  m.node("a", Vec3(0, 0.1, 0)).orientation = math::so3::exp_quaternion(Vec3(0.5, -0.2, 1));
  m.node("b", Vec3(1, 0.3, -0.4)).orientation = math::so3::exp_quaternion(Vec3(-1, 0.3, 0.2));
  m.body("a", "a", 1, Vec3(0.1, 0.2, 0.2));
  m.body("b", "b", 2, Vec3(0.3, 0.2, 0.2));
  model::Entry& joint = m.joint("revolute", "hinge", "a", "b", at);
  joint.values.emplace("axis", value(Vec3(3 * axis)));
  if (drive) joint.values.emplace("rotation", expression(drive));
  return std::move(m.model);
}

// b turned against a by `angle` about the axis through the joint's point.
State turned(const assembly::System& system, double angle) {
  State q = system.initial_state();
  const math::so3::Quaternion turn = math::so3::exp_quaternion(Vec3(angle * axis));
  q.x[2] = at + turn * Vec3(q.x[2] - at);
  q.set_rotation(2, turn * q.quat[2]);
  return q;
}

VectorX outputs(const assembly::System& system, const State& q) { return joint_outputs(system, q, 8); }

VectorX phi(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, false, true});
  return r.phi;
}

TEST(RevoluteJoint, HoldsAtEveryAngleAboutItsAxisAndAtNoOther) {
  const Machine machine(hinge());
  for (const double angle : {0.0, 1e-8, 1.0, 3.0, pi, -2.0})
    EXPECT_LE(phi(machine.system, turned(machine.system, angle)).norm(), 1e-15);
  State q = turned(machine.system, 1);
  q.set_rotation(2, q.quat[2] * math::so3::exp_quaternion(Vec3(0, 0.1, 0.1)));
  EXPECT_GT(phi(machine.system, q).norm(), 0.01);
}

// With the axis of b turned end over end all rows hold, but no motion of a hinge leads there.
TEST(RevoluteJoint, AStepToItsMirrorImageFails) {
  const Machine machine(hinge());
  State q = turned(machine.system, 0.7);
  EXPECT_EQ(machine.system.mirrored_entry(q), -1);
  const math::so3::Quaternion over = math::so3::exp_quaternion(Vec3(pi * axis.unitOrthogonal()));
  q.x[2] = at + over * Vec3(q.x[2] - at);
  q.set_rotation(2, over * q.quat[2]);
  EXPECT_LE(phi(machine.system, q).norm(), 1e-14);
  const int entry = machine.system.mirrored_entry(q);
  ASSERT_GE(entry, 0);
  EXPECT_EQ(machine.model.entries[static_cast<std::size_t>(entry)].name, "hinge");
  support::Stepper stepper(machine.system, method("lie_alpha"), {});
  stepper.start(q);
  EXPECT_FALSE(stepper.advance(q, 0.01, 0.01));
  EXPECT_EQ(stepper.reports().back().outcome, integrators::Outcome::mirrored);
  EXPECT_EQ(stepper.reports().back().worst.at(0), "joints.hinge  (an axis is turned end over end)");
}

TEST(RevoluteJoint, CountsItsAngleOverSeveralTurnsBothWays) {
  for (const double rate : {0.7, -0.7, 3.0}) {
    const Machine machine(hinge());
    State q = machine.system.initial_state();
    EXPECT_NEAR(outputs(machine.system, q)[6], 0, 1e-15);
    for (int n = 1; n <= 30; ++n) {
      const State next = turned(machine.system, n * rate);
      q.x = next.x;
      q.quat = next.quat;
      q.R = next.R;
      machine.system.update_history(q);
      EXPECT_NEAR(outputs(machine.system, q)[6], n * rate, 1e-13);
    }
  }
}

TEST(RevoluteJoint, CountsOnlyAcceptedStates) {
  const Machine machine(hinge());
  State q = machine.system.initial_state();
  const VectorX history = q.history;
  State trial = turned(machine.system, 3);
  trial.history = history;
  machine.system.update_history(trial);
  EXPECT_EQ(q.history, history);
  EXPECT_NE(trial.history, history);
}

TEST(RevoluteJoint, DriveHasNoLimitOfItsAngle) {
  const Machine machine(hinge("5*t + sin(t)"));
  for (const double t : {0.0, 0.4, 1.0, 7.0, -3.0, 100.0}) {
    State q = turned(machine.system, 5 * t + std::sin(t));
    q.t = t;
    EXPECT_LE(phi(machine.system, q).norm(), 1e-12) << t;
    q = turned(machine.system, 5 * t + std::sin(t) - 0.01);  // lags behind: Phi = theta - phi
    q.t = t;
    EXPECT_NEAR(phi(machine.system, q)[5], 0.01, 1e-12) << t;
    machine.system.update_history(q);
    EXPECT_NEAR(outputs(machine.system, q)[6], 5 * t + std::sin(t) - 0.01, 1e-12) << t;
  }
}

TEST(RevoluteJoint, IsDrivenThroughSeveralTurns) {
  const Machine machine(hinge("4*t^2"));
  const State start = consistent_start(machine.system);
  double last = 0;
  run(machine.system, start, method("lie_alpha"), to_round_off(), 0.01, 300, [&](const State& q, const auto&) {
    const double angle = outputs(machine.system, q)[6];
    EXPECT_NEAR(angle, 4 * q.t * q.t, 1e-12 * (1 + angle));
    last = angle;
  });
  EXPECT_GT(last, 5 * 2 * pi);
}

// A free hinge passes no moment about its axis; the multiplier of a drive is the torque on b.
TEST(RevoluteJoint, MomentAboutTheAxisIsThatOfTheDrive) {
  std::mt19937 random(2);
  for (const char* drive : {static_cast<const char*>(nullptr), "0.5*t"}) {
    const Machine machine(hinge(drive));
    State q = turned(machine.system, drive ? 0.5 : 0.8);
    q.t = 1;
    for (double& l : q.lambda) l = random_vector(random)[0];
    const VectorX out = outputs(machine.system, q);
    EXPECT_NEAR(out.segment<3>(3).dot(axis), drive ? q.lambda[5] : 0, 1e-14);
    EXPECT_LE((out.head<3>() - q.lambda.head<3>()).norm(), 1e-15);  // Phi = p_a - p_b: lambda is the force on b
    // the force acts at the joint's point: moments of the residual about the nodes
    assembly::Residual r = machine.system.make_residual();
    machine.system.set_residual(q, r, {false, false, true});
    const Vec3 force = out.head<3>();
    const Vec3 moment = out.segment<3>(3);
    EXPECT_LE((q.R[2] * -r.force[2].tail<3>() - moment - (at - q.x[2]).cross(force)).norm(), 1e-14);
    EXPECT_LE((q.R[1] * -r.force[1].tail<3>() + moment + (at - q.x[1]).cross(force)).norm(), 1e-14);
  }
}

// Torque 4 N m of a drive on a disc about its axis: J thetaddot with the other body fixed.
TEST(RevoluteJoint, DriveTorqueIsInertiaTimesAcceleration) {
  ModelMaker m;
  m.node("disc", Vec3::Zero());
  m.body("disc", "disc", 1, Vec3(0.3, 0.3, 0.5));
  model::Entry& joint = m.joint("revolute", "motor", "ground", "disc", Vec3::Zero());
  joint.values.emplace("axis", value(Vec3(0, 0, 2)));
  joint.values.emplace("rotation", expression("4*t^2"));
  const Machine machine(std::move(m.model));
  const State q = consistent_start(machine.system);
  EXPECT_NEAR(q.lambda[5], 0.5 * 8, 1e-13);
  EXPECT_NEAR(q.vdot[1][5], 8, 1e-13);
  EXPECT_NEAR(outputs(machine.system, q)[5], 4, 1e-13);
}

// A spring winds up turn by turn: its torque is that of the counted angle.
TEST(RevoluteJoint, SpringWindsUpOverSeveralTurns) {
  model::Model model = hinge();
  model.entries.back().values.emplace("stiffness", 0.5);
  model.entries.back().values.emplace("free_angle", 1.0);
  const Machine machine(std::move(model));
  State q = machine.system.initial_state();
  for (int n = 1; n <= 10; ++n) {
    const State next = turned(machine.system, 2.5 * n);
    q.x = next.x;
    q.quat = next.quat;
    q.R = next.R;
    machine.system.update_history(q);
    EXPECT_NEAR(outputs(machine.system, q)[7], -0.5 * (2.5 * n - 1), 1e-12);
    EXPECT_NEAR(machine.system.energies(q).strain, 0.25 * (2.5 * n - 1) * (2.5 * n - 1), 1e-11);
  }
}

// J phi'' = T_m - d phi': the speed tends to T_m/d, through many turns.
TEST(RevoluteJoint, MotorAgainstADamperReachesItsSpeed) {
  ModelMaker m;
  m.node("disc", Vec3::Zero());
  m.body("disc", "disc", 1, Vec3(0.3, 0.3, 0.5));
  model::Entry& joint = m.joint("revolute", "motor", "ground", "disc", Vec3::Zero());
  joint.values.emplace("axis", value(Vec3(0, 0, 1)));
  joint.values.emplace("motor", expression("6"));
  joint.values.emplace("damping", 0.25);
  joint.values.emplace("friction.viscous", 0.25);
  joint.values.emplace("friction.coulomb", 1.0);
  joint.values.emplace("friction.velocity", 0.01);
  const Machine machine(std::move(m.model));
  const State end =
      run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 0.02, 1000);
  EXPECT_NEAR(end.v[1][5], (6 - 1) / 0.5, 1e-6);
  EXPECT_NEAR(outputs(machine.system, end)[7], 0, 1e-6);
}

}  // namespace
}  // namespace polhode::support::revolute_test
