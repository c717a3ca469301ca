// SPDX-License-Identifier: BSD-3-Clause
// Runs of structure-preserving methods that watch what they keep, and models to keep it of.
#pragma once
#include <algorithm>
#include <cmath>

#include "polhode/integrators/structure/settings.hpp"
#include "support/runs.hpp"

namespace polhode::support {

using integrators::IntegratorSettings;
using integrators::Invariants;
using integrators::StructureSettings;

inline IntegratorSettings settings_of(const std::string& name) {
  IntegratorSettings settings;
  settings.method = name == "cayley" ? "variational" : name;
  if (name == "cayley") settings.own = StructureSettings{.increments = StructureSettings::Increments::cayley};
  return settings;
}

// What is constant is so to round-off of thousands of steps.
inline constexpr double kept_to = 1e-11;

// What a run keeps, relative to the size of the energy and of the angular momentum.
struct Kept {
  double energy = 0;
  double linear = 0;
  double angular = 0;
  double angular_z = 0;
  double phi = 0;
  double work = 0;   // largest |change of the energy - external work|
  double drawn = 0;  // largest |external work|
  double solves = 0;
  State end;
};

inline Kept run_kept(const assembly::System& system, const IntegratorSettings& settings, double h, int steps) {
  State q = consistent_start(system);
  Stepper stepper(system, settings, {});
  stepper.start(q);
  const Invariants first = *stepper.invariants();
  const double energy = system.energies(q).total();
  double scale = std::max(std::abs(first.energy), system.energies(q).kinetic);
  double energy_of_step = 0;
  double solves = 0;
  double work = 0;
  Kept kept;
  for (int n = 1; n <= steps; ++n) {
    if (!stepper.advance(q, h, n * h))
      throw std::runtime_error("step " + std::to_string(n) + ": " +
                               std::string(text_of(stepper.reports().back().outcome)));
    const Invariants& now = *stepper.invariants();
    if (n == 1) energy_of_step = settings.method == "variational" ? now.energy : first.energy;
    scale = std::max(scale, system.energies(q).kinetic);
    kept.energy = std::max(kept.energy, std::abs(now.energy - energy_of_step));
    work += *stepper.work();
    kept.work = std::max(kept.work, std::abs(system.energies(q).total() - energy - work));
    kept.drawn = std::max(kept.drawn, std::abs(work));
    kept.linear = std::max(kept.linear, (now.linear - first.linear).norm());
    kept.angular = std::max(kept.angular, (now.angular - first.angular).norm());
    kept.angular_z = std::max(kept.angular_z, std::abs(now.angular[2] - first.angular[2]));
    kept.phi = std::max(kept.phi, stepper.reports().back().constraint_residual);
    solves += stepper.reports().back().iterations;
  }
  const double angular = std::max(first.angular.norm(), 1e-300);
  kept.energy /= scale;
  kept.work /= scale;
  kept.drawn /= scale;
  kept.angular /= angular;
  kept.angular_z /= angular;
  kept.linear /= std::max(first.linear.norm(), 1e-300);
  kept.solves = solves / steps;
  kept.end = q;
  return kept;
}

// Ten bodies, each joined to the one before: spherical, revolute, prismatic, and so on; springs along the slides. At
// first the whole turns about the origin.
inline model::Model chain(bool hung, int length, bool offset) {
  ModelMaker m;
  const std::array<const char*, 3> types{"spherical", "revolute", "prismatic"};
  if (hung) m.model.gravity = Vec3(0, 0, -9.81);
  m.model.initial_motion.push_back({Vec3::Zero(), Vec3(0.6, -0.4, 1.2), Vec3::Zero(), true, {}, {}, {}});
  for (int i = 0; i < length; ++i) {
    const std::string name = "b" + std::to_string(i);
    const std::string before = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    const Vec3 at(0.5 * i, 0.1 * std::sin(2.0 * i), -0.2 * i);
    const Vec3 centre = at + Vec3(0.25, 0.05, -0.1);
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
inline model::Model spring_pendulum() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  model::NodeEntry& bob = m.node("bob", Vec3(1, 0.2, -0.5));
  bob.velocity = Vec3(0.3, 2, 0);
  bob.angular_velocity = Vec3(1, 2, -1);
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

}  // namespace polhode::support
