// SPDX-License-Identifier: BSD-3-Clause
// The tyre: its law, roads, wheels that leave the ground, and the balance of energy over a bump.
#include "elements/forces/tyre/tyre.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support::tyre_test {
namespace {

using elements::Road;
using elements::Tyre;

// A wheel of 50 kg and radius 0.5 m at (x, 0, z), moving along x.
ModelMaker wheel(double x, double z, double speed, ModelMaker::Values values) {
  ModelMaker m;
  model::NodeEntry& node = m.node("hub", Vec3(x, 0, z));
  node.translation_only = true;
  node.velocity = Vec3(speed, 0, 0);
  m.add(Family::body, "point_mass", "hub", {{"node", value("hub")}, {"mass", 50.0}});
  model::Entry& tyre = m.add(Family::force, "tyre", "tyre", values);
  tyre.values.emplace("node", value("hub"));
  tyre.values.emplace("radius", 0.5);
  return m;
}

Vec3 force_on_hub(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, true, false});
  return -r.force[1].head<3>();
}

TEST(Tyre, PushesUpwardsByDeflectionAndItsRate) {
  const Machine machine(wheel(0, 0.49, 3, {{"stiffness", 1e4}, {"damping", 200.0}}).model);
  State q = machine.system.initial_state();
  EXPECT_LE((force_on_hub(machine.system, q) - Vec3(0, 0, 100)).norm(), 1e-10);
  EXPECT_NEAR(machine.system.energies(q).strain, 0.5 * 1e4 * 1e-4, 1e-12);
  q.v[1][2] = -0.2;
  EXPECT_LE((force_on_hub(machine.system, q) - Vec3(0, 0, 140)).norm(), 1e-10);
  EXPECT_NEAR(machine.system.power(q), -200 * 0.04, 1e-10);
}

TEST(Tyre, NeverPulls) {
  const Machine machine(wheel(0, 0.49, 3, {{"stiffness", 1e4}, {"damping", 200.0}}).model);
  State q = machine.system.initial_state();
  q.v[1][2] = 0.6;  // the damper alone would pull by 120 N against 100 N of the spring
  EXPECT_EQ(force_on_hub(machine.system, q), Vec3(0, 0, 0));
  EXPECT_NEAR(machine.system.power(q), -100 * 0.6, 1e-10);  // what the spring gives up is lost
  q.x[1][2] = 0.51;
  q.v[1][2] = -1;
  EXPECT_EQ(force_on_hub(machine.system, q), Vec3(0, 0, 0));
  EXPECT_EQ(machine.system.energies(q).strain, 0);
  EXPECT_EQ(machine.system.power(q), 0);
}

// The centre of a disc over a cylinder is on a circle about the cylinder's axis.
TEST(Road, DiscRollsOverAHalfCylinder) {
  const double R = 0.5;
  const double r = 0.05;
  const double reach = std::sqrt(r * (2 * R + r));
  const Road road(0.2, {}, {3}, r, R);
  for (const double x : {3 - reach - 1e-9, 3 + reach + 1e-9, 0.0}) EXPECT_EQ(road(x).value, 0.2);
  EXPECT_NEAR(road(3).value, 0.2 + r, 1e-15);
  for (const double x : {3 - 0.999 * reach, 2.9, 3.1, 3 + 0.999 * reach}) {
    EXPECT_NEAR(std::hypot(x - 3, road(x).value - 0.2 + R), R + r, 1e-15);
    EXPECT_NEAR((road(x + 1e-6).value - road(x - 1e-6).value) / 2e-6, road(x).first, 1e-8);
    EXPECT_NEAR((road(x + 1e-6).first - road(x - 1e-6).first) / 2e-6, road(x).second, 1e-7);
  }
  EXPECT_NEAR(road(3 - reach + 1e-9).first, reach / R, 1e-6);
}

// Whatever the slope: what the wheel rolls on changes by little where x does.
TEST(Road, BumpsOnASlopeMakeNoStep) {
  for (const double slope : {0.02, 0.1, 0.5, -0.3}) {
    const Road road(model::Expression::parse(std::to_string(slope) + "*t", {}, true), {}, {0}, 0.05, 0.4);
    EXPECT_NEAR(road(0).value, 0.05, 1e-15);
    for (double x = -1; x < 1; x += 1e-4) {
      EXPECT_LE(std::abs(road(x + 1e-4).value - road(x).value), 3e-4) << slope << " at " << x;
      EXPECT_GE(road(x).value, slope * x);
    }
  }
}

TEST(Road, TableLiesOnTheHeightAndBumpsOnBoth) {
  const Road road(model::Expression::parse("0.1*t", {}, true),
                  model::Table({0, 1, 2}, {0, 0.3, 0}, model::Interpolation::linear), {1, 10}, 0.05, 0.5);
  EXPECT_NEAR(road(0.5).value, 0.05 + 0.15, 1e-15);
  EXPECT_NEAR(road(0.5).first, 0.1 + 0.3, 1e-15);
  EXPECT_NEAR(road(1).value, 0.1 + 0.3 + 0.05, 1e-15);
  EXPECT_NEAR(road(10).value, 1 + 0.05, 1e-15);
}

// A wheel that is let go over the ground bounces: free fall, then the period of the tyre; without a damper it comes
// back to where it was.
TEST(Tyre, WheelFallsBouncesAndComesBack) {
  const double g = 9.81;
  const double drop = 0.05;
  const double k = 1e5;
  const double m = 50;
  ModelMaker maker = wheel(0, 0.5 + drop, 0, {{"stiffness", k}});
  maker.model.gravity = Vec3(0, 0, -g);
  const Machine machine(std::move(maker.model));
  // z - (0.5 - m g/k) = A cos: half a contact from the greatest deflection, by speed sqrt(2 g drop) at height m g/k.
  const double w = std::sqrt(k / m);
  const double rest = m * g / k;
  const double speed = std::sqrt(2 * g * drop);
  const double contact = 2 * (std::numbers::pi / 2 + std::atan(rest * w / speed)) / w;
  const double period = 2 * speed / g + contact;
  const int steps = 4000;
  double highest = 0;
  const State end =
      run(machine.system, consistent_start(machine.system), method("lie_alpha"), to_round_off(), period / steps, steps,
          [&](const State& q, const auto&) { highest = std::max(highest, machine.system.energies(q).strain); });
  EXPECT_NEAR(end.x[1][2], 0.5 + drop, 1e-5);
  EXPECT_NEAR(end.v[1][2], 0, 5e-3);
  EXPECT_NEAR(highest, 0.5 * std::pow(m * g + std::sqrt(m * m * g * g + 2 * m * g * drop * k), 2) / k, 1e-3);
}

// Energy less the external work is what it was, over a smooth hump too, where the drive along x has a share.
TEST(Tyre, WorkOfDriveAndDamperIsTheChangeOfEnergy) {
  ModelMaker maker = wheel(0, 0.5 - 50 * 9.81 / 2e4, 4,
                           {{"stiffness", 2e4}, {"damping", 300.0}, {"height", expression("0.03*sin(3*t)")}});
  maker.model.gravity = Vec3(0, 0, -9.81);
  maker.model.nodes[0].velocity = Vec3(4, 0, 4 * 0.09);  // along the road: contact is never lost
  const Machine machine(std::move(maker.model));
  const State start = consistent_start(machine.system);
  std::array<double, 2> drift{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 400 << level;
    double work = 0;
    double power = machine.system.power(start);
    run(machine.system, start, method("lie_alpha"), to_round_off(), 1.0 / steps, steps,
        [&](const State& q, const auto&) {
          const double now = machine.system.power(q);
          work += (power + now) / (2 * steps);
          power = now;
          drift[level] = machine.system.energies(q).total() - machine.system.energies(start).total() - work;
        });
    EXPECT_GT(std::abs(work), 1);
  }
  EXPECT_LE(std::abs(drift[0]), 0.05);
  EXPECT_NEAR(drift[0] / drift[1], 4, 0.5);
}

TEST(Tyre, ARoadThatIsNoNumberIsNoAir) {
  const Machine machine(wheel(0.5, 0.49, 0, {{"stiffness", 1e4}, {"height", expression("sqrt(t)")}}).model);
  State q = machine.system.initial_state();
  EXPECT_NEAR(force_on_hub(machine.system, q)[2], 1e4 * (std::sqrt(0.5) + 0.5 - 0.49), 1e-9);
  q.x[1][0] = -0.5;
  EXPECT_FALSE(std::isfinite(force_on_hub(machine.system, q)[2]));
}

// Forward motion is not held back, whatever the road is like: the law is vertical.
TEST(Tyre, LeavesForwardMotionAlone) {
  const Machine machine(wheel(0.9, 0.49, 4,
                              {{"stiffness", 1e4},
                               {"damping", 200.0},
                               {"bumps", math::VectorX(math::VectorX::Constant(1, 1.0))},
                               {"bump_diameter", 0.1}})
                            .model);
  const Vec3 force = force_on_hub(machine.system, machine.system.initial_state());
  EXPECT_EQ(force.head<2>(), Eigen::Vector2d(0, 0));
  const double rise = std::sqrt(0.55 * 0.55 - 0.01);
  EXPECT_NEAR(force[2], 1e4 * (rise - 0.49) + 200 * 4 * 0.1 / rise, 1e-9);
}

}  // namespace
}  // namespace polhode::support::tyre_test
