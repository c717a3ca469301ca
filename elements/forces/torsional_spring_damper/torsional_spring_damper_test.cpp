// SPDX-License-Identifier: BSD-3-Clause
// The torsional spring-damper: its angle at any number of turns and on tilted axes, and a wheel on it.
#include "elements/forces/torsional_spring_damper/torsional_spring_damper.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "elements/forces/torsional_spring_damper/twist.hpp"
#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support::torsional_spring_damper_test {
namespace {

constexpr double pi = std::numbers::pi;
const Vec3 axis = Vec3(2, -1, 2) / 3;

// A wheel of inertia 0.5 about its hinge, with a spring of 8 N m/rad.
ModelMaker wheel(ModelMaker::Values values) {
  ModelMaker m;
  m.node("wheel", Vec3::Zero()).orientation = math::so3::exp_quaternion(Vec3(0.5, -0.2, 1));
  m.body("wheel", "wheel", 1, Vec3(0.5, 0.5, 0.5));
  m.joint("revolute", "hinge", "ground", "wheel", Vec3::Zero()).values.emplace("axis", value(axis));
  model::Entry& spring = m.add(Family::force, "torsional_spring_damper", "spring", values);
  spring.values.emplace("connects", std::vector<std::string>{"ground", "wheel"});
  spring.values.emplace("axis", value(Vec3(5 * axis)));
  spring.values.emplace("stiffness", 8.0);
  return m;
}

VectorX outputs(const assembly::System& system, const State& q) {
  VectorX out(2);
  for (const auto& batch : system.batches())
    if (batch->kind() == "torsional_spring_damper")
      batch->write_outputs(0, 1, q, system.context(q), out.data(), out.size());
  return out;
}

TEST(TorsionalSpringDamper, CountsItsAngleOverTurnsBothWays) {
  for (const double rate : {0.9, -0.9, 3.1}) {
    const Machine machine(wheel({{"free_angle", 0.25}}).model);
    State q = machine.system.initial_state();
    const math::so3::Quaternion start = q.quat[1];
    for (int n = 1; n <= 30; ++n) {
      q.set_rotation(1, math::so3::exp_quaternion(Vec3(n * rate * axis)) * start);
      const VectorX before = outputs(machine.system, q);
      EXPECT_NEAR(before[1], n * rate, 1e-12);
      EXPECT_NEAR(before[0], 8 * (n * rate - 0.25), 1e-11);
      machine.system.update_history(q);
      EXPECT_EQ(outputs(machine.system, q), before);
    }
  }
}

// Released 3 turns from where it has no moment: phi = 6 pi (1 - cos w t), w = 4 rad/s.
TEST(TorsionalSpringDamper, SwingsOverSeveralTurnsAsACosine) {
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const Machine machine(wheel({{"free_angle", 6 * pi}}).model);
    const int steps = 200 << level;
    double largest = 0;
    run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 1.6 / steps, steps,
        [&](const State& q, const auto&) {
          const double phi = outputs(machine.system, q)[1];
          largest = std::max(largest, phi);
          error[level] = std::max(error[level], std::abs(phi - 6 * pi * (1 - std::cos(4 * q.t))));
        });
    EXPECT_GT(largest, 11.9 * pi);
  }
  EXPECT_LE(error[0], 0.02);
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
}

// Twist by phi and then tilt, in whatever direction: the twist is still phi; and it is the opposite seen from b.
TEST(TorsionalSpringDamper, TiltChangesNoTwist) {
  std::mt19937 random(3);
  const Mat3 I = Mat3::Identity();
  for (const double phi : {-3.0, -0.2, 0.0, 1.0, 2.9})
    for (const double tilt : {0.0, 1e-9, 0.4, 1.5, 3.0}) {
      const Vec3 about = random_direction(random).cross(Vec3::UnitZ()).normalized();
      const math::so3::Quaternion first = math::so3::exp_quaternion(random_vector(random));
      const Mat3 Ra = first.toRotationMatrix();
      const Mat3 Rb = Ra * math::so3::exp(tilt * about) * math::so3::exp(phi * Vec3::UnitZ());
      const Vec3 x = Vec3::Zero();
      const Vec6 v = Vec6::Zero();
      const model::Node a{x, first, Ra, v, v};
      const model::Node b{x, first, Rb, v, v};
      EXPECT_NEAR(elements::twist::angle(I, I, {a, b}), phi, 1e-13);
      EXPECT_NEAR(elements::twist::angle(I, I, {b, a}), -phi, 1e-13);
    }
}

TEST(TorsionalSpringDamper, DampsAWheelByItsRate) {
  const Machine machine(wheel({{"damping", 3.0}, {"actuator", expression("2")}}).model);
  State q = machine.system.initial_state();
  q.v[1].tail<3>() = q.R[1].transpose() * Vec3(0.7 * axis);
  EXPECT_NEAR(outputs(machine.system, q)[0], 3 * 0.7 + 2, 1e-13);
  EXPECT_NEAR(machine.system.power(q), -(3 * 0.7 + 2) * 0.7, 1e-13);
}

}  // namespace
}  // namespace polhode::support::torsional_spring_damper_test
