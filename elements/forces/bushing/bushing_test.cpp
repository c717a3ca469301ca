// SPDX-License-Identifier: BSD-3-Clause
// The bushing: its stiffness in its own axes, its symmetry, large rotations.
#include "elements/forces/bushing/bushing.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "elements/forces/bushing/relative_pose.hpp"
#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support::bushing_test {
namespace {

using elements::Bushing;
using elements::RelativePose;

// A bushing on the ground at a point off the body's node, with axes of its own.
const Vec3 at(0.4, -0.3, 0.2);
const Mat3 axes = math::so3::exp(Vec3(0.3, 1, -0.5));

Machine mounted(const Vec6& stiffness) {
  ModelMaker m;
  m.node("block", Vec3(1, 0.5, -0.2)).orientation = math::so3::exp_quaternion(Vec3(-0.6, 0.3, 0.8));
  m.body("block", "block", 2, Vec3(0.2, 0.3, 0.3));
  m.add(Family::force, "bushing", "mount",
        {{"connects", std::vector<std::string>{"ground", "block"}},
         {"at", value(at)},
         {"axes", math::MatrixX(axes.leftCols<2>() * Eigen::Vector2d(2, 3).asDiagonal())},
         {"stiffness", math::MatrixX(stiffness.asDiagonal())}});
  return Machine(std::move(m.model));
}

VectorX outputs(const assembly::System& system, const State& q) {
  VectorX out(12);
  for (const auto& batch : system.batches())
    if (batch->kind() == "bushing") batch->write_outputs(0, 1, q, system.context(q), out.data(), out.size());
  return out;
}

const Vec6 stiffness = (Vec6() << 100, 200, 300, 4, 5, 6).finished();

TEST(Bushing, IsAtRestInTheDecksConfiguration) {
  const Machine machine = mounted(stiffness);
  EXPECT_LE(outputs(machine.system, machine.system.initial_state()).norm(), 1e-13);
}

// Displaced along one axis, or turned about it, the body is pulled back along it or turned back about it.
TEST(Bushing, HasEachStiffnessAlongAndAboutItsOwnAxes) {
  const Machine machine = mounted(stiffness);
  const State start = machine.system.initial_state();
  for (int i = 0; i < 3; ++i) {
    State q = start;
    q.x[1] += 0.2 * axes.col(i);
    VectorX out = outputs(machine.system, q);
    EXPECT_LE((out.head<3>() + 0.2 * stiffness[i] * axes.col(i)).norm(), 1e-12);
    q = start;
    const double angle = 2.5;
    const Mat3 turn = math::so3::exp(angle * axes.col(i));
    q.x[1] = at + turn * (start.x[1] - at);
    q.set_rotation(1, math::so3::exp_quaternion(angle * axes.col(i)) * start.quat[1]);
    out = outputs(machine.system, q);
    EXPECT_LE((out.segment<3>(3) + angle * stiffness[3 + i] * axes.col(i)).norm(), 1e-12);
    EXPECT_LE(out.head<3>().norm(), 1e-12);
    EXPECT_LE((out.tail<6>() - angle * Vec6::Unit(3 + i)).norm(), 1e-13);
  }
}

// Turned on in steps, the rotation goes on beyond half a turn.
TEST(Bushing, TurnsBeyondHalfATurn) {
  const Machine machine = mounted(stiffness);
  State q = machine.system.initial_state();
  const State start = q;
  for (double angle = 0; angle < 6; angle += 0.5) {
    q.x[1] = at + math::so3::exp(angle * axes.col(1)) * (start.x[1] - at);
    q.set_rotation(1, math::so3::exp_quaternion(angle * axes.col(1)) * start.quat[1]);
    EXPECT_LE((outputs(machine.system, q).tail<6>() - angle * Vec6::Unit(4)).norm(), 1e-12) << angle;
    machine.system.update_history(q);
  }
}

// Which body is named first makes no difference: forces on each are the same.
TEST(Bushing, HasNoFrontAndNoBack) {
  std::mt19937 random(5);
  for (const double angle : {1e-4, 1.0, 2.8}) {
    Bushing::Data d = Bushing::sample(random);
    Bushing::Data exchanged = d;
    std::swap(exchanged.s_a, exchanged.s_b);
    std::swap(exchanged.E_a, exchanged.E_b);
    const Bench one = Bench::of<Bushing>(d);
    const Bench other = Bench::of<Bushing>(exchanged);
    const State q = one.random_state(random, angle);
    State p = q;
    std::swap(p.x[1], p.x[2]);
    std::swap(p.quat[1], p.quat[2]);
    std::swap(p.R[1], p.R[2]);
    std::swap(p.v[1], p.v[2]);
    p.history = -q.history;
    const VectorX r = one.residual(q);
    const VectorX s = other.residual(p);
    EXPECT_LE((r.head<6>() - s.tail<6>()).norm(), 1e-12 * (1 + r.norm()));
    EXPECT_LE((r.tail<6>() - s.head<6>()).norm(), 1e-12 * (1 + r.norm()));
  }
}

TEST(Bushing, RefusesAStiffnessThatGivesEnergyAway) {
  ModelMaker m;
  m.node("block", Vec3(1, 0, 0));
  m.body("block", "block", 2, Vec3(1, 1, 1));
  math::Mat6 S = math::Mat6::Identity();
  S(0, 4) = S(4, 0) = 2;
  m.add(
      Family::force, "bushing", "mount",
      {{"connects", std::vector<std::string>{"ground", "block"}}, {"at", value(at)}, {"stiffness", math::MatrixX(S)}});
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(m.model, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "forces.mount.stiffness");
  EXPECT_NE(problems[0].message.find("-1"), std::string::npos);
}

}  // namespace
}  // namespace polhode::support::bushing_test
