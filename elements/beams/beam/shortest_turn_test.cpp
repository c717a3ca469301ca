// SPDX-License-Identifier: BSD-3-Clause
// The shortest rotation from one section to another: whatever the signs of both quaternions, from any frame.
#include "elements/beams/shortest_turn.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace polhode::elements {
namespace {

using math::Vec3;
using math::so3::Quaternion;

struct TwoSections {
  Quaternion from;
  Quaternion to;
};
TwoSections two_sections(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto any = [&] {
    Quaternion q;
    for (double& k : q.coeffs()) k = normal(random);
    q.normalize();
    return q;
  };
  const Quaternion from = any();
  return {from, any()};
}
Quaternion turned_over(const Quaternion& q) { return Quaternion(-q.w(), -q.x(), -q.y(), -q.z()); }

TEST(ShortestTurn, LeadsFromOneToTheOtherByAtMostHalfATurn) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto [from, to] = two_sections(random);
    const Quaternion turn = shortest_turn(from, to);
    const math::Mat3 between = from.toRotationMatrix().transpose() * to.toRotationMatrix();
    EXPECT_GE(turn.w(), 0);
    EXPECT_NEAR(turn.norm(), 1, 4e-15);
    EXPECT_LE((turn.toRotationMatrix() - between).norm(), 1e-14);
    EXPECT_NEAR(2 * std::cos(math::so3::log(turn).norm()) + 1, between.trace(), 4e-14);
    EXPECT_LE(math::so3::log(turn).norm(), std::numbers::pi);
  }
}

// Both signs of a quaternion are one section.
TEST(ShortestTurn, DoesNotDependOnTheSignsOfTheSections) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const auto [from, to] = two_sections(random);
    const Quaternion turn = shortest_turn(from, to);
    EXPECT_EQ(shortest_turn(turned_over(from), to).coeffs(), turn.coeffs());
    EXPECT_EQ(shortest_turn(from, turned_over(to)).coeffs(), turn.coeffs());
    EXPECT_EQ(shortest_turn(turned_over(from), turned_over(to)).coeffs(), turn.coeffs());
  }
}

TEST(ShortestTurn, BackIsTheInverseAndAnyFrameSeesTheSame) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto [from, to] = two_sections(random);
    const Quaternion frame = two_sections(random).from;
    const Quaternion turn = shortest_turn(from, to);
    EXPECT_LE((shortest_turn(to, from).coeffs() - turn.conjugate().coeffs()).norm(), 4e-15);
    EXPECT_LE((shortest_turn(frame * from, frame * to).coeffs() - turn.coeffs()).norm(), 1e-14);
  }
}

TEST(ShortestTurn, OfASectionToItselfIsNone) {
  std::mt19937 random(4);
  const Quaternion section = two_sections(random).from;
  EXPECT_LE((shortest_turn(section, section).coeffs() - Quaternion::Identity().coeffs()).norm(), 4e-15);
  EXPECT_LE(math::so3::log(shortest_turn(section, turned_over(section))).norm(), 4e-15);
}

// The scalar part falls to zero at half a turn, and the rotation vector jumps to the other side of it.
TEST(ShortestTurn, JumpsToTheOtherSideAtHalfATurn) {
  const Vec3 axis = Vec3(1, -2, 2) / 3;
  constexpr double aside = 1e-6;
  const Quaternion none = Quaternion::Identity();
  const Quaternion before = shortest_turn(none, math::so3::exp_quaternion((std::numbers::pi - aside) * axis));
  const Quaternion behind = shortest_turn(none, math::so3::exp_quaternion((std::numbers::pi + aside) * axis));
  EXPECT_NEAR(before.w(), aside / 2, 1e-15);
  EXPECT_NEAR(behind.w(), aside / 2, 1e-15);
  EXPECT_LE((math::so3::log(before) - (std::numbers::pi - aside) * axis).norm(), 1e-14);
  EXPECT_LE((math::so3::log(behind) + (std::numbers::pi - aside) * axis).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::elements
