// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods: what they keep, to round-off, and their order.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::IntegratorSettings;
using integrators::Invariants;
using integrators::Stepper;

IntegratorSettings settings_of(const std::string& name) {
  IntegratorSettings settings;
  settings.method = name == "cayley" ? "variational" : name;
  if (name == "cayley") settings.increments = IntegratorSettings::Increments::cayley;
  return settings;
}

// What a run keeps, relative to the size of the energy and of the angular momentum.
struct Kept {
  double energy = 0, linear = 0, angular = 0, angular_z = 0, phi = 0;
  double solves = 0;
  State end;
};

Kept run_kept(const assembly::System& system, const IntegratorSettings& settings, double h, int steps) {
  State q = consistent_start(system);
  Stepper stepper(system, settings, {});
  stepper.start(q);
  const Invariants first = *stepper.invariants();
  double scale = std::max(std::abs(first.energy), system.energies(q).kinetic), energy_of_step = 0;
  double solves = 0;
  Kept kept;
  for (int n = 1; n <= steps; ++n) {
    if (!stepper.advance(q, h, n * h))
      throw std::runtime_error("step " + std::to_string(n) + ": " +
                               std::string(text_of(stepper.reports().back().outcome)));
    const Invariants& now = *stepper.invariants();
    if (n == 1) energy_of_step = settings.method == "variational" ? now.energy : first.energy;
    scale = std::max(scale, system.energies(q).kinetic);
    kept.energy = std::max(kept.energy, std::abs(now.energy - energy_of_step));
    kept.linear = std::max(kept.linear, (now.linear - first.linear).norm());
    kept.angular = std::max(kept.angular, (now.angular - first.angular).norm());
    kept.angular_z = std::max(kept.angular_z, std::abs(now.angular[2] - first.angular[2]));
    kept.phi = std::max(kept.phi, stepper.reports().back().constraint_residual);
    solves += stepper.reports().back().iterations;
  }
  const double angular = std::max(first.angular.norm(), 1e-300);
  kept.energy /= scale, kept.angular /= angular, kept.angular_z /= angular;
  kept.linear /= std::max(first.linear.norm(), 1e-300);
  kept.solves = solves / steps;
  kept.end = q;
  return kept;
}

// Ten bodies, each joined to the one before: spherical, revolute, prismatic, and so on; springs along the slides. At
// first the whole turns about the origin.
model::Model chain(bool hung, int length, bool offset) {
  ModelMaker m;
  const std::array<const char*, 3> types{"spherical", "revolute", "prismatic"};
  if (hung) m.model.gravity = Vec3(0, 0, -9.81);
  m.model.initial_motion.push_back({Vec3::Zero(), Vec3(0.6, -0.4, 1.2), Vec3::Zero(), true, {}, {}, {}});
  for (int i = 0; i < length; ++i) {
    const std::string name = "b" + std::to_string(i), before = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    const Vec3 at(0.5 * i, 0.1 * std::sin(2.0 * i), -0.2 * i), centre = at + Vec3(0.25, 0.05, -0.1);
    m.node(name, centre);
    m.body(name, name, 1 + 0.1 * i, Vec3(0.02, 0.03, 0.025), offset ? Vec3(0.02, -0.03, 0.05) : Vec3::Zero());
    if (i == 0 && !hung) continue;
    const char* type = types[static_cast<std::size_t>(i) % 3];
    model::Entry& joint = m.joint(type, "j" + std::to_string(i), before, name, at);
    if (i % 3 != 0) joint.values.emplace("axis", value(Vec3(std::cos(i), std::sin(i), 0.5)));
    if (i % 3 == 2)
      m.add(Family::force, "spring_damper", "s" + std::to_string(i),
            {{"connects", std::vector<std::string>{before, name}}, {"stiffness", 200.0}, {"free_length", 0.4}});
  }
  return std::move(m.model);
}

// A body on a spring, hung from a point, at rest at first.
model::Model spring_pendulum() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  model::NodeEntry& bob = m.node("bob", Vec3(1, 0.2, -0.5));
  bob.velocity = Vec3(0.3, 2, 0), bob.angular_velocity = Vec3(1, 2, -1);
  m.body("bob", "bob", 2, Vec3(0.1, 0.15, 0.2), Vec3(0.03, 0.02, -0.05));
  math::MatrixX at(3, 2);
  at << 0, 0.9, 0, 0.1, 0, -0.4;
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"ground", "bob"}},
         {"at", at},
         {"stiffness", 150.0},
         {"free_length", 0.9}});
  return std::move(m.model);
}

constexpr double kept_to = 1e-11;

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

// Part of the target `long_runs`.
TEST(EnergyMomentum, DISABLED_KeepsEnergyAndMomentumForAHundredThousandSteps) {
  const Machine hung(chain(true, 10, false)), spring(spring_pendulum());
  for (const auto& [machine, h] : {std::pair(&hung, 0.002), std::pair(&spring, 0.005)}) {
    const Kept kept = run_kept(machine->system, settings_of("energy_momentum"), h, 100000);
    EXPECT_LE(kept.energy, 1e-10);
    EXPECT_LE(kept.angular_z, 1e-10);
    std::printf("%zu nodes: energy %.1e, momentum about the vertical %.1e, %.2f solves a step\n",
                machine->system.nodes() - 1, kept.energy, kept.angular_z, kept.solves);
  }
}

TEST(EnergyMomentum, KeepsEnergyWithChangingSteps) {
  const Machine machine(chain(true, 4, true));
  State q = consistent_start(machine.system);
  Stepper stepper(machine.system, settings_of("energy_momentum"), {});
  stepper.start(q);
  const double energy = stepper.invariants()->energy;
  double t = 0, largest = 0, kinetic = 0;
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
      const Machine hung(chain(true, 10, offset)), free(chain(false, 5, offset)), spring(spring_pendulum());
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
    settings.potential = name == "node" ? IntegratorSettings::Potential::node : IntegratorSettings::Potential::left;
  }
  model::Model model = chain(true, 6, true);
  model.entries.front().values["center_of_mass"] = value(Vec3(0.05, 0, 0.02));
  const Machine machine(std::move(model));
  const double duration = 0.2;
  const State start = consistent_start(machine.system);
  const State exact = run(machine.system, start, method("lie_alpha_index2", 1), to_round_off(), duration / 3200, 3200);
  std::array<double, 3> x{}, R{}, v{}, lambda{};
  for (std::size_t level = 0; level < 3; ++level) {
    const int steps = 50 << level;
    State q = start, before = start;
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
