// SPDX-License-Identifier: BSD-3-Clause
// Closed loops and events by strains, reactions and energies, against closed forms and solutions of their equations.
//
// The angles of the pendulum with a load cell are those of its equation, solved beside it with the classical
// Runge-Kutta method of fourth order in 16000 and 8000 steps, which agree to 1e-13:
//   0.6 phi'' = 9.81 cos phi + 0.2 y,   0.05 y' = F - y,   F = 2 (9.81 - 0.5 (phi'' cos phi - phi'^2 sin phi)).
#include "polhode/analyses/modal/modal.hpp"
#include "support/controlled_pendulum.hpp"
#include "support/methods.hpp"

namespace polhode::support {
namespace {

// A mass at the end of a damped bar; what it is beside EA comes as stiffness of the section or by feedback.
std::string bar(double EA, double damping, const std::string& feedback, const std::string& analysis) {
  std::string text =
      "format: polhode-deck/1\n"
      "nodes:\n  wall: {position: [0, 0, 0], fixed: true}\n"
      "  end: {position: [1, 0, 0], fixed: [y, z, rx, ry, rz], velocity: [3, 0, 0]}\n"
      "bodies: {end: {type: rigid_body, node: end, mass: 1.5, inertia: [1, 1, 1]}}\n"
      "sections: {bar: {stiffness: {EA: " +
      std::to_string(EA) + ", GAy: 100, GAz: 100, GJ: 1, EIy: 1, EIz: 1}, damping: " + std::to_string(damping) +
      ", mass: {per_length: 0.3, inertia: [0.1, 0.1, 0.1]}}}\n"
      "beams: {bar: {type: beam, from: wall, to: end, section: bar}}\n";
  if (!feedback.empty())
    text +=
        "signals:\n  strain: {of: \"beams.bar.strains[0][0]\"}\n  tension: {of: \"beams.bar.forces[0][0]\"}\n"
        "forces: {back: {type: load, node: end, force: [1, 0, 0], history: \"" +
        feedback + "\"}}\n";
  return text + "analysis: " + analysis + "\n";
}

class StrainFeedback : public testing::TestWithParam<std::string> {};

TEST_P(StrainFeedback, IsStiffness) {
  const std::string analysis =
      "{type: transient, duration: 0.5, step: 0.005, integrator: {method: " + GetParam() + "}}";
  Transient stiff(deck_of(bar(80, 0.02 * 30 / 80, "", analysis)));
  Transient fed_back(deck_of(bar(30, 0.02, "=-50*strain", analysis)));
  ASSERT_EQ(fed_back.result.end, TransientResult::End::done);
  EXPECT_GT(std::abs(stiff.q.x[2].x() - 1), 0.03);
  EXPECT_NEAR(stiff.q.x[2].x(), fed_back.q.x[2].x(), 1e-9);
  EXPECT_NEAR(stiff.q.v[2][0], fed_back.q.v[2][0], 1e-7);
  // An inexact matrix would need more
  EXPECT_LE(fed_back.result.progress.iterations, stiff.result.progress.iterations + 2);
}

// Twice the section force is that of twice the constants, damping included.
TEST_P(StrainFeedback, OfForcesIsStiffnessAndDamping) {
  const std::string analysis =
      "{type: transient, duration: 0.5, step: 0.005, integrator: {method: " + GetParam() + "}}";
  Transient stiff(deck_of(bar(60, 0.04, "", analysis)));
  Transient fed_back(deck_of(bar(30, 0.04, "=-tension", analysis)));
  ASSERT_EQ(fed_back.result.end, TransientResult::End::done);
  EXPECT_GT(std::abs(stiff.q.x[2].x() - 1), 0.03);
  EXPECT_NEAR(stiff.q.x[2].x(), fed_back.q.x[2].x(), 1e-9);
  EXPECT_LE(fed_back.result.progress.iterations, stiff.result.progress.iterations + 2);
}

INSTANTIATE_TEST_SUITE_P(Methods, StrainFeedback,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "radau5",
                                         "rosenbrock4"),
                         [](const auto& each) { return each.param; });

// omega^2 = EA/L/(M + m L/3).
TEST(StrainFeedbackModes, AreThoseOfTheStiffness) {
  const io::Deck deck = deck_of(bar(30, 0, "=-50*strain", "{type: modal, modes: 1}"));
  Machine machine(deck.model);
  State q = consistent_start(machine.system);
  model::Problems problems;
  const auto settings = *deck.analyses.front().as<analyses::ModalSettings>();
  const analyses::ModalResult result = analyses::run_modal(machine.system, settings, q, "", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().message;
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes[0].frequency(), std::sqrt(80 / (1.5 + 0.1)) / (2 * std::numbers::pi), 1e-10);
}

const std::string cell =
    "  load: {of: joints.hinge.force.z}\n  cell: {type: low_pass, input: load, time_constant: 0.05}\n";

class LoadCell : public testing::TestWithParam<std::string> {};

TEST_P(LoadCell, HasTheOrderOfTheMethod) {
  const std::string method = "{method: " + GetParam() + ", rho_infinity: 0.8}";
  std::vector<double> errors;
  for (const double h : {0.002, 0.001, 0.0005})
    errors.push_back(std::abs(angle_at_end(controlled_pendulum(cell, "=0.2*cell", 0.5, h, method)) - 2.13440332848095));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << errors[0] << " " << errors[1];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15) << errors[1] << " " << errors[2];
}

// Steps of a whole time constant: without columns of multipliers the iteration would take several more.
TEST_P(LoadCell, ConvergesQuadratically) {
  const std::string method = "{method: " + GetParam() + ", rho_infinity: 0.8}";
  const auto iterations = [&](const std::string& motor) {
    Transient run(deck_of(controlled_pendulum(cell, motor, 1, 0.02, method)));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    return static_cast<double>(run.result.progress.iterations) / static_cast<double>(run.result.progress.steps);
  };
  EXPECT_LE(iterations("=0.2*cell"), iterations("=4") + 1);
}

// A cell in the hinge of one pendulum drives another one, which nothing else couples with it: columns of multipliers
// where the matrix has no others. The equations as above, with the torque on the second pendulum.
TEST_P(LoadCell, DrivesAnotherMachine) {
  const auto deck = [&](double h) {
    std::string text = controlled_pendulum(cell, "=0", 0.5, h, "{method: " + GetParam() + ", rho_infinity: 0.8}");
    const auto add = [&](const std::string& behind, const std::string& more) {
      text.insert(text.find(behind) + behind.size(), more);
    };
    add("nodes: {", "d: {position: [0.5, 1, 0]}, ");
    add("bodies: {", "other: {type: rigid_body, node: d, mass: 2, inertia: [0.1, 0.1, 0.1]}, ");
    add("joints: {",
        "driven: {type: revolute, connects: [ground, d], at: [0, 1, 0], axis: [0, 1, 0], motor: \"=0.2*cell\"}, ");
    return text;
  };
  std::vector<double> errors;
  for (const double h : {0.001, 0.0005}) {
    Transient run(deck_of(deck(h)));
    ASSERT_EQ(run.result.end, TransientResult::End::done);
    const Vec3& d = run.q.x[run.machine.system.node(1).name == "d" ? 1 : 2];
    errors.push_back(std::abs(std::atan2(-d.z(), d.x()) - 2.1186281770705));
  }
  EXPECT_LE(errors[1], 1e-5);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << errors[0] << " " << errors[1];
}

// 0.6 phi'' = 9.81 cos phi + 0.1 F(t - 0.03) with F as above and zero before the start: the same method of fourth order
// from one multiple of the delay to the next, where F jumps, in 4000 and 8000 steps.
TEST_P(LoadCell, ActsThroughADelay) {
  const std::string late = "  load: {of: joints.hinge.force.z}\n  late: {type: delay, input: load, time: 0.03}\n";
  const std::string method = "{method: " + GetParam() + ", rho_infinity: 0.8}";
  std::vector<double> errors;
  for (const double h : {0.001, 0.0005})
    errors.push_back(std::abs(angle_at_end(controlled_pendulum(late, "=0.1*late", 0.5, h, method)) - 1.98517057167287));
  EXPECT_LE(errors[1], 1e-5);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << errors[0] << " " << errors[1];
}

// 2 x'' = 6 - 3 y with 0.05 y' = x'' - y from rest: y = y_1 (1 - exp(-l t)), y_1 = 3/2.5, l = 2.5/0.05. What the run is
// off x by at 0.2 s.
struct AccelerationPassedBack : Transient {
  AccelerationPassedBack(double h, const std::string& integrator)
      : Transient(deck_of("format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}}\n"
                          "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
                          "signals:\n  a: {of: nodes.mass.acceleration.x}\n"
                          "  y: {type: low_pass, input: a, time_constant: 0.05}\n"
                          "forces: {push: {type: load, node: mass, force: [1, 0, 0], history: \"=6 - 3*y\"}}\n"
                          "analysis: {type: transient, duration: 0.2, step: " +
                          std::to_string(h) + ", integrator: " + integrator +
                          ", newton: {relative: 1e-10, absolute: 1e-12}}\n")) {
    EXPECT_EQ(result.end, TransientResult::End::done);
  }
  double error() const {
    const double t = 0.2;
    const double l = 2.5 / 0.05;
    const double y = 3 / 2.5;
    return std::abs(q.x[1].x() - (1.5 * t * t - 1.5 * y * (t * t / 2 - t / l + (1 - std::exp(-l * t)) / (l * l))));
  }
  double iterations() const {
    return static_cast<double>(result.progress.iterations) / static_cast<double>(result.progress.steps);
  }
};

TEST_P(LoadCell, OfAccelerationsPassedBackIsAnAddedMass) {
  std::vector<double> errors;
  std::vector<double> iterations;
  for (const double h : {0.02, 0.01, 0.005}) {
    const AccelerationPassedBack run(h, "{method: " + GetParam() + ", rho_infinity: 0.8}");
    errors.push_back(run.error());
    iterations.push_back(run.iterations());
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.3) << errors[0] << " " << errors[1] << " " << errors[2];
  EXPECT_LE(errors[2], 1e-4);
  EXPECT_LE(iterations[0], 2.1) << "a linear machine: an inexact matrix would need more";
}

INSTANTIATE_TEST_SUITE_P(Methods, LoadCell,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector"),
                         [](const auto& each) { return each.param; });

// What stages read of reactions is consistent with them, and its derivatives are those of the whole machine.
class StageLoadCell : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(StageLoadCell, HasTheOrderOfTheMethod) {
  const auto& [method, order] = GetParam();
  const std::string late = "  load: {of: joints.hinge.force.z}\n  late: {type: delay, input: load, time: 0.03}\n";
  const std::vector<std::tuple<std::string, std::string, double>> loops{{cell, "=0.2*cell", 2.13440332848095},
                                                                        {late, "=0.1*late", 1.98517057167287}};
  for (const auto& [signals, motor, exact] : loops) {
    std::vector<double> errors;
    for (const double h : {0.01, 0.005, 0.0025})
      errors.push_back(std::abs(
          angle_at_end(controlled_pendulum(signals, motor, 0.5, h, "{method: " + std::string(method) + "}")) - exact));
    EXPECT_GE(std::log2(errors[1] / errors[2]), order - 0.3) << motor << " " << errors[1] << " " << errors[2];
    EXPECT_GE(std::log2(errors[0] / errors[1]), order - 0.4) << motor << " " << errors[0] << " " << errors[1];
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, StageLoadCell,
                         testing::Values(std::pair{"radau5", 5.0}, std::pair{"rosenbrock4", 4.0},
                                         std::pair{"rosenbrock_w2", 2.0}),
                         [](const auto& each) { return std::string(each.param.first); });

TEST(LoadCells, UnderControlOfTheStep) {
  for (const std::string& method : and_of_sundials({"radau5", "rosenbrock4"}))
    EXPECT_NEAR(
        angle_at_end(controlled_pendulum(cell, "=0.2*cell", 0.5, "{tolerance: 1.0e-6}", "{method: " + method + "}")),
        2.13440332848095, 5e-6)
        << method;
}

// By stages, too. The first solve makes the accelerations of stages those that sensors read, the second is exact, the
// third finds nothing to do.
TEST(LoadCells, AccelerationsInStagesHaveExactMatrices) {
  const AccelerationPassedBack run(0.02, "{method: radau5}");
  EXPECT_LE(run.error(), 1e-6);
  EXPECT_LE(run.iterations(), 3);
}

// The energy of the pendulum, m g l sin phi, low-passed: nothing follows it.
TEST(LoadCells, EnergiesMayBeFilteredInStages) {
  const std::string slow =
      "  kinetic: {of: energy.kinetic}\n  height: {of: nodes.c.position.z}\n"
      "  slow: {type: low_pass, input: kinetic, time_constant: 0.05}\n"
      "  same: {type: low_pass, input: \"=-19.62*height\", time_constant: 0.05}\n";
  for (const char* method : {"lie_alpha", "radau5", "rosenbrock4"}) {
    std::vector<double> differences;
    for (const double h : {0.01, 0.005}) {
      Transient run(deck_of(controlled_pendulum(slow, "=0", 0.5, h, "{method: " + std::string(method) + "}")));
      ASSERT_EQ(run.result.end, TransientResult::End::done);
      differences.push_back(std::abs(run.q.signals.z[0] - run.q.signals.z[1]));
    }
    const double order = method[0] == 'l' ? 2 : method[1] == 'a' ? 5 : 4;
    EXPECT_GE(std::log2(differences[0] / differences[1]), order - 0.4) << method << " " << differences[0];
  }
}

TEST(LoadCells, AtSmallSteps) {
  const double turns = 2 * std::numbers::pi;
  EXPECT_NEAR(angle_at_end(controlled_pendulum(cell, "=0.2*cell", 0.5, 0.0001)), 2.13440332848095, 1e-6);
  EXPECT_NEAR(angle_at_end(controlled_pendulum(cell, "=0.2*cell", 1, 0.0001)), 6.39510991723207 - turns, 1e-5);
}

// At rest phi'' = 9.81/0.6 and F = 2 (9.81 - phi''/2), which is held until the next sample.
TEST(LoadCells, AreSampledAtTheStartWithItsReaction) {
  const std::string held =
      "  load: {of: joints.hinge.force.z}\n  kept: {type: sample_hold, input: load, period: 0.01}\n";
  Transient run(deck_of(controlled_pendulum(held, "=0.1*kept", 0.005, 0.001)));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.signals.values[3], 2 * (9.81 - 9.81 / 1.2), 1e-9);
}

// A drive that turns the pendulum: J phi'' - m g l cos phi.
TEST(LoadCells, ReadDrives) {
  std::string text = controlled_pendulum("  torque: {of: joints.hinge.axis_torque}\n", "=0", 0.5, 0.001);
  const std::string motor = "motor: \"=0\"";
  text.replace(text.find(motor), motor.size(), "rotation: \"=t^2\"");
  Transient run(deck_of(text));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.signals.values[2], 0.6 * 2 - 9.81 * std::cos(0.25), 1e-4);
}

// m g l sin phi is what the fall has given.
TEST(EnergyEvents, HappenAtTheirHeight) {
  Transient run(deck_of(controlled_pendulum("  kinetic: {of: energy.kinetic}\n", "=0", 2, 0.0002) +
                        "events: {fast: {when: \"=kinetic - 3\", direction: up, do: {end: true}}}\n"));
  EXPECT_NEAR(std::sin(angle_of(run.q)), 3 / 9.81, 1e-6);
}

// The spring of a hinge that comes apart has no energy from that moment on, though nothing has moved.
TEST(EnergyEvents, KnowOfJointsThatComeApart) {
  std::string text = controlled_pendulum("  strain: {of: energy.strain}\n", "=0", 2, 0.001);
  const std::string motor = "motor: \"=0\"";
  text.replace(text.find(motor), motor.size(), "stiffness: 20");
  Transient run(deck_of(text + "events: {off: {when: \"=strain - 1\", direction: up, do: [{separate: joints.hinge}, "
                               "{end: true}]}}\n"));
  ASSERT_EQ(run.result.end, TransientResult::End::done) << (run.problems.empty() ? "" : run.problems[0].message);
  EXPECT_EQ(run.q.signals.values[2], 0);
}

// A brake that an energy switches: forces follow it by the switch's own events.
TEST(EnergyEvents, SwitchForces) {
  const std::string brake =
      "  kinetic: {of: energy.kinetic}\n"
      "  brake: {type: switch, input: kinetic, on_above: 3, off_below: -1, when_on: \"=-2*rate\", when_off: 0}\n";
  const double by_energy = angle_at_end(controlled_pendulum(brake, "=brake", 1, 0.001));
  const std::string by_height =
      "  height: {of: nodes.c.position.z}\n"
      "  brake: {type: switch, input: \"=-19.62*height\", on_above: 3, off_below: -10, when_on: \"=-2*rate\", "
      "when_off: 0}\n";
  EXPECT_NEAR(by_energy, angle_at_end(controlled_pendulum(by_height, "=brake", 1, 0.001)), 1e-5);
}

// The hinge of the free pendulum carries 2 m g sin phi (m l^2/J) along the rod at most: the event finds the value.
TEST(ReactionEvents, HappenAtTheirLoad) {
  Transient run(deck_of(controlled_pendulum("  load: {of: joints.hinge.force.z}\n", "=0", 2, 0.0002) +
                        "events: {strong: {when: \"=load - 25\", direction: up, do: {end: true}}}\n"));
  // F_z = 2 (9.81 - (phi'' cos phi - phi'^2 sin phi)/2), phi'' = 9.81 cos phi/0.6, phi'^2 = 2 9.81 sin phi/0.6
  const double phi = angle_of(run.q);
  const double c = std::cos(phi);
  const double s = std::sin(phi);
  EXPECT_NEAR(2 * (9.81 - 0.5 * 9.81 / 0.6 * (c * c - 2 * s * s)), 25, 1e-5);
}

model::Problems problems_of(const std::string& signals, const std::string& motor) {
  const io::Deck deck = deck_of(controlled_pendulum(signals, motor, 1, 0.01));
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(deck.model, problems)) << signals;
  return problems;
}

// What has no way through the equations is named, with the force and the way out.
TEST(WideSensors, AreRefusedWhereForcesFollowThem) {
  const std::string load = "  load: {of: joints.hinge.force.z}\n";
  const std::string energy = "  energy: {of: energy.total}\n";
  const std::vector<std::tuple<std::string, std::string, std::string>> refused{
      {load, "=0.1*load", "signals.load.of"},
      {load + "  sum: \"=load + 1\"\n", "=0.1*sum", "signals.load.of"},
      {load + "  pid: {type: pid, input: load, kp: 1, ki: 3}\n", "=0.1*pid", "signals.load.of"},
      {load + "  lead: {type: transfer_function, input: load, numerator: [1, 2], denominator: [1, 3]}\n", "=lead",
       "signals.load.of"},
      {energy, "=0.1*energy", "signals.energy.of"},
      {energy + "  slow: {type: low_pass, input: energy, time_constant: 0.1}\n", "=slow", "signals.energy.of"}};
  for (const auto& [signals, motor, path] : refused) {
    const model::Problems problems = problems_of(signals, motor);
    ASSERT_EQ(problems.size(), 1u) << signals;
    EXPECT_EQ(problems[0].path, path);
    EXPECT_NE(problems[0].message.find("joints.hinge"), std::string::npos) << problems[0].message;
    EXPECT_NE(problems[0].message.find("sample_hold"), std::string::npos) << problems[0].message;
  }
  for (const std::string& taken :
       {load + "  x: {type: pid, input: load, ki: 3}\n", load + "  x: {type: delay, input: load, time: 0.03}\n",
        energy + "  x: {type: sample_hold, input: energy, period: 0.1}\n"}) {
    model::Problems problems;
    EXPECT_TRUE(assembly::System::make(deck_of(controlled_pendulum(taken, "=0.1*x", 1, 0.01)).model, problems))
        << taken << (problems.empty() ? "" : problems[0].message);
  }
}

TEST(WideSensors, MisspeltNamesAreHelped) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"joints.hinge.torque", "joints.NAME.force"},
      {"joints.hinge.multipliers[5]", "within the constraint equations of this joint"},
      {"joints.hinge.multipliers", "needs [k]"},
      {"joints.hinge.force", ".x, .y or .z"},
      {"joints.hinge.coordinates[1]", "there are 1, [0] to [0]"},
      {"joints.hnge.force.x", "did you mean 'hinge'?"},
      {"energy.potential", "energy.kinetic"},
      {"beams.arm.forces[0][1]", "names no beam of the deck"},
      {"forces.load.force", "names no force of the deck"},
      {"supports.wall.force.x", "is nothing that can be measured"}};
  for (const auto& [of, text] : refused) {
    const model::Problems problems = problems_of("  s: {of: \"" + of + "\"}\n", "=0");
    ASSERT_EQ(problems.size(), 1u) << of;
    EXPECT_EQ(problems[0].path, "signals.s.of");
    EXPECT_NE(problems[0].message.find(text), std::string::npos) << problems[0].message;
  }
}

TEST(WideSensors, BeamsSayWhatTheyHave) {
  const std::vector<std::pair<std::string, std::string>> refused{{"beams.bar.forces[1][0]", "there are 1, [0] to [0]"},
                                                                 {"beams.bar.forces[0][6]", "beyond [5]"},
                                                                 {"beams.bar.forces[0]", "needs [i][k]"},
                                                                 {"beams.bar.stress[0][0]", "beams.NAME.strains"}};
  for (const auto& [of, text] : refused) {
    std::string deck = bar(30, 0, "=0", "{type: static}");
    deck.replace(deck.find("beams.bar.strains[0][0]"), 23, of);
    model::Problems problems;
    EXPECT_FALSE(assembly::System::make(deck_of(deck).model, problems));
    ASSERT_EQ(problems.size(), 1u) << of;
    EXPECT_NE(problems[0].message.find(text), std::string::npos) << problems[0].message;
  }
}

}  // namespace
}  // namespace polhode::support
