// SPDX-License-Identifier: BSD-3-Clause
// The point mass: falls, and resists no rotation.
#include <gtest/gtest.h>

#include "support/models.hpp"

namespace polhode::support::point_mass_test {
namespace {

TEST(PointMass, FallsAndResistsNoRotation) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("drop", Vec3(0, 0, 2)).translation_only = true;
  m.add(Family::body, "point_mass", "drop", {{"node", value("drop")}, {"mass", 1.5}});
  const Machine machine(std::move(m.model));
  EXPECT_EQ(machine.system.free_unknowns(), 3);
  State q = consistent_start(machine.system);
  EXPECT_LE((q.vdot[1] - (Vec6() << 0, 0, -9.81, 0, 0, 0).finished()).norm(), 1e-15);
  q.v[1] << 3, 0, 4, 7, 8, 9;
  EXPECT_DOUBLE_EQ(machine.system.energies(q).kinetic, 0.5 * 1.5 * 25);
  EXPECT_DOUBLE_EQ(machine.system.energies(q).gravity, 1.5 * 9.81 * 2);
}

}  // namespace
}  // namespace polhode::support::point_mass_test
