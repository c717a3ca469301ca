// SPDX-License-Identifier: BSD-3-Clause
// Closed loops: feedback that is a spring, controllers against solutions of their equations, tangents, loops of signals.
//
// The numbers of the pendulum at 0.5 and 1 s are those of DOP853 with a relative tolerance of 1e-13, of its equation and
// the controller's own.
#include "support/controlled_pendulum.hpp"
#include "support/signal_tangents.hpp"

namespace polhode::support {
namespace {

struct Controller {
  std::string name;
  std::string signals;
  std::string motor;
  double at_half;
  double at_one;
};

const std::vector<Controller> controllers{
    {"pid", "  error: \"=0.5 - angle\"\n  torque: {type: pid, input: error, kp: 60, ki: 40, kd: 12, filter: 0.02}\n",
     "=torque", 0.6236122548594, 0.5863339700954},
    {"state_space",
     "  torque: {type: state_space, inputs: [angle], A: [[-40, 1], [-400, -5]], B: [[40], [380]], C: [[-50, -8]]}\n",
     "=torque", 0.2147175835329, 0.2426639416051},
    {"transfer_function",
     "  lead: {type: transfer_function, input: \"=0.3 - angle\", numerator: [100, 200], denominator: [1, 30, 200]}\n"
     "  torque: {type: low_pass, input: lead, time_constant: 0.05}\n",
     "=torque", 1.7945058241337, 2.2750911676099},
};

TEST(Signals, ControllersHaveTheOrderOfTheMethod) {
  for (const Controller& loop : controllers) {
    std::vector<double> errors;
    for (const double h : {0.002, 0.001, 0.0005})
      errors.push_back(std::abs(angle_at_end(controlled_pendulum(loop.signals, loop.motor, 1, h)) - loop.at_one));
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << loop.name << errors[0] << " " << errors[1];
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15) << loop.name << errors[1] << " " << errors[2];
  }
}

TEST(Signals, ControllersAtSmallSteps) {
  for (const Controller& loop : controllers)
    EXPECT_NEAR(angle_at_end(controlled_pendulum(loop.signals, loop.motor, 0.5, 0.0001)), loop.at_half, 1e-6)
        << loop.name;
}

// Torque within 30 N m, integral led back in 1.5 s.
TEST(Signals, LimitedPidDoesNotWindUp) {
  const std::string pid =
      "  error: \"=0.5 - angle\"\n"
      "  torque: {type: pid, input: error, kp: 60, ki: 40, kd: 12, filter: 0.02, limit: [-30, 30]}\n";
  EXPECT_NEAR(angle_at_end(controlled_pendulum(pid, "=torque", 0.5, 0.0001)), 0.5903945900026, 1e-6);
  EXPECT_NEAR(angle_at_end(controlled_pendulum(pid, "=torque", 1, 0.0001)), 0.5864969318227, 1e-6);
}

// A curve through points of a straight line is the line, whatever the interpolation: here a spring and damper.
TEST(Signals, TablesOfStraightLinesAreLines) {
  const double line = angle_at_end(controlled_pendulum("", "=-30*angle - 4*rate", 0.5, 0.001));
  for (const char* interpolation : {"linear", "cubic"}) {
    const std::string table = std::string(
                                  "  torque: {type: table, input: \"=30*angle + 4*rate\", x: [-200, -1, 3, 200], "
                                  "y: [200, 1, -3, -200], interpolation: ") +
                              interpolation + "}\n";
    EXPECT_NEAR(angle_at_end(controlled_pendulum(table, "=torque", 0.5, 0.001)), line, 1e-12) << interpolation;
  }
}

// The torque of a motor that falls from 20 N m at rest to nothing at 4 rad/s, and stays there.
TEST(Signals, TablesKeepTheValuesOfTheirEnds) {
  const std::string curve = "  torque: {type: table, input: rate, x: [0, 4], y: [20, 0]}\n";
  const double by_table = angle_at_end(controlled_pendulum(curve, "=torque", 0.5, 0.001));
  const double by_law = angle_at_end(controlled_pendulum("", "=max(0, min(20, 20 - 5*rate))", 0.5, 0.001));
  EXPECT_NEAR(by_table, by_law, 1e-12);
}

// Held from each hundredth of a second to the next; steps end there, whatever their grid.
TEST(Signals, SampledControlIsThatOfItsMoments) {
  const std::string held = "  torque: {type: sample_hold, input: \"=-40*angle - 6*rate\", period: 0.01}\n";
  const double exact = 0.2364877911516;
  std::vector<double> errors;
  for (const double h : {0.002, 0.001, 0.0005})
    errors.push_back(std::abs(angle_at_end(controlled_pendulum(held, "=torque", 1, h)) - exact));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15);
  EXPECT_NEAR(angle_at_end(controlled_pendulum(held, "=torque", 1, 0.0005)), exact, 1e-6);
  EXPECT_NEAR(angle_at_end(controlled_pendulum(held, "=torque", 1, 0.003)), exact, 1e-4);
}

// Motion under feedback of coordinates and rates against that of springs and dampers of the same constants.
std::string rod_and_bob(bool feedback, const std::string& analysis) {
  std::string text =
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {c: {position: [0.5, 0, 0]}, e: {position: [1, 0, "
      "0.3]}}\nbodies:\n  rod: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.2, 0.15]}\n"
      "  bob: {type: rigid_body, node: e, mass: 1, inertia: [0.02, 0.03, 0.02]}\n";
  const std::string hinge = "  hinge: {type: revolute, connects: [ground, c], at: [0, 0, 0], axis: [0, 1, 0], ";
  const std::string elbow = "  elbow: {type: revolute, connects: [c, e], at: [0.8, 0, 0], axis: [0, 1, 0.2], ";
  if (feedback)
    text +=
        "signals:\n  angle: {of: joints.hinge.coordinates}\n  rate: {of: joints.hinge.rates}\n"
        "  bend: {of: joints.elbow.coordinates}\n  bending: {of: joints.elbow.rates}\n"
        "  moment: \"=-20*bend - 0.2*bending\"\n"
        "joints:\n" +
        hinge + "motor: \"=-30*angle - 0.4*rate\"}\n" + elbow + "motor: moment}\n";
  else
    text += "joints:\n" + hinge + "stiffness: 30, damping: 0.4}\n" + elbow + "stiffness: 20, damping: 0.2}\n";
  return text + "analysis: " + analysis + "\n";
}

class FeedbackByMethod : public testing::TestWithParam<std::string> {};

TEST_P(FeedbackByMethod, IsASpringAndADamper) {
  const std::string analysis =
      "{type: transient, duration: 0.2, step: 0.002, integrator: {method: " + GetParam() + "}}";
  Transient springs(deck_of(rod_and_bob(false, analysis)));
  Transient feedback(deck_of(rod_and_bob(true, analysis)));
  ASSERT_EQ(springs.result.end, TransientResult::End::done);
  ASSERT_EQ(feedback.result.end, TransientResult::End::done);
  EXPECT_GT((springs.q.x[2] - Vec3(1, 0, 0.3)).norm(), 0.1);
  EXPECT_LE((springs.q.x[2] - feedback.q.x[2]).norm(), 1e-9);
  EXPECT_LE((springs.q.v[2] - feedback.q.v[2]).norm(), 1e-7);
  // An inexact matrix would need more
  EXPECT_LE(feedback.result.progress.iterations, springs.result.progress.iterations + 2);
}

INSTANTIATE_TEST_SUITE_P(Methods, FeedbackByMethod,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector",
                                         "lie_alpha, frame: spatial", "radau5", "rosenbrock4"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

// K and C of a machine with all kinds of signals, by differences of its residual; states z follow at a gain of a step.
TEST(Signals, TangentsMatchDifferences) {
  const std::string signals =
      "signals:\n  angle: {of: joints.hinge.coordinates}\n  rate: {of: joints.hinge.rates}\n"
      "  z: {of: nodes.e.position.z}\n  spin: {of: nodes.e.angular_velocity.y}\n"
      "  error: \"=0.5 - angle*cos(z)\"\n"
      "  pid: {type: pid, input: error, kp: 6, ki: 40, kd: 2, filter: 0.02, limit: [-100, 100]}\n"
      "  filtered: {type: low_pass, input: \"=rate*spin + 0.1*filtered\", time_constant: 0.05}\n"
      "  a: \"=0.3*b + sin(angle)\"\n  b: \"=0.5*a*a - rate\"\n"
      "  kept: {type: limit, input: \"=pid + filtered\", min: -200}\n"
      "  late: {type: delay, input: \"=3*rate + sin(2*angle)\", time: 0.004}\n"
      "  either: {type: switch, input: angle, on_above: 1, starts_on: true, when_on: \"=rate*spin\", when_off: z}\n";
  const std::string text =
      "format: polhode-deck/1\nnodes: {c: {position: [0.5, 0, 0]}, e: {position: [1, 0, 0.3], fixed: [y]}}\n"
      "bodies:\n  rod: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.2, 0.15]}\n"
      "  bob: {type: rigid_body, node: e, mass: 1, inertia: [0.02, 0.03, 0.02]}\n" +
      signals +
      "joints:\n  hinge: {type: revolute, connects: [ground, c], at: [0, 0, 0], axis: [0, 1, 0.3], motor: kept}\n"
      "forces:\n  lift: {type: load, node: e, force: [0.2, 0, 1], history: \"=a*rate - 3*b\"}\n"
      "  turn: {type: load, node: e, moment: [0.3, 1, 0], follower: true, history: filtered}\n"
      "  spring: {type: spring_damper, connects: [c, e], stiffness: 10, actuator: \"=kept*z + late\"}\n"
      "  twist: {type: torsional_spring_damper, connects: [c, e], axis: [0, 1, 0], actuator: \"=rate^2 + pid + "
      "either\"}\n"
      "analysis: {type: transient, duration: 1, step: 0.01}\n";
  const Machine machine(deck_of(text).model);
  const assembly::System& system = machine.system;
  // A delay that is shorter than the step takes a part of the present input
  State q = system.initial_state();
  system.signals().record(q, true);
  q.t = 0.01;
  system.signals().sample(q);
  std::mt19937 random(3);
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    q.v[i] = Vec6::NullaryExpr([&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
  }
  q.signals.gain = 0.01;
  q.signals.base = 0.3 * model::VectorX::Ones(q.signals.z.size());
  expect_tangents_match(system, q);
}

// Within limits and beyond them by turns, one system, at gains that differ: values are those of a system that has seen no
// other state, and tangents those of differences.
TEST(Signals, LimitsAreEnteredAndLeft) {
  const std::string text = controlled_pendulum(
      "  pid: {type: pid, input: \"=0.5 - angle\", kp: 60, ki: 40, kd: 12, filter: 0.02, limit: [-30, 30]}\n"
      "  kept: {type: limit, input: \"=30*angle + rate\", min: -4, max: 4}\n",
      "=pid - 5*kept - 2*rate - 3*angle", 1, 0.01);
  const Machine machine(deck_of(text).model);
  const auto state = [&](double rotation, double gain) {
    State q = machine.system.initial_state();
    q.set_rotation(1, math::so3::exp_quaternion(Vec3(0, rotation, 0)));
    q.v[1][4] = 0.3;
    q.signals.gain = gain;
    q.signals.base.setConstant(0.4);
    q.signals.z.setConstant(0.4);
    return q;
  };
  const auto torque = [](const Machine& of, const State& q) {
    const auto values = of.system.signals().values(q);
    return values[2] - 5 * values[3];
  };
  // Both blocks are within their limits at 0.1 rad, and rest on them at -0.9 rad
  constexpr double within = 0.1;
  constexpr double beyond = -0.9;
  for (const auto& [rotation, gain] : std::vector<std::pair<double, double>>{{within, 0.01},
                                                                             {beyond, 0.01},
                                                                             {within, 0.01},
                                                                             {beyond, 0.01},
                                                                             {beyond, 0.02},
                                                                             {within, 0.02},
                                                                             {beyond, 0.005},
                                                                             {within, 0.02},
                                                                             {beyond, 0},
                                                                             {within, 0},
                                                                             {within, 0.01}}) {
    SCOPED_TRACE(testing::Message() << rotation << " rad, gain " << gain);
    const State q = state(rotation, gain);
    const auto values = machine.system.signals().values(q);
    EXPECT_EQ(std::abs(values[2]) < 30, rotation == within) << values[2];
    EXPECT_EQ(std::abs(values[3]) < 4, rotation == within) << values[3];
    EXPECT_NEAR(torque(machine, q), torque(Machine(deck_of(text).model), q), 1e-12);
    expect_tangents_match(machine.system, q);
    State settled = q;
    State settled_alone = q;
    machine.system.signals().settle(settled);
    Machine(deck_of(text).model).system.signals().settle(settled_alone);
    EXPECT_LE((settled.signals.z - settled_alone.signals.z).norm(), 1e-13);
    EXPECT_LE((settled.signals.rate - settled_alone.signals.rate).norm(), 1e-11);
    EXPECT_LE((settled.signals.z - (q.signals.base + gain * settled.signals.rate)).norm(), 1e-12);
  }
}

// Values are kept with the state that they belong to: another one, whatever it differs in, has its own, which are those
// that a system finds that has seen no other.
TEST(Signals, ValuesAreThoseOfTheirState) {
  const std::string deck = controlled_pendulum(
      "  height: {of: nodes.c.position.z}\n  sum: {type: integrator, input: angle}\n"
      "  held: {type: sample_hold, input: angle, period: 0.01}\n"
      "  late: {type: delay, input: angle, time: 0.01}\n  x: \"=2 - 0.5*y*y\"\n  y: x\n"
      "  torque: \"=angle + 2*rate + 3*height + 5*sum + 7*held + 11*x + 13*t + 17*late\"\n",
      "=torque", 1, 0.01);
  const Machine machine(deck_of(deck).model);
  const State start = machine.system.initial_state();
  const auto with = [&](const auto& change) {
    State q = start;
    change(q);
    return q;
  };
  const std::vector<std::pair<std::string, State>> states{
      {"time", with([](State& q) { q.t = 0.3; })},
      {"position", with([](State& q) { q.x[1].z() += 0.1; })},
      {"rotation", with([](State& q) { q.set_rotation(1, math::so3::exp_quaternion(Vec3(0, 0.2, 0))); })},
      {"velocity", with([](State& q) { q.v[1][4] = 0.7; })},
      {"turns counted", with([](State& q) { q.history.setConstant(7); })},
      {"states", with([](State& q) { q.signals.z.setConstant(0.4); })},
      {"states that are sought", with([](State& q) {
         q.set_rotation(1, math::so3::exp_quaternion(Vec3(0, 0.2, 0)));
         q.signals.base.setConstant(0.6);
         q.signals.gain = 0.01;
       })},
      {"held", with([](State& q) { q.signals.held[1] = 0.9; })},
      {"past", with([](State& q) {
         q.signals.past = {-1, 0, 0.4};
       })},
      // -1 - sqrt(5) beside -1 + sqrt(5)
      {"branch of a loop", with([](State& q) { q.signals.values.setConstant(-4); })}};
  const auto torque = [](const Machine& of, const State& q) { return of.system.signals().values(q).back(); };
  const double at_start = torque(machine, start);
  for (const auto& [name, q] : states) {
    const double value = torque(machine, q);
    EXPECT_NE(value, at_start) << name;
    EXPECT_EQ(value, torque(Machine(deck_of(deck).model), q)) << name;
    EXPECT_EQ(torque(machine, start), at_start) << name;
  }
}

// x = 2 - x/2 has the solution 4/3, found at each state.
TEST(Signals, LoopsWithoutDelayAreSolved) {
  const Machine machine(deck_of(controlled_pendulum("  x: \"=2 - 0.5*y\"\n  y: x\n", "=x", 1, 0.01)).model);
  const State q = machine.system.initial_state();
  EXPECT_NEAR(machine.system.signals().values(q)[2], 4.0 / 3, 1e-15);
}

TEST(Signals, LoopsWithoutSolutionAreNamed) {
  const io::Deck deck = deck_of(controlled_pendulum("  x: \"=y + 1\"\n  y: \"=x + angle\"\n", "=x", 1, 0.01));
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(deck.model, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "signals.x");
  EXPECT_NE(problems[0].message.find("(x, y) have no solution"), std::string::npos) << problems[0].message;
}

TEST(Signals, MethodsThatDoNotTakeThemSayWhich) {
  Transient run(deck_of(controlled_pendulum("", "=-angle", 1, 0.01, "{method: energy_momentum}")));
  EXPECT_EQ(run.result.end, TransientResult::End::invalid);
  ASSERT_FALSE(run.problems.empty());
  EXPECT_NE(run.problems[0].message.find("signals.angle"), std::string::npos) << run.problems[0].message;
}

}  // namespace
}  // namespace polhode::support
