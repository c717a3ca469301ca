// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods: what they keep, to round-off, and their order.
#include "support/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polhode::support {
namespace {

TEST(EnergyMomentum, KeepsEnergyAndMomentumOfAHungChainOfTen) {
  for (const bool offset : {false, true}) {
    const Machine machine(chain(true, 10, offset));
    const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.002, 1000);
    EXPECT_LE(kept.energy, kept_to);
    EXPECT_LE(kept.angular_z, kept_to);
    EXPECT_LE(kept.phi, 1e-9);
    EXPECT_LE(kept.solves, 3.2);
    EXPECT_GT(kept.end.x[10].norm(), 0);
  }
}

TEST(EnergyMomentum, KeepsEverythingOfAFreeChain) {
  for (const bool offset : {false, true}) {
    const Machine machine(chain(false, 5, offset));
    const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.01, 1000);
    EXPECT_LE(kept.energy, kept_to);
    EXPECT_LE(kept.linear, kept_to);
    EXPECT_LE(kept.angular, kept_to);
  }
}

TEST(EnergyMomentum, KeepsEnergyAndMomentumOfASpringPendulum) {
  const Machine machine(spring_pendulum());
  const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.005, 5000);
  EXPECT_LE(kept.energy, kept_to);
  EXPECT_LE(kept.angular_z, kept_to);
}

TEST(EnergyMomentum, KeepsEnergyWithChangingSteps) {
  const Machine machine(chain(true, 4, true));
  State q = consistent_start(machine.system);
  Stepper stepper(machine.system, settings_of("energy_momentum"), {});
  stepper.start(q);
  const double energy = stepper.invariants()->energy;
  double t = 0;
  double largest = 0;
  double kinetic = 0;
  for (int n = 0; n < 500; ++n) {
    const double h = 1e-3 * (2 + n % 5);
    ASSERT_TRUE(stepper.advance(q, h, t += h));
    kinetic = std::max(kinetic, machine.system.energies(q).kinetic);
    largest = std::max(largest, std::abs(stepper.invariants()->energy - energy));
  }
  EXPECT_LE(largest / kinetic, kept_to);
}

TEST(Variational, KeepsMomentumAndAlmostTheEnergy) {
  for (const std::string method : {"variational", "cayley"})
    for (const bool offset : {false, true}) {
      SCOPED_TRACE(method);
      const Machine hung(chain(true, 10, offset));
      const Machine free(chain(false, 5, offset));
      const Machine spring(spring_pendulum());
      const Kept coarse = run_kept(hung.system, settings_of(method), 0.004, 250);
      const Kept fine = run_kept(hung.system, settings_of(method), 0.002, 500);
      EXPECT_LE(fine.angular_z, kept_to);
      EXPECT_LE(fine.phi, 1e-9);
      EXPECT_LE(fine.solves, 3.2);
      EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2, 0.5);  // the spread
      const Kept flying = run_kept(free.system, settings_of(method), 0.01, 1000);
      EXPECT_LE(flying.linear, kept_to);
      EXPECT_LE(flying.angular, kept_to);
      EXPECT_LE(run_kept(spring.system, settings_of(method), 0.005, 2000).angular_z, kept_to);
    }
}

TEST(Variational, KeepsTheEnergyOfAFreeBody) {
  ModelMaker m;
  m.node("body", Vec3::Zero()).angular_velocity = Vec3(0, 3, 4);
  m.body("body", "body", 1, Vec3(1, 2, 3));
  const Machine machine(std::move(m.model));
  for (const std::string method : {"variational", "cayley", "energy_momentum"}) {
    const Kept kept = run_kept(machine.system, settings_of(method), 0.1, 1000);
    if (method != "cayley") {
      EXPECT_LE(kept.energy, 1e-11) << method;
    }
    EXPECT_LE(kept.angular, 1e-12) << method;
  }
}

class StructureOrder : public testing::TestWithParam<std::string> {};

// Against a fine run of another method.
TEST_P(StructureOrder, OfAllVariablesIsTwo) {
  const std::string name = GetParam();
  IntegratorSettings settings = settings_of(name);
  if (name == "node" || name == "left") {
    settings = settings_of("variational");
    StructureSettings own;
    own.potential = name == "node" ? StructureSettings::Potential::node : StructureSettings::Potential::left;
    settings.own = own;
  }
  model::Model model = chain(true, 6, true);
  model.entries.front().values["center_of_mass"] = value(Vec3(0.05, 0, 0.02));
  const Machine machine(std::move(model));
  const double duration = 0.2;
  const State start = consistent_start(machine.system);
  const State exact = run(machine.system, start, method("lie_alpha_index2", 1), to_round_off(), duration / 3200, 3200);
  std::array<double, 3> x{};
  std::array<double, 3> R{};
  std::array<double, 3> v{};
  std::array<double, 3> lambda{};
  for (std::size_t level = 0; level < 3; ++level) {
    const int steps = 50 << level;
    State q = start;
    State before = start;
    Stepper stepper(machine.system, settings, {});
    stepper.start(q);
    const double h = duration / steps;
    VectorX last;
    for (int n = 1; n <= steps + 1; ++n) {
      last = q.lambda;
      before = q;
      ASSERT_TRUE(stepper.advance(q, h, n * h));
    }
    // energy_momentum has the multipliers of the middle of a step.
    const VectorX multipliers = settings.method == "variational" ? before.lambda : VectorX(0.5 * (last + q.lambda));
    lambda[level] = (multipliers - exact.lambda).norm();
    for (std::size_t i = 1; i < exact.x.size(); ++i) {
      x[level] = std::max(x[level], (before.x[i] - exact.x[i]).norm());
      R[level] = std::max(R[level], math::so3::log(exact.quat[i].conjugate() * before.quat[i]).norm());
      v[level] = std::max(v[level], (before.v[i] - exact.v[i]).norm());
    }
  }
  for (const auto& error : {x, R, v, lambda})
    for (std::size_t level = 0; level < 2; ++level)
      EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2, 0.25) << error[level] << " " << error[level + 1];
}

INSTANTIATE_TEST_SUITE_P(Methods, StructureOrder,
                         testing::Values("energy_momentum", "variational", "cayley", "node", "left"),
                         [](const auto& name) { return name.param; });

// The discrete d'Alembert principle: what forces do.
TEST(Variational, DampersTakeWhatTheyShould) {
  for (const std::string method : {"variational", "cayley", "energy_momentum"}) {
    model::Model model = spring_pendulum();
    model.entries.back().values["damping"] = 3.0;
    const Machine machine(std::move(model));
    const State start = consistent_start(machine.system);
    const State exact = run(machine.system, start, support::method("lie_alpha", 1), to_round_off(), 1.0 / 8000, 8000);
    std::array<double, 2> error{};
    for (std::size_t level = 0; level < 2; ++level) {
      const int steps = 200 << level;
      const Kept kept = run_kept(machine.system, settings_of(method), 1.0 / steps, steps);
      EXPECT_LE(kept.angular_z, kept_to);
      error[level] = (kept.end.x[1] - exact.x[1]).norm();
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2) << method << " " << error[0];
    EXPECT_LE(error[0], 2e-3);
  }
}

TEST(Variational, SaysWhenABodyTurnsTooFarInAStep) {
  ModelMaker m;
  m.node("body", Vec3::Zero()).angular_velocity = Vec3(0, 9, 0.1);
  m.body("body", "body", 1, Vec3(1, 1, 1));
  m.add(Family::force, "load", "motor", {{"node", value("body")}, {"moment", value(Vec3(0, 10, 0))}});
  const Machine machine(std::move(m.model));
  State q = consistent_start(machine.system);
  Stepper stepper(machine.system, settings_of("variational"), {});
  stepper.start(q);
  double t = 0;
  while (stepper.advance(q, 0.1, t += 0.1)) ASSERT_LT(t, 1);
  EXPECT_EQ(stepper.reports().back().outcome, integrators::Outcome::turned_too_far);
  EXPECT_NEAR(q.v[1][4], 10, 1.1);
}

}  // namespace
}  // namespace polhode::support
