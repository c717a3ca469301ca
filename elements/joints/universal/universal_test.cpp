// SPDX-License-Identifier: BSD-3-Clause
// The universal joint: its angles, and the axes that it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joints.hpp"

namespace polhode::support::universal_test {
namespace {

const Vec3 at(0.2, 0.5, -0.3);
const Vec3 u = Vec3(1, 2, -2) / 3;
const Vec3 v = Vec3(2, 1, 2) / 3;

math::MatrixX axes(const Vec3& first, const Vec3& second) {
  math::MatrixX result(3, 2);
  result << first, second;
  return result;
}

TEST(UniversalJoint, HoldsForTurnsAboutBothAxesOfTheCrossAndCountsThem) {
  const Machine machine(two_bodies("universal", at, {{"axes", axes(2 * u, 3 * v)}}));
  State q = machine.system.initial_state();
  const State start = q;
  for (int n = 1; n <= 10; ++n) {
    const math::so3::Quaternion turn =
        math::so3::exp_quaternion(Vec3(1.1 * n * u)) * math::so3::exp_quaternion(Vec3(-0.9 * n * v));
    const State next = placed(start, turn, at, Vec3::Zero());
    q.x = next.x;
    q.quat = next.quat;
    q.R = next.R;
    EXPECT_LE(joint_phi(machine.system, q).norm(), 1e-14);
    machine.system.update_history(q);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[6], 1.1 * n, 1e-13);
    EXPECT_NEAR(joint_outputs(machine.system, q, 8)[7], -0.9 * n, 1e-13);
  }
  const State twisted = placed(start, math::so3::exp_quaternion(Vec3(0.1 * u.cross(v))), at, Vec3::Zero());
  EXPECT_NEAR(std::abs(joint_phi(machine.system, twisted)[3]), std::sin(0.1), 1e-14);
}

TEST(UniversalJoint, RefusesAxesThatAreNotAtRightAngles) {
  const auto message = [](const Vec3& second) {
    const model::Problems problems = problems_of(two_bodies("universal", at, {{"axes", axes(u, second)}}));
    return problems.size() == 1 && problems[0].path == "joints.joint.axes" ? problems[0].message : "";
  };
  EXPECT_NE(message(-2 * u).find("singular position"), std::string::npos);
  EXPECT_NE(message(u + v).find("45 degrees"), std::string::npos) << message(u + v);
  EXPECT_EQ(message(v), "");
}

// Shafts that enclose beta, the cross on the driving one normal to their plane at the start: with the angle theta of
// the driving shaft, omega_out / omega_in = cos beta / (1 - sin^2 beta sin^2 theta).
TEST(UniversalJoint, TurnsUnevenlyAsCardansDoes) {
  const double beta = 0.6;
  const Vec3 out(std::cos(beta), std::sin(beta), 0);
  ModelMaker m;
  m.node("in", Vec3(-0.2, 0, 0));
  m.node("out", 0.2 * out);
  m.body("in", "in", 1, Vec3(0.01, 0.01, 0.01));
  m.body("out", "out", 1, Vec3(0.01, 0.01, 0.01));
  model::Entry& motor = m.joint("revolute", "motor", "ground", "in", Vec3(-0.4, 0, 0));
  motor.values.emplace("axis", value(Vec3(1, 0, 0)));
  motor.values.emplace("rotation", expression("t^2"));
  m.joint("universal", "cross", "in", "out", Vec3::Zero())
      .values.emplace("axes", axes(Vec3(0, 0, 1), Vec3(-std::sin(beta), std::cos(beta), 0)));
  m.joint("point_on_line", "bearing", "ground", "out", 0.4 * out).values.emplace("axis", value(out));
  const Machine machine(std::move(m.model));
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 1000 << level;
    run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), 3.0 / steps, steps,
        [&](const State& q, const auto&) {
          const double s = std::sin(beta) * std::sin(q.t * q.t);
          const double exact = 2 * q.t * std::cos(beta) / (1 - s * s);
          error[level] = std::max(error[level], std::abs((q.R[2] * q.v[2].tail<3>()).dot(out) - exact));
        });
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  EXPECT_LE(error[1], 1e-3);
}

}  // namespace
}  // namespace polhode::support::universal_test
