// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods with what is not quadratic: angles, screws, couplings; drives, and the work of all that
// gives or takes energy.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "polhode/integrators/structure/consistent_accelerations.hpp"
#include "support/structure.hpp"

namespace polhode::support {
namespace {

// A frame with a wheel, a gear, a nut, a slide and a pointer on it; `hung` from the origin, or free. What acts along
// their coordinates is added by `load`.
template <class Load>
model::Model loaded_chain(bool hung, const Load& load) {
  ModelMaker m;
  if (hung) m.model.gravity = Vec3(0, 0, -9.81);
  m.model.velocity_tolerance = 10;  // those of the nodes break joints, and are corrected
  m.model.initial_motion.push_back({Vec3::Zero(), Vec3(0.6, -0.4, 1.2), Vec3::Zero(), true, {}, {}, {}});
  m.node("frame", Vec3(0.1, 0, -0.5)).orientation = math::so3::exp_quaternion(Vec3(0.3, -0.2, 0.5));
  m.body("frame", "frame", 4, Vec3(0.3, 0.4, 0.5), Vec3(0.02, 0, 0.05));
  if (hung) m.joint("spherical", "hook", "ground", "frame", Vec3::Zero());
  double x = 0.4;
  const auto part = [&](const char* name, const char* type, const Vec3& axis) -> model::Entry& {
    x += 0.3;
    m.node(name, Vec3(x, 0.1, -0.4)).angular_velocity = Vec3(0.6, -0.4, 1.2) + 3 * axis;
    m.body(name, name, 1, Vec3(0.02, 0.03, 0.04), Vec3(0.03, 0.02, 0));
    model::Entry& joint = m.joint(type, std::string("of ") + name, "frame", name, Vec3(x, 0, -0.4));
    if (std::string_view(type) != "spherical") joint.values.emplace("axis", value(axis));
    return joint;
  };
  part("wheel", "revolute", Vec3(1, 0, 0));
  part("gear", "cylindrical", Vec3(0, 1, 1).normalized());
  part("nut", "screw", Vec3(0, 0, 1)).values.emplace("pitch", 0.4);
  part("slide", "prismatic", Vec3(1, 1, 0).normalized());
  part("pointer", "spherical", Vec3(0, 0.3, 0));
  load(m);
  return std::move(m.model);
}

model::Entry& entry_of(ModelMaker& m, const std::string& name) {
  for (model::Entry& entry : m.model.entries)
    if (entry.name == name) return entry;
  throw std::logic_error(name);
}

void set(ModelMaker& m, const std::string& name, ModelMaker::Values values) {
  for (const auto& [key, v] : values) entry_of(m, name).values.insert_or_assign(std::string(key), v);
}

void add_springs(ModelMaker& m) {
  set(m, "of wheel", {{"stiffness", 3.0}, {"free_angle", 0.8}});
  set(m, "of gear", {{"about.stiffness", 2.0}, {"along.stiffness", 90.0}, {"along.free_displacement", 0.1}});
  set(m, "of slide", {{"stiffness", 80.0}, {"free_displacement", -0.05}});
  m.add(Family::force, "torsional_spring_damper", "of pointer's axis",
        {{"connects", std::vector<std::string>{"frame", "pointer"}},
         {"axis", value(Vec3(0, 1, 0.2))},
         {"stiffness", 4.0},
         {"free_angle", 0.5}});
  m.add(Family::force, "spring_damper", "of the nut",
        {{"connects", std::vector<std::string>{"frame", "nut"}}, {"stiffness", 60.0}});
  math::Mat6 stiffness = math::Mat6::Identity();
  stiffness.diagonal() << 200, 300, 250, 4, 5, 6;
  stiffness(0, 4) = stiffness(4, 0) = 10;
  m.node("block", Vec3(0.1, -0.3, -0.6)).angular_velocity = Vec3(2, -3, 1);
  m.body("block", "block", 0.5, Vec3(0.02, 0.03, 0.04));
  m.add(Family::force, "bushing", "mount",
        {{"connects", std::vector<std::string>{"frame", "block"}},
         {"at", value(Vec3(0.1, -0.2, -0.6))},
         {"stiffness", math::MatrixX(stiffness)}});
  m.add(Family::joint, "coupling", "gears", {{"joints", model::Weights{{"of wheel", 1}, {"of gear.rotation", -2}}}});
  m.add(Family::joint, "coupling", "rack",
        {{"joints", model::Weights{{"of slide", 5}, {"of gear.rotation", 1}, {"of nut.translation", 3}}}});
}

void add_losses(ModelMaker& m) {
  add_springs(m);
  set(m, "of wheel", {{"damping", 0.1}, {"motor", expression("0.5*sin(4*t)")}});
  set(m, "of gear", {{"about.friction.coulomb", 0.1}, {"about.friction.velocity", 0.5}, {"along.damping", 2.0}});
  set(m, "of slide", {{"friction.coulomb", 1.0}, {"friction.viscous", 0.5}, {"friction.velocity", 0.2}});
  set(m, "of pointer's axis", {{"damping", 0.2}, {"actuator", expression("0.3*cos(5*t)")}});
  set(m, "mount", {{"damping", math::MatrixX(0.1 * math::Mat6::Identity())}});
  set(m, "of the nut", {{"damping", 3.0}, {"actuator", expression("2*t")}});
  for (const bool follower : {false, true})
    m.add(Family::force, "load", follower ? "thrust" : "push",
          {{"node", value("frame")},
           {"force", value(Vec3(2, -1, 3))},
           {"moment", value(Vec3(0.5, 1, -0.5))},
           {"at", value(Vec3(0.4, 0.1, 0))},
           {"follower", follower},
           {"history", expression("1 + sin(3*t)")}});
}

const std::vector<std::string> of_angle{"angle", "rate"};
const std::vector<std::string> of_displacement{"displacement", "rate"};

// Without damping: hard enough that each is hit, and left again, several times a second.
void add_stops(ModelMaker& m) {
  add_springs(m);
  set(m, "of wheel", {{"stops.upper", 0.2}, {"stops.lower", -0.3}, {"stops.stiffness", 30.0}});
  set(m, "of gear", {{"along.stops.upper", 0.02}, {"along.stops.stiffness", 900.0}, {"along.stops.exponent", 1.0}});
  set(m, "of slide", {{"stops.lower", -0.01}, {"stops.stiffness", 4000.0}, {"stops.exponent", 2.2}});
}

// Smooth ones: stops of exponent 3.
void add_laws(ModelMaker& m) {
  add_springs(m);
  set(m, "of wheel", {{"torque", law("-angle^3 - 0.1*rate*abs(rate) + 0.5*sin(4*t)", of_angle)}});
  set(m, "of gear",
      {{"about.torque", law("0.3*cos(2*angle) - 0.05*rate", of_angle)},
       {"along.force", law("-500*displacement^3 - 2*rate*(1 + displacement^2)", of_displacement)}});
  set(m, "of slide",
      {{"force", law("-3*tanh(rate) - 40*sin(displacement)", of_displacement)},
       {"stops.lower", -0.01},
       {"stops.stiffness", 4000.0},
       {"stops.exponent", 3.0},
       {"stops.damping", 0.3}});
  set(m, "of pointer's axis", {{"moment", law("2*angle^3 + 0.1*rate*abs(rate)", of_angle)}});
  set(m, "of the nut", {{"force", law("20*(length - 1)^3 + 3*rate/sqrt(1 + rate^2) + 2*t", {"length", "rate"})}});
}

void add_drives(ModelMaker& m) {
  set(m, "of wheel", {{"rotation", expression("3*t + 0.3*sin(5*t)")}});
  set(m, "of gear", {{"rotation", expression("2*sin(3*t)")}, {"translation", expression("0.1*(1 - cos(4*t))")}});
  set(m, "of slide", {{"translation", expression("0.2*sin(2*t)")}});
  m.joint("motion", "turn", "frame", "pointer", Vec3(0, 0, 0)).values.emplace("motion.rz", expression("sin(t)"));
}

TEST(EnergyMomentumOfJoints, KeepsEnergyAndMomentumOfAnglesScrewsAndCouplings) {
  for (const auto& load : {add_springs, add_stops})
    for (const bool hung : {false, true}) {
      const Machine machine(loaded_chain(hung, load));
      const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.005, 2000);
      EXPECT_LE(kept.energy, kept_to);
      EXPECT_LE(kept.work, kept_to);
      EXPECT_LE(kept.drawn, kept_to);  // nothing gives or takes
      EXPECT_LE(kept.angular_z, kept_to);
      EXPECT_LE(kept.phi, 1e-9);
      EXPECT_LE(kept.solves, 4.5);
      if (hung) continue;
      EXPECT_LE(kept.linear, kept_to);
      EXPECT_LE(kept.angular, kept_to);
    }
}

TEST(EnergyMomentumOfJoints, EnergyChangesByTheWorkOfWhatGivesAndTakesIt) {
  for (const auto& load : {add_losses, add_laws, add_drives}) {
    const Machine machine(loaded_chain(true, load));
    const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.004, 200);
    EXPECT_GT(kept.drawn, 0.01);
    EXPECT_LE(kept.work, kept_to);
  }
}

// That balance holds for any force; that it is the work of these forces, the power of loads, dampers and drives tells.
TEST(EnergyMomentumOfJoints, WorkIsTheIntegralOfThePower) {
  for (const auto& load : {add_losses, add_laws, add_drives}) {
    const Machine machine(loaded_chain(true, load));
    std::array<double, 2> error{};
    for (int fine = 0; fine < 2; ++fine) {
      const double h = fine ? 0.001 : 0.002;
      State q = consistent_start(machine.system);
      Stepper stepper(machine.system, settings_of("energy_momentum"), {});
      stepper.start(q);
      integrators::ConsistentAccelerations consistent(machine.system);
      double work = 0;
      double by_power = 0;
      double power = machine.system.power(consistent.of(q));
      for (int n = 1; n * h < 0.2 + h / 2; ++n) {
        ASSERT_TRUE(stepper.advance(q, h, n * h));
        work += *stepper.work();
        const double before = std::exchange(power, machine.system.power(consistent.of(q)));
        by_power += h / 2 * (before + power);
      }
      error[fine] = std::abs(work - by_power) / std::abs(work);
    }
    EXPECT_LE(error[0], 0.05);
    EXPECT_GT(std::log2(error[0] / error[1]), 1.5) << error[0] << ' ' << error[1];
  }
}

// Of a single drive: the multiplier of the step is the torque, and its work torque times change of the angle.
// Up to there nothing is lost, and the step that would cross it fails.
TEST(EnergyMomentumOfJoints, BushingsEndAtHalfATurn) {
  ModelMaker m;
  m.node("a", Vec3::Zero()).angular_velocity = Vec3(10, 0, 0);
  m.node("b", Vec3(1, 0, 0));
  m.body("a", "a", 1, Vec3(1, 1, 1));
  m.body("b", "b", 1, Vec3(1, 1, 1));
  m.add(Family::force, "bushing", "mount",
        {{"connects", std::vector<std::string>{"a", "b"}},
         {"at", value(Vec3(0.5, 0, 0))},
         {"stiffness", math::MatrixX(0.1 * math::Mat6::Identity())}});
  const Machine machine(std::move(m.model));
  State q = consistent_start(machine.system);
  Stepper stepper(machine.system, settings_of("energy_momentum"), {});
  stepper.start(q);
  const double energy = machine.system.energies(q).total();
  int steps = 0;
  while (steps < 100 && stepper.advance(q, 0.01, 0.01 * (steps + 1))) {
    ++steps;
    ASSERT_NEAR(machine.system.energies(q).total(), energy, 1e-11 * energy) << steps;
  }
  EXPECT_EQ(steps, 31);  // 10 rad/s nearly all the time
}

TEST(EnergyMomentumOfJoints, WorkOfADriveIsItsTorqueTimesItsAngle) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.model.velocity_tolerance = 10;
  m.node("arm", Vec3(0.5, 0, 0.1));
  m.body("arm", "arm", 2, Vec3(0.1, 0.2, 0.15), Vec3(0.1, 0, 0.05));
  model::Entry& joint = m.joint("revolute", "motor", "ground", "arm", Vec3::Zero());
  joint.values.emplace("axis", value(Vec3(0, 1, 0.3)));
  joint.values.emplace("rotation", expression("2*t + 0.5*sin(4*t)"));
  const Machine machine(std::move(m.model));
  State q = consistent_start(machine.system);
  Stepper stepper(machine.system, settings_of("energy_momentum"), {});
  stepper.start(q);
  const auto angle = [](double t) { return 2 * t + 0.5 * std::sin(4 * t); };
  const double energy = machine.system.energies(q).total();
  const double h = 0.01;
  double work = 0;
  double counted = 0;
  double largest = 0;
  double off = 0;
  double scale = 0;
  for (int n = 1; n <= 1000; ++n) {
    ASSERT_TRUE(stepper.advance(q, h, n * h));
    work += q.lambda[5] * (angle(n * h) - angle((n - 1) * h));
    counted += *stepper.work();
    const double change = machine.system.energies(q).total() - energy;
    off = std::max({off, std::abs(change - work), std::abs(change - counted)});
    largest = std::max(largest, std::abs(work));
    scale = std::max(scale, machine.system.energies(q).kinetic);
  }
  EXPECT_GT(largest, 0.5 * scale);
  EXPECT_LE(off / scale, kept_to);
}

double farthest_node(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i)
    largest = std::max({largest, (a.x[i] - b.x[i]).norm(), (a.R[i] - b.R[i]).norm()});
  return largest;
}

TEST(StructureOfJoints, MotionIsOfOrderTwo) {
  for (const auto& load : {add_springs, add_losses, add_laws, add_drives}) {
    const Machine machine(loaded_chain(true, load));
    const double duration = 0.2;
    const State exact = run(machine.system, consistent_start(machine.system), method("lie_alpha_index2", 1),
                            to_round_off(), duration / 400, 400);
    for (const std::string method : {"energy_momentum", "variational"}) {
      std::array<double, 2> error{};
      for (std::size_t level = 0; level < 2; ++level) {
        const int steps = 25 << level;
        error[level] = farthest_node(run_kept(machine.system, settings_of(method), duration / steps, steps).end, exact);
      }
      EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2) << method << " " << error[0];
    }
  }
}

TEST(StructureOfJoints, BalanceOfEnergyOfVariationalIsOfOrderTwo) {
  model::Model damped = spring_pendulum();
  damped.entries.back().values["damping"] = 3.0;
  const Machine machines[] = {Machine(loaded_chain(true, add_losses)), Machine(loaded_chain(true, add_laws)),
                              Machine(loaded_chain(true, add_drives)), Machine(std::move(damped))};
  for (const std::string name : {"variational", "cayley", "node"})
    for (const Machine& machine : machines) {
      IntegratorSettings settings = settings_of(name == "node" ? "variational" : name);
      if (name == "node") settings.own = StructureSettings{.potential = StructureSettings::Potential::node};
      const Kept coarse = run_kept(machine.system, settings, 0.004, 200);
      const Kept fine = run_kept(machine.system, settings, 0.002, 400);
      EXPECT_GT(fine.drawn, 0.01);
      EXPECT_NEAR(std::log2(coarse.work / fine.work), 2, 0.2) << name << " " << coarse.work << " " << fine.work;
    }
}

// Errors of multipliers, the largest over all steps: of neighbors' mean and of consistent ones at the ends of steps,
// and as they are, at the middle.
struct MultiplierErrors {
  double raw = 0;
  double mean = 0;
  double consistent = 0;
  double acceleration = 0;
};

std::array<MultiplierErrors, 3> multiplier_errors(const assembly::System& system, double duration, bool corrected) {
  const State first = consistent_start(system);
  std::vector<VectorX> exact{first.lambda};
  std::vector<std::vector<Vec6>> vdot{first.vdot};
  constexpr int fine = 1600;
  constexpr int every = 4;
  int count = 0;
  run(system, first, method("lie_alpha_index2", 1), to_round_off(), duration / fine, fine,
      [&](const State& q, const Stepper&) {
        if (++count % every == 0) {
          exact.push_back(q.lambda);
          vdot.push_back(q.vdot);
        }
      });
  std::array<MultiplierErrors, 3> errors;
  for (std::size_t level = 0; level < 3; ++level) {
    const int steps = 50 << level;
    const int stride = fine / every / steps;
    const double h = duration / steps;
    State q = first;
    IntegratorSettings settings = settings_of("energy_momentum");
    if (corrected) settings.own = StructureSettings{.start = StructureSettings::Start::corrected};
    Stepper stepper(system, settings, {});
    start(system, settings, h, stepper, q);
    const double energy = stepper.invariants()->energy;
    integrators::ConsistentAccelerations consistent(system);
    VectorX last = q.lambda;
    for (int n = 1; n <= steps; ++n) {
      if (!stepper.advance(q, h, n * h)) throw std::runtime_error("step failed");
      const auto at = static_cast<std::size_t>(n * stride);
      const auto middle = at - static_cast<std::size_t>(stride / 2);
      const auto before = at - static_cast<std::size_t>(stride);
      MultiplierErrors& e = errors[level];
      e.raw = std::max(e.raw, (q.lambda - exact[middle]).norm());
      if (n > 1) e.mean = std::max(e.mean, (0.5 * (last + q.lambda) - exact[before]).norm());
      const State& shown = consistent.of(q);
      e.consistent = std::max(e.consistent, (shown.lambda - exact[at]).norm());
      for (std::size_t i = 1; i < q.x.size(); ++i)
        e.acceleration = std::max(e.acceleration, (shown.vdot[i] - vdot[at][i]).norm());
      last = q.lambda;
    }
    EXPECT_LE(std::abs(stepper.invariants()->energy - energy), 1e-11 * std::abs(energy));
  }
  return errors;
}

TEST(EnergyMomentum, MultipliersAreOfOrderTwo) {
  const Machine top(heavy_top());
  const Machine six(chain(true, 6, true));
  for (const auto& [machine, duration] : {std::pair(&top, 0.05), std::pair(&six, 0.2)})  // the top: h of 1 ms and below
    for (const bool corrected : {false, true}) {
      SCOPED_TRACE(testing::Message() << duration << (corrected ? " corrected" : " given"));
      const std::array<MultiplierErrors, 3> errors = multiplier_errors(machine->system, duration, corrected);
      for (const auto part : {&MultiplierErrors::mean, &MultiplierErrors::consistent, &MultiplierErrors::acceleration,
                              &MultiplierErrors::raw})
        for (std::size_t level = 0; level < 2; ++level) {
          const double order = std::log2(errors[level].*part / errors[level + 1].*part);
          // From a consistent start multipliers alternate about smooth ones by O(h).
          EXPECT_NEAR(order, part == &MultiplierErrors::raw && !corrected ? 1 : 2, 0.25)
              << errors[level].*part << " " << errors[level + 1].*part;
        }
    }
}

}  // namespace
}  // namespace polhode::support
