// SPDX-License-Identifier: BSD-3-Clause
// What sensors read of joints, beams and the whole model: the numbers of the results, their rates, their derivatives.
#include <fmt/format.h>

#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"
#include "support/signal_tangents.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

// All joints that have coordinates beside those with laws, from a body that moves.
const std::string bodies_and_joints =
    "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
    "nodes:\n  base: {position: [0, 0, 0]}\n  n0: {position: [1, 0, 0]}\n  n1: {position: [1, 1, 0]}\n"
    "  n2: {position: [0, 1, 0.5]}\n  n3: {position: [-1, 0, 0]}\n  n4: {position: [0, -1, 0]}\n"
    "  n5: {position: [0, 0, 1]}\n  n6: {position: [0.5, 0.5, -1]}\n"
    "bodies:\n  base: {type: rigid_body, node: base, mass: 5, inertia: [1, 2, 1.5]}\n"
    "  b0: {type: rigid_body, node: n0, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b1: {type: rigid_body, node: n1, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b2: {type: rigid_body, node: n2, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b3: {type: rigid_body, node: n3, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b4: {type: rigid_body, node: n4, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b5: {type: rigid_body, node: n5, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  b6: {type: rigid_body, node: n6, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "joints:\n  screw: {type: screw, connects: [base, n0], at: [0.8, 0.1, 0], axis: [1, 0.2, 0.1], pitch: 0.3}\n"
    "  plane: {type: planar, connects: [base, n1], at: [0.9, 0.8, 0], axis: [0.1, 0.2, 1]}\n"
    "  cross: {type: universal, connects: [base, n2], at: [0, 0.7, 0.4], axes: [[1, 0.2, 0], [0, 0, 1]]}\n"
    "  ball: {type: spherical, connects: [base, n3], at: [-0.6, 0.1, 0]}\n"
    "  line: {type: point_on_line, connects: [base, n4], at: [0, -0.8, 0.1], axis: [1, 0.3, -0.2]}\n"
    "  face: {type: point_on_plane, connects: [base, n5], at: [0.1, 0, 0.7], axis: [0.3, 0.1, 1]}\n"
    "  drive: {type: motion, connects: [base, n6], at: [0.4, 0.4, -0.7], motion: {x: \"=0.5*t^2\", ry: \"=t^2\"}}\n";

const std::vector<std::pair<std::string, int>> joints{{"screw", 2}, {"plane", 3}, {"cross", 2}, {"ball", 3},
                                                      {"line", 1},  {"face", 2},  {"drive", 4}};

// Names of results, as s0, s1, ... in the deck.
std::string signals_of(const std::vector<std::string>& names) {
  std::string text = "signals:\n";
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("  s{}: {{of: \"{}\"}}\n", i, names[i]);
  return text;
}

std::vector<std::string> coordinates(bool rates) {
  std::vector<std::string> names;
  for (const auto& [name, count] : joints)
    for (int i = 0; i < count; ++i)
      names.push_back(fmt::format("joints.{}.{}{}", name, rates ? "rates" : "coordinates",
                                  count > 1 ? fmt::format("[{}]", i) : ""));
  return names;
}

std::vector<std::string> all_of(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A function of all of them that is not linear.
std::string sum_of(std::size_t count, const std::string& prefix = "s") {
  std::string text = "=0";
  for (std::size_t i = 0; i < count; ++i)
    text +=
        fmt::format(" + {:.2f}*{}{} + sin(0.{}*{}{})", 1 + 0.1 * static_cast<double>(i), prefix, i, i + 1, prefix, i);
  return text;
}

std::string pushed(const std::string& node, const std::string& history) {
  return fmt::format("forces:\n  push: {{type: load, node: {}, force: [1, 0.5, -0.3], history: \"{}\"}}\n", node,
                     history);
}

std::string transient(double duration, double step) {
  return fmt::format(
      "analysis: {{type: transient, duration: {}, step: {}, newton: {{relative: 1e-10, absolute: 1e-12}}}}\n", duration,
      step);
}

// Turns and velocities of all nodes, random; positions of constraints are left alone.
State scattered(const assembly::System& system, unsigned seed) {
  State q = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    q.x[i] += 0.05 * vector();
    q.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(0.4 * vector())).normalized());
    q.v[i] << vector(), vector();
  }
  for (double& lambda : q.lambda) lambda = 5 * number(random);
  return q;
}

double result(results::Sampler& sampler, const State& q, const std::string& name) {
  std::string problem;
  const results::Selection found = results::select(sampler.layout(), name, problem);
  EXPECT_TRUE(found.channel != nullptr) << problem;
  EXPECT_EQ(found.size, 1u) << name;
  return found.channel ? sampler.state_row(q, nullptr, 0, 0)[found.offset] : 0;
}

// At the end of a run, where states of blocks and accelerations stand.
// Each is larger than `least`.
void expect_results(const std::string& deck, const std::vector<std::string>& names, double within, double least = 0) {
  Transient run(deck_of(deck));
  ASSERT_EQ(run.result.end, TransientResult::End::done) << (run.problems.empty() ? "" : run.problems[0].message);
  results::Sampler sampler(run.machine.system, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double wanted = result(sampler, run.q, names[i]);
    EXPECT_GE(std::abs(wanted), least) << names[i];
    EXPECT_NEAR(result(sampler, run.q, fmt::format("signals.s{}", i)), wanted, within * (1 + std::abs(wanted)))
        << names[i];
  }
}

TEST(JointSensors, AreTheCoordinatesOfTheResults) {
  const auto names = all_of(coordinates(false), coordinates(true));
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(bodies_and_joints + spin + signals_of(names) + transient(0.3, 0.01), names, 1e-9, 1e-3);
}

// Along a motion x + u t, R exp(Omega t) of all nodes.
TEST(JointSensors, RatesAreThoseOfTheCoordinates) {
  const auto names = coordinates(false);
  const auto count = static_cast<Eigen::Index>(names.size());
  const Machine machine(
      deck_of(bodies_and_joints + signals_of(all_of(names, coordinates(true))) + transient(1, 0.1)).model);
  const State q = scattered(machine.system, 5);
  const auto values = [&](double t) {
    State r = q;
    for (std::size_t i = 1; i < q.x.size(); ++i) {
      r.x[i] += t * q.v[i].head<3>();
      r.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(t * q.v[i].tail<3>())).normalized());
    }
    const auto all = machine.system.signals().values(r);
    return math::VectorX(Eigen::Map<const math::VectorX>(all.data(), static_cast<Eigen::Index>(all.size())));
  };
  const double d = 1e-3;
  const math::VectorX rates = (8 * (values(d) - values(-d)) - (values(2 * d) - values(-2 * d))) / (12 * d);
  for (Eigen::Index i = 0; i < count; ++i)
    EXPECT_NEAR(values(0)[count + i], rates[i], 1e-9) << names[static_cast<std::size_t>(i)];
}

TEST(JointSensors, TangentsMatchDifferences) {
  const auto names = all_of(coordinates(false), coordinates(true));
  const Machine machine(
      deck_of(bodies_and_joints + signals_of(names) + pushed("base", sum_of(names.size())) + transient(1, 0.1)).model);
  expect_tangents_match(machine.system, scattered(machine.system, 7));
}

// Beams with and without damping, turned nodes, curved and of a higher order; a taut cable with damping.
const std::string beams =
    "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
    "nodes:\n  a: {position: [0, 0, 0]}\n  b: {position: [1, 0, 0], orientation: {rotation_vector: [0.3, 0.2, -0.4]}}\n"
    "  c: {position: [2, 1, 0]}\n"
    "bodies:\n  a: {type: rigid_body, node: a, mass: 5, inertia: [1, 2, 1.5]}\n"
    "  c: {type: rigid_body, node: c, mass: 5, inertia: [1, 2, 1.5]}\n"
    "sections:\n"
    "  soft: {stiffness: {EA: 300, GAy: 100, GAz: 120, GJ: 20, EIy: 30, EIz: 40}, damping: 0.05,\n"
    "    mass: {per_length: 2, inertia: [0.02, 0.01, 0.01]}}\n"
    "  line: {stiffness: {EA: 200}, damping: 0.04, mass: {per_length: 1}}\n"
    "beams:\n  plain: {type: beam, from: a, to: b, section: soft, elements: 3}\n"
    "  curved: {type: beam, from: b, to: c, section: soft, elements: 2, order: 3, points: [[1.7, 0.2, 0.1]]}\n"
    "  rope: {type: cable, from: a, to: c, section: line, elements: 2, length: 2}\n";

std::vector<std::string> section_forces() {
  std::vector<std::string> names;
  for (const char* quantity : {"strains", "forces"}) {
    for (int k = 0; k < 6; ++k) names.push_back(fmt::format("beams.plain.{}[1][{}]", quantity, k));
    for (int k = 0; k < 6; ++k) names.push_back(fmt::format("beams.curved.{}[4][{}]", quantity, k));
    names.push_back(fmt::format("beams.rope.{}[1][0]", quantity));
  }
  return names;
}

TEST(BeamSensors, AreTheStrainsAndForcesOfTheResults) {
  const auto names = section_forces();
  expect_results(beams + signals_of(names) + transient(0.1, 0.005), names, 1e-11);
}

TEST(BeamSensors, TangentsMatchDifferences) {
  const auto names = section_forces();
  const Machine machine(
      deck_of(beams + signals_of(names) + pushed("c", sum_of(names.size())) + transient(1, 0.1)).model);
  State q = scattered(machine.system, 11);
  expect_tangents_match(machine.system, q);
}

std::vector<std::string> reactions() {
  std::vector<std::string> names;
  for (const auto& [name, count] : joints)
    for (const char* one : {"force.x", "moment.y", "force.z", "moment.z"})
      names.push_back(fmt::format("joints.{}.{}", name, one));
  for (const char* one : {"joints.screw.multipliers[4]", "joints.cross.multipliers[0]", "joints.drive.multipliers[1]"})
    names.push_back(one);
  return names;
}

TEST(ReactionSensors, AreTheReactionsOfTheResults) {
  const auto names = reactions();
  expect_results(bodies_and_joints + signals_of(names) + transient(0.1, 0.01), names, 1e-11);
}

// Forces follow states of filters, which follow multipliers within a step.
TEST(ReactionSensors, TangentsMatchDifferences) {
  const auto names = reactions();
  std::string signals = signals_of(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    signals += fmt::format("  f{}: {{type: low_pass, input: s{}, time_constant: 0.0{}}}\n", i, i, i + 1);
  const std::string forces = pushed("base", sum_of(names.size(), "f")) +
                             "  turn: {type: load, node: n5, moment: [1, 0.5, -0.3], history: \"=f3 + f0*f1\"}\n";
  const Machine machine(deck_of(bodies_and_joints + signals + forces + transient(1, 0.1)).model);
  State q = scattered(machine.system, 13);
  q.signals.gain = 0.01;
  q.signals.base = 0.3 * model::VectorX::Ones(q.signals.z.size());
  expect_tangents_match(machine.system, q);
}

// Springs with tables, laws, dampers and actuators, a turned bushing that is damped, a tyre that is pressed in on a road.
const std::string springs_and_mounts =
    "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
    "nodes:\n  a: {position: [0, 0, 0]}\n  b: {position: [1, 0.2, 0.1]}\n"
    "bodies:\n  a: {type: rigid_body, node: a, mass: 5, inertia: [1, 2, 1.5]}\n"
    "  b: {type: rigid_body, node: b, mass: 5, inertia: [1, 2, 1.5]}\n"
    "forces:\n"
    "  line: {type: spring_damper, connects: [a, b], at: [[0.1, 0, 0.2], [0.8, 0, 0]], stiffness: 30, damping: 2, "
    "free_length: 0.5, actuator: \"=3*cos(t)\", force: \"=length^2 + rate*abs(rate)\"}\n"
    "  twist: {type: torsional_spring_damper, connects: [a, b], axis: [1, 0.2, 0], stiffness: 7, damping: 0.4, "
    "free_angle: 0.3, moment: \"=angle^3\"}\n"
    "  mount: {type: bushing, connects: [a, b], at: [0.5, 0.1, 0.3], axes: [[1, 0.2, 0], [0, 1, 0.3]], "
    "stiffness: [100, 200, 150, 4, 5, 6], damping: [1, 2, 3, 0.1, 0.2, 0.3]}\n"
    "  wheel: {type: tyre, node: b, at: [1.1, 0, 0.3], radius: 0.6, stiffness: 200, damping: 3, "
    "height: \"=0.1*sin(x)\"}\n";

std::vector<std::string> forces() {
  std::vector<std::string> names{"forces.line.force",  "forces.line.length", "forces.twist.moment",
                                 "forces.twist.angle", "forces.wheel.force", "forces.wheel.deflection",
                                 "forces.wheel.road"};
  for (const char* component : {"x", "y", "z"}) {
    names.push_back(fmt::format("forces.mount.force.{}", component));
    names.push_back(fmt::format("forces.mount.moment.{}", component));
  }
  for (int k = 0; k < 6; ++k) names.push_back(fmt::format("forces.mount.deformation[{}]", k));
  return names;
}

TEST(ForceSensors, AreTheForcesOfTheResults) {
  const auto names = forces();
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(springs_and_mounts + spin + signals_of(names) + transient(0.1, 0.005), names, 1e-11, 1e-6);
}

// A load on b that follows all of them.
Machine pushed_by_forces() {
  const auto names = forces();
  return Machine(deck_of(springs_and_mounts + "  push: {type: load, node: b, force: [1, 0.5, -0.3], history: \"" +
                         sum_of(names.size()) + "\"}\n" + signals_of(names) + transient(1, 0.1))
                     .model);
}

TEST(ForceSensors, TangentsMatchDifferences) {
  const Machine machine = pushed_by_forces();
  const State q = scattered(machine.system, 17);
  ASSERT_GT(machine.system.signals().values(q)[4], 1) << "the wheel is on the road";
  expect_tangents_match(machine.system, q);
}

// A wheel in the air has no force, and a gap.
TEST(ForceSensors, OfATyreInTheAirAreThoseOfItsGap) {
  const Machine machine = pushed_by_forces();
  State q = scattered(machine.system, 17);
  q.x[2].z() += 1;
  EXPECT_EQ(machine.system.signals().values(q)[4], 0);
  EXPECT_LT(machine.system.signals().values(q)[5], -0.3);
  expect_tangents_match(machine.system, q);
}

// Accelerometers, as the load cells through filters.
std::vector<std::string> accelerations() {
  return {"nodes.a.acceleration.x", "nodes.b.acceleration.z", "nodes.a.angular_acceleration.y",
          "nodes.b.angular_acceleration.z"};
}

TEST(AccelerationSensors, AreTheAccelerationsOfTheResults) {
  const auto names = accelerations();
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  for (const char* method : {"lie_alpha", "lie_alpha, frame: spatial", "radau5", "rosenbrock4"}) {
    SCOPED_TRACE(method);
    const std::string run =
        fmt::format("analysis: {{type: transient, duration: 0.1, step: 0.005, integrator: {{method: {}}}}}\n", method);
    expect_results(springs_and_mounts + spin + signals_of(names) + run, names, 1e-11, 1e-3);
  }
}

TEST(AccelerationSensors, TangentsMatchDifferences) {
  const auto names = accelerations();
  std::string signals = signals_of(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    signals += fmt::format("  f{}: {{type: low_pass, input: s{}, time_constant: 0.0{}}}\n", i, i, i + 1);
  const std::string push = "  push: {type: load, node: b, force: [1, 0.5, -0.3], history: \"";
  const Machine machine(
      deck_of(springs_and_mounts + push + sum_of(names.size(), "f") +
              "\"}\n  turn: {type: load, node: a, moment: [1, 0.5, -0.3], history: \"=f3 + f0*f1\"}\n" + signals +
              transient(1, 0.1))
          .model);
  State q = scattered(machine.system, 13);
  for (Vec6& vdot : q.vdot) vdot = Vec6::Random();
  q.signals.gain = 0.01;
  q.signals.base = 0.3 * model::VectorX::Ones(q.signals.z.size());
  expect_tangents_match(machine.system, q);
}

// A hinge with spring, damper, friction and a motor by time, a slide with a law and stops that it is pressed into, both
// along one axis.
const std::string laws_along_axes =
    "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
    "nodes:\n  a: {position: [0, 0, 0]}\n  b: {position: [1, 0.2, 0.1]}\n  c: {position: [0, 1, 0]}\n"
    "  d: {position: [0, 0, 1]}\n"
    "bodies:\n  a: {type: rigid_body, node: a, mass: 5, inertia: [1, 2, 1.5]}\n"
    "  b: {type: rigid_body, node: b, mass: 2, inertia: [0.1, 0.2, 0.15]}\n"
    "  c: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.2, 0.15]}\n"
    "  d: {type: rigid_body, node: d, mass: 2, inertia: [0.1, 0.2, 0.15]}\n"
    "joints:\n"
    "  hinge: {type: revolute, connects: [a, b], at: [0.5, 0, 0], axis: [0.1, 1, 0.3], stiffness: 8, free_angle: 0.2, "
    "damping: 0.5, friction: {coulomb: 0.4, velocity: 0.5}, motor: \"=3*cos(t)\"}\n"
    "  slide: {type: prismatic, connects: [a, c], at: [0, 0.5, 0], axis: [0.2, 0.1, 1], force: \"=-20*displacement - "
    "rate*abs(rate)\", stops: {upper: -0.5, stiffness: 300, damping: 0.1}}\n"
    "  both: {type: cylindrical, connects: [a, d], at: [0, 0, 0.5], axis: [1, 0.3, 0.2], about: {damping: 0.7}, "
    "along: {stiffness: 50, damping: 2}}\n";

std::vector<std::string> forces_along_axes() {
  return {"joints.hinge.axis_torque", "joints.slide.axis_force", "joints.both.axis_torque", "joints.both.axis_force"};
}

TEST(LawSensors, AreTheForcesOfTheResults) {
  const auto names = forces_along_axes();
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(laws_along_axes + spin + signals_of(names) + transient(0.1, 0.005), names, 1e-11, 1e-3);
}

TEST(LawSensors, TangentsMatchDifferences) {
  const auto names = forces_along_axes();
  const Machine machine(
      deck_of(laws_along_axes + signals_of(names) + pushed("b", sum_of(names.size())) + transient(1, 0.1)).model);
  State q = scattered(machine.system, 29);
  machine.system.update_history(q);
  expect_tangents_match(machine.system, q);
}

// What a motor does by a signal is that signal.
TEST(LawSensors, OfMotorsThatFollowSignalsAreRefused) {
  std::string text = laws_along_axes + signals_of({"joints.hinge.axis_torque", "joints.both.axis_torque"});
  const std::string motor = "\"=3*cos(t)\"";
  text.replace(text.find(motor), motor.size(), "\"=-s1\"");
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(deck_of(text + transient(1, 0.1)).model, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "signals.s0.of");
  EXPECT_NE(problems[0].message.find("follows no signals"), std::string::npos) << problems[0].message;
}

TEST(SensorUnits, AreThoseOfTheResults) {
  const std::vector<std::pair<std::string, std::string>> wanted{{"nodes.a.position.x", "m"},
                                                                {"nodes.a.velocity.y", "m/s"},
                                                                {"nodes.a.acceleration.z", "m/s^2"},
                                                                {"nodes.b.angular_velocity.x", "rad/s"},
                                                                {"nodes.b.angular_acceleration.x", "rad/s^2"},
                                                                {"forces.line.force", "N"},
                                                                {"forces.line.length", "m"},
                                                                {"forces.twist.moment", "N m"},
                                                                {"forces.mount.force.z", "N"},
                                                                {"forces.mount.moment.z", "N m"},
                                                                {"forces.mount.deformation[2]", "m"},
                                                                {"forces.mount.deformation[3]", "rad"},
                                                                {"energy.total", "J"},
                                                                {"nodes.a.rotation[0]", "1"},
                                                                {"invariants.linear_momentum.x", "N s"},
                                                                {"invariants.angular_momentum.z", "N m s"}};
  std::vector<std::string> names;
  for (const auto& [name, unit] : wanted) names.push_back(name);
  const Machine machine(
      deck_of(springs_and_mounts + signals_of(names) + "  sum: \"=s0 + s1\"\n" + transient(1, 0.1)).model);
  results::Sampler sampler(machine.system, {});
  std::string problem;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_EQ(results::select(sampler.layout(), fmt::format("signals.s{}", i), problem).units, wanted[i].second)
        << wanted[i].first;
  EXPECT_EQ(results::select(sampler.layout(), "signals.sum", problem).units, "");
}

TEST(SensorUnits, OfJointsAndBeamsAreThoseOfTheirComponents) {
  const Machine screw(
      deck_of(bodies_and_joints +
              signals_of({"joints.screw.coordinates[0]", "joints.screw.coordinates[1]", "joints.plane.rates[2]",
                          "joints.ball.force.x", "joints.ball.moment.x", "joints.ball.multipliers[0]"}) +
              transient(1, 0.1))
          .model);
  const Machine beam(
      deck_of(beams +
              signals_of({"beams.plain.strains[0][1]", "beams.plain.strains[0][3]", "beams.plain.forces[0][0]",
                          "beams.plain.forces[0][5]", "beams.rope.forces[0][0]"}) +
              transient(1, 0.1))
          .model);
  const auto expect = [](const Machine& machine, const std::vector<std::string>& wanted) {
    results::Sampler sampler(machine.system, {});
    std::string problem;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(results::select(sampler.layout(), fmt::format("signals.s{}", i), problem).units, wanted[i]) << i;
  };
  expect(screw, {"rad", "m", "rad/s", "N", "N m", ""});
  expect(beam, {"1", "1/m", "N", "N m", "N"});
}

// Sums move no force but through samples, and count what the results count.
TEST(SumSensors, AreTheEnergiesAndMomentaOfTheResults) {
  std::vector<std::string> names{"energy.kinetic", "energy.strain", "energy.gravity", "energy.total"};
  for (const char* momentum : {"linear", "angular"})
    for (const char* component : {"x", "y", "z"})
      names.push_back(fmt::format("invariants.{}_momentum.{}", momentum, component));
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(beams + spin + signals_of(names) + transient(0.1, 0.005), names, 1e-12);
}

std::vector<std::string> rotations() {
  std::vector<std::string> names;
  for (const char* node : {"a", "b"})
    for (int k = 0; k < 4; ++k) names.push_back(fmt::format("nodes.{}.rotation[{}]", node, k));
  return names;
}

TEST(RotationSensors, AreTheQuaternionsOfTheResults) {
  const auto names = rotations();
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(beams + spin + signals_of(names) + transient(0.3, 0.005), names, 1e-14, 1e-3);
}

TEST(RotationSensors, TangentsMatchDifferences) {
  const auto names = rotations();
  const Machine machine(
      deck_of(beams + signals_of(names) + pushed("c", sum_of(names.size())) + transient(1, 0.1)).model);
  expect_tangents_match(machine.system, scattered(machine.system, 17));
}

// Inner nodes of beams have the names that results have for them.
TEST(NodeSensors, ReadInnerNodesOfBeams) {
  const std::vector<std::string> names{"nodes.plain.1.position.y", "nodes.curved.2.velocity.x",
                                       "nodes.curved.5.angular_velocity.z", "nodes.plain.2.rotation[1]",
                                       "nodes.rope.1.velocity.z"};
  const std::string spin = "initial_motion: {angular_velocity: [0.5, 1, 2]}\n";
  expect_results(beams + spin + signals_of(names) + transient(0.1, 0.005), names, 1e-12, 1e-3);
  const Machine machine(
      deck_of(beams + signals_of(names) + pushed("c", sum_of(names.size())) + transient(1, 0.1)).model);
  expect_tangents_match(machine.system, scattered(machine.system, 19));
}

}  // namespace
}  // namespace polhode::support
