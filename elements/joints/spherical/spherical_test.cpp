// SPDX-License-Identifier: BSD-3-Clause
// The spherical joint: BCA12 eq. (85), and points without rotation.
#include <gtest/gtest.h>

#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support::spherical_test {
namespace {

// With the ground as a and the node's frame at the start inertial: Phi = -(x - R X), X = x(0) the deck's position.
TEST(SphericalJoint, IsTheConstraintOfTheHeavyTop) {
  const Machine machine(heavy_top());
  State q = machine.system.initial_state();
  std::mt19937 random(2);
  q.x[1] = random_vector(random);
  q.set_rotation(1, math::so3::exp_quaternion(random_vector(random)));
  assembly::Residual r = machine.system.make_residual();
  machine.system.set_residual(q, r, {false, false, true});
  EXPECT_LE((r.phi + q.x[1] - q.R[1] * Vec3(0, 1, 0)).norm(), 1e-15);
  q.v[1] << random_vector(random), random_vector(random);
  VectorX Bv(3);
  VectorX phi_t(3);
  VectorX gamma(3);
  machine.system.set_rates(q, Bv, phi_t, gamma);
  const Vec3 Omega = q.v[1].tail<3>();
  EXPECT_LE((Bv + q.v[1].head<3>() - q.R[1] * Omega.cross(Vec3(0, 1, 0))).norm(), 1e-15);
  EXPECT_LE(phi_t.norm(), 0);
}

TEST(SphericalJoint, HoldsAPointWithoutRotationAtThePointOnly) {
  for (const bool on_it : {true, false}) {
    ModelMaker m;
    m.node("point", Vec3(1, 0, 0)).translation_only = true;
    m.add(Family::body, "point_mass", "mass", {{"node", value("point")}, {"mass", 1.0}});
    m.joint("spherical", "pin", "ground", "point", on_it ? Vec3(1, 0, 0) : Vec3(0, 0, 0));
    model::Problems problems;
    const bool made = assembly::System::make(m.model, problems).has_value();
    EXPECT_EQ(made, on_it);
    if (!on_it) {
      ASSERT_EQ(problems.size(), 1u);
      EXPECT_EQ(problems[0].path, "joints.pin.at");
    }
  }
}

}  // namespace
}  // namespace polhode::support::spherical_test
