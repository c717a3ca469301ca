// SPDX-License-Identifier: BSD-3-Clause
// The fixed joint: nothing moves, and its reactions are those of the point that the deck asks for.
#include <gtest/gtest.h>

#include <limits>

#include "support/runs.hpp"

namespace polhode::support::fixed_test {
namespace {

model::Model welded(bool with_point) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -10);
  m.node("post", Vec3(2, 1, 0)).orientation = math::so3::exp_quaternion(Vec3(1, -2, 0.5));
  m.body("post", "post", 3, Vec3(1, 1, 1), Vec3(0.1, 0.2, 0.3));
  model::Entry& weld = m.joint("fixed", "weld", "ground", "post", Vec3(0, 0, 0));
  if (!with_point) weld.values.erase("at");
  return std::move(m.model);
}

TEST(FixedJoint, CarriesTheWeightAtItsPoint) {
  for (const bool with_point : {true, false}) {
    const Machine machine(welded(with_point));
    const State q = consistent_start(machine.system);
    EXPECT_LE(q.vdot[1].norm(), 1e-13);
    VectorX out(6);
    for (const auto& batch : machine.system.batches())
      if (batch->rows() > 0) batch->write_outputs(0, 1, q, machine.system.context(q), out.data(), out.size());
    const Vec3 weight(0, 0, -30);
    const Vec3 centre = q.x[1] + q.R[1] * Vec3(0.1, 0.2, 0.3);
    const Vec3 at = with_point ? Vec3(0, 0, 0) : q.x[1];
    EXPECT_LE((out.head<3>() + weight).norm(), 1e-12);
    EXPECT_LE((out.tail<3>() + (centre - at).cross(weight)).norm(), 1e-12);
  }
}

TEST(FixedJoint, LetsNothingMove) {
  const Machine machine(welded(true));
  const State start = consistent_start(machine.system);
  const State end = run(machine.system, start, method("lie_alpha"), to_round_off(), 0.01, 50);
  EXPECT_LE((end.x[1] - start.x[1]).norm() + (end.R[1] - start.R[1]).norm(), 1e-13);
}

TEST(FixedJoint, TakesSixFreedomsFromAPairAtAnyOrientationOfTheWhole) {
  ModelMaker m;
  m.node("a", Vec3(1, 2, 3)).orientation = math::so3::exp_quaternion(Vec3(3, 0.1, 0));
  m.node("b", Vec3(-1, 0, 2)).orientation = math::so3::exp_quaternion(Vec3(0, 2.5, 1));
  m.body("a", "a", 1, Vec3(1, 1, 1));
  m.body("b", "b", 1, Vec3(1, 1, 1));
  m.joint("fixed", "weld", "a", "b", Vec3(0, 1, 0));
  const Machine machine(std::move(m.model));
  State q = machine.system.initial_state();
  assembly::Residual r = machine.system.make_residual();
  machine.system.set_residual(q, r, {false, false, true});
  // Differences of points 3.7 m from the origin and of products of rotations, each rounded some ten times.
  EXPECT_LE(r.phi.norm(), 10 * 3.7 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(machine.system.rows(), 6);
}

}  // namespace
}  // namespace polhode::support::fixed_test
