// SPDX-License-Identifier: BSD-3-Clause
// The motion: what each set of named coordinates prescribes, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::motion_test {
namespace {

const Vec3 at(0.2, 0.5, -0.3);
using math::so3::exp_quaternion;

// All three rotations named, that about the axis `driven` with 3 rad/s and the others zero.
model::Model one_rotation_driven(int driven) {
  model::Model model = two_bodies("motion", at, {});
  for (int i = 0; i < 3; ++i)
    model.entries.back().values.emplace(std::array{"motion.rx", "motion.ry", "motion.rz"}[i],
                                        i == driven ? expression("3*t") : model::Value(model::TimeFunction(0)));
  return model;
}

// The inertial axes are those of the joint; both frames of the nodes differ from them.
TEST(Motion, ThreeRotationsTurnAboutTheDrivenAxisWithoutLimit) {
  for (const int driven : {0, 1, 2}) {
    const Machine machine(one_rotation_driven(driven));
    for (const double t : {0.0, 0.5, 1.2, 4.0}) {
      State q =
          placed(machine.system.initial_state(), exp_quaternion(Vec3(3 * t * Vec3::Unit(driven))), at, Vec3(1, 2, 3));
      q.t = t;
      EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-13);
      EXPECT_EQ(machine.system.mirrored_entry(q), -1) << driven << ' ' << t;
      machine.system.update_history(q);
      EXPECT_LE((joint_outputs(machine.system, q, 10).tail<4>() - math::Mat<4>(1, 2, 3, 3 * t)).norm(), 1e-13);
      for (const int other : {0, 1, 2}) {
        q.set_rotation(2, exp_quaternion(Vec3(0.1 * Vec3::Unit(other))) * q.quat[2]);
        EXPECT_GT(joint_phi(machine.system, q).norm(), 0.05);
      }
    }
  }
}

TEST(Motion, ThreeRotationsWithTheDrivenAxisEndOverEndAreOnTheFlippedBranch) {
  for (const int driven : {0, 1, 2}) {
    const Machine machine(one_rotation_driven(driven));
    const Vec3 across = std::numbers::pi * Vec3::Unit((driven + 1) % 3);
    const State q = placed(machine.system.initial_state(), exp_quaternion(across), at, Vec3(1, 2, 3));
    EXPECT_GE(machine.system.mirrored_entry(q), 0) << driven;
  }
}

// Two named, one driven: the third axis of b is free to turn; one named: two rotations are free.
TEST(Motion, RotationsThatAreNotNamedAreFree) {
  for (const int driven : {0, 1, 2})
    for (const int zero : {(driven + 1) % 3, (driven + 2) % 3, -1}) {
      const std::array keys{"motion.rx", "motion.ry", "motion.rz"};
      model::Model model = two_bodies("motion", at, {});
      model.entries.back().values.emplace(keys[static_cast<std::size_t>(driven)], expression("3*t"));
      if (zero >= 0)
        model.entries.back().values.emplace(keys[static_cast<std::size_t>(zero)], model::Value(model::TimeFunction(0)));
      const Machine machine(std::move(model));
      EXPECT_EQ(machine.system.rows(), zero >= 0 ? 2 : 1);
      const int free = zero >= 0 ? 3 - driven - zero : (driven + 1) % 3;
      State q = placed(machine.system.initial_state(),
                       exp_quaternion(Vec3(3.6 * Vec3::Unit(driven))) * exp_quaternion(Vec3(0.8 * Vec3::Unit(free))),
                       at, Vec3(0.3, -1, 2));
      q.t = 1.2;
      EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-13);
      q.t = 1.3;
      EXPECT_NEAR(joint_phi(machine.system, q).tail<1>()[0], 0.3, 1e-13);
    }
}

TEST(Motion, TranslationsAreAlongTheJointsAxesOnA) {
  math::MatrixX axes(3, 2);
  axes << Vec3(0, 2, 0), Vec3(-1, 5, 0);  // x along y, y along -x, z along z
  const Machine machine(
      two_bodies("motion", at, {{"axes", axes}, {"motion.x", expression("t")}, {"motion.y", expression("t^2")}}));
  State q = placed(machine.system.initial_state(), exp_quaternion(Vec3(1, 2, 3)), at, Vec3(-0.25, 0.5, 7));
  q.t = 0.5;
  EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
  // a turns, and its axes with it
  const State r = rigidly_moved(q, exp_quaternion(Vec3(0.4, 0.2, -1)), Vec3(1, 2, 3));
  EXPECT_LE(joint_phi(machine.system, r).norm(), 1e-14);
}

TEST(Motion, DrivesWithInertiaTimesAcceleration) {
  const Machine machine(body_on_ground(
      "motion", 0.25,
      {{"motion.x", expression("3*t^2")}, {"motion.rz", expression("t^2")}, {"motion.y", model::TimeFunction(0)}}));
  const State q = consistent_start(machine.system);
  EXPECT_LE((q.lambda - Vec3(6, 0, 0.5)).norm(), 1e-13);
}

TEST(Motion, RefusesTwoDrivenRotationsAndNoCoordinateAtAll) {
  for (const bool two : {true, false}) {
    model::Model model = two_bodies("motion", at, {});
    if (two) model.entries.back().values.emplace("motion.rx", expression("t"));
    if (two) model.entries.back().values.emplace("motion.rz", expression("t^2"));
    const model::Problems problems = problems_of(model);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].path, two ? "joints.joint.motion.rz" : "joints.joint.motion");
  }
}

}  // namespace
}  // namespace polhode::support::motion_test
