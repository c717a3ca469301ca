// SPDX-License-Identifier: BSD-3-Clause
// Mass, center and inertia of parts and of the whole against closed forms.
#include <gtest/gtest.h>

#include "polhode/run/check.hpp"
#include "support/deck_text.hpp"

namespace polhode::run {
namespace {

using math::Mat3;
using math::Vec3;

// A body turned by 90 degrees about z with its center aside, and a uniform rod of 2 m and 3 kg that is clamped at its end.
TEST(MassProperties, BodiesAndBeamsAddUpByTheParallelAxisTheorem) {
  const ModelSummary summary = check_deck(support::deck_of(
      "format: polhode-deck/1\n"
      "nodes: {b: {position: [1, 2, 3], orientation: {axis: [0, 0, 1], angle_deg: 90}}, root: {position: [0, 0, 0], "
      "fixed: true}, tip: {position: [2, 0, 0]}}\n"
      "bodies: {b: {type: rigid_body, node: b, mass: 5, inertia: [1, 2, 2.5], center_of_mass: [0.5, 0, 0]}}\n"
      "sections: {s: {stiffness: {EA: 1.0e+6, GAy: 1.0e+6, GAz: 1.0e+6, GJ: 1000, EIy: 1000, EIz: 1000}, mass: "
      "{per_length: 1.5, inertia: [0.02, 0.01, 0.01]}}}\n"
      "beams: {rod: {section: s, from: root, to: tip, elements: 4}}\n"
      "joints: {hinge: {type: revolute, connects: [ground, b], at: [1, 2, 3], axis: [0, 0, 1]}}\n"
      "analysis: {type: static}\n"));
  ASSERT_TRUE(summary.problems.empty()) << summary.problems.front().message;
  ASSERT_EQ(summary.masses.size(), 3u);
  const MassProperties& whole = summary.masses[0];
  const MassProperties& body = summary.masses[1].path == "bodies.b" ? summary.masses[1] : summary.masses[2];
  const MassProperties& rod = summary.masses[1].path == "bodies.b" ? summary.masses[2] : summary.masses[1];
  EXPECT_NEAR(body.mass, 5, 1e-12);
  EXPECT_LT((body.center - Vec3(1, 2.5, 3)).norm(), 1e-12);
  // Principal axes x and y change places.
  EXPECT_LT((body.inertia - Mat3(Vec3(2, 1, 2.5).asDiagonal())).norm(), 1e-11);
  EXPECT_NEAR(rod.mass, 3, 1e-12);
  EXPECT_LT((rod.center - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(rod.inertia(0, 0), 2 * 0.02, 1e-12);
  EXPECT_NEAR(rod.inertia(1, 1), 3 * 4.0 / 12 + 2 * 0.01, 1e-12);
  EXPECT_NEAR(whole.mass, 8, 1e-12);
  EXPECT_LT((whole.center - (5 * body.center + 3 * rod.center) / 8).norm(), 1e-12);
  Mat3 sum = body.inertia + rod.inertia;
  for (const MassProperties* part : {&body, &rod}) {
    const Vec3 d = part->center - whole.center;
    sum += part->mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  EXPECT_LT((whole.inertia - sum).norm(), 1e-11);
  ASSERT_EQ(summary.joints.size(), 1u);
  EXPECT_EQ(summary.joints[0].path, "joints.hinge");
  EXPECT_EQ(summary.joints[0].kind, "revolute");
  EXPECT_EQ(summary.joints[0].freedoms, 1);
}

}  // namespace
}  // namespace polhode::run
