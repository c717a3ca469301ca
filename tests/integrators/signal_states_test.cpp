// SPDX-License-Identifier: BSD-3-Clause
// States of signals in radau5, the Rosenbrock methods and those of SUNDIALS: orders, control of their error, exact
// tangents.
//
// The numbers of the pendulum are those of DOP853 with a relative tolerance of 1e-13, of its equation and the
// controller's own; those of the cart, a linear system, of its exponential with 50 digits.
#include <array>
#include <cmath>

#include "support/controlled_pendulum.hpp"
#include "support/methods.hpp"
#include "support/runs.hpp"
#include "support/stepper.hpp"

namespace polhode::support {
namespace {

const std::string filtered_pid =
    "  error: \"=0.5 - angle\"\n  torque: {type: pid, input: error, kp: 60, ki: 40, kd: 12, filter: 0.02}\n";
constexpr double pendulum_at_half = 0.6236122548594;
constexpr double pendulum_at_one = 0.5863339700954;

// 2 x'' = y, y = (12000 + 6000 s)/(s^2 + 30 s + 200) (-x), from x' = 1.
std::string cart(const std::string& step, const std::string& integrator, double duration = 1) {
  return "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0], velocity: [1, 0, 0]}}\n"
         "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
         "signals:\n  x: {of: joints.rail.coordinates}\n"
         "  force: {type: transfer_function, input: \"=-x\", numerator: [6000, 12000], denominator: [1, 30, 200]}\n"
         "joints: {rail: {type: prismatic, connects: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0], motor: force}}\n"
         "analysis: {type: transient, duration: " +
         std::to_string(duration) + ", step: " + step + ", integrator: " + integrator +
         ", newton: {relative: 1e-10, absolute: 1e-12}}\n";
}
constexpr double cart_at_one = -0.0027125038765446;
constexpr double state_at_one = -0.00020462489317977;

struct Errors {
  explicit Errors(const std::string& text, bool is_cart) {
    Transient run(deck_of(text));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    motion = std::abs(is_cart ? run.q.x[1].x() - cart_at_one : angle_of(run.q) - pendulum_at_one);
    if (is_cart) state = std::abs(run.q.signals.z[0] - state_at_one);
  }
  double motion = 0;
  double state = 0;
};

struct StateOrder {
  std::string method;
  double order;
  double h;
  // Where errors are compared on the pendulum: at 1 s those of the second order cancel
  bool at_half = false;
};
std::ostream& operator<<(std::ostream& out, const StateOrder& order) { return out << order.method; }

class StatesByMethod : public testing::TestWithParam<StateOrder> {};
INSTANTIATE_TEST_SUITE_P(Methods, StatesByMethod,
                         testing::Values(StateOrder{"radau5", 5, 0.02}, StateOrder{"rosenbrock4", 4, 0.005},
                                         StateOrder{"rosenbrock_w2", 2, 0.001, true}));

TEST_P(StatesByMethod, HaveItsOrderOnAPendulumUnderAPid) {
  const auto error = [](double h) {
    const std::string integrator = "{method: " + GetParam().method + "}";
    const bool at_half = GetParam().at_half;
    return std::abs(angle_at_end(controlled_pendulum(filtered_pid, "=torque", at_half ? 0.5 : 1, h, integrator)) -
                    (at_half ? pendulum_at_half : pendulum_at_one));
  };
  const double h = GetParam().h;
  const double first = error(h);
  const double second = error(h / 2);
  EXPECT_NEAR(std::log2(first / second), GetParam().order, 0.3) << first << " " << second;
}

TEST_P(StatesByMethod, HaveItsOrderOnACartUnderATransferFunction) {
  const auto errors = [](double h) {
    return Errors(cart(std::to_string(h), "{method: " + GetParam().method + "}"), true);
  };
  const double h = GetParam().h;
  const Errors first = errors(h);
  const Errors second = errors(h / 2);
  EXPECT_NEAR(std::log2(first.motion / second.motion), GetParam().order, 0.3) << first.motion << " " << second.motion;
  EXPECT_NEAR(std::log2(first.state / second.state), GetParam().order, 0.3) << first.state << " " << second.state;
}

std::vector<std::string> controlled_methods() { return and_of_sundials({"radau5", "rosenbrock4", "rosenbrock_w2"}); }

class ControlledStates : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControlledStates, testing::ValuesIn(controlled_methods()));

TEST_P(ControlledStates, AreWithinTheTolerance) {
  const std::string integrator = "{method: " + GetParam() + "}";
  constexpr double growth = 30;                                      // of local errors over the motion
  const double least = GetParam() == "rosenbrock_w2" ? 1e-6 : 1e-7;  // of order 2
  for (const double tolerance : {1e-5, least}) {
    const std::string step = "{tolerance: " + std::to_string(tolerance * 1e7) + "e-7}";
    EXPECT_LE(Errors(controlled_pendulum(filtered_pid, "=torque", 1, step, integrator), false).motion,
              growth * tolerance);
    const Errors errors(cart(step, integrator), true);
    EXPECT_LE(errors.motion, growth * tolerance);
    EXPECT_LE(errors.state, growth * tolerance);
  }
}

// A fast filter that no force follows, beside a slow motion, counts as much as the motion does.
TEST_P(ControlledStates, CountWhereNoForceFollowsThem) {
  const std::string text = controlled_pendulum("  gathered: {type: integrator, input: \"=40*cos(40*t)\"}\n", "=-9.81",
                                               1, "{tolerance: 1e-5}", "{method: " + GetParam() + "}");
  Transient run(deck_of(text));
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.signals.z[0], std::sin(40.0), 1e-3);
}

// Between the ends of steps, where output times lie: cubics, of fourth order.
TEST(StatesBetweenSteps, AreOfFourthOrder) {
  const io::Deck deck = deck_of(
      controlled_pendulum("  gathered: {type: integrator, input: \"=5*cos(5*t)\"}\n", "=-9.81 - 3*rate", 1, 0.1));
  for (const std::string name : {"radau5", "rosenbrock4"}) {
    std::array<double, 2> error{};
    for (int level = 0; level < 2; ++level) {
      const Machine machine(deck.model);
      const double h = 0.04 / (1 << level);
      Stepper stepper(machine.system, method(name), to_round_off());
      State q = consistent_start(machine.system);
      ASSERT_TRUE(stepper.start(q));
      for (int n = 1; n * h < 0.41; ++n) ASSERT_TRUE(stepper.advance(q, h, n * h));
      State inside = q;
      double work = 0;
      const double t = q.t - 0.37 * h;
      ASSERT_TRUE(stepper.method().between(t, inside, work));
      error[static_cast<std::size_t>(level)] = std::abs(inside.signals.z[0] - std::sin(5 * t));
      EXPECT_EQ(inside.signals.values[2], inside.signals.z[0]);
    }
    EXPECT_LE(error[1], 1e-6) << name;
    EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.5) << name << error[0] << " " << error[1];
  }
}

// Of a linear system Newton's method with exact tangents, through states too, needs one solve; the second one sees that
// nothing is left.
TEST(RadauSignals, LinearSystemsTakeOneSolve) {
  struct Counter final : analyses::Observer {
    int most = 0;
    void observe(const State&, const integrators::StepRecord& step, const analyses::Progress&, bool) override {
      most = std::max(most, step.reports.empty() ? 0 : step.reports.front().iterations);
    }
    void warn(const std::string&) override {}
  };
  const io::Deck deck = deck_of(cart("0.02", "{method: radau5}"));
  Machine machine(deck.model);
  State q = machine.system.initial_state();
  Counter counter;
  model::Problems problems;
  run_transient(machine.system, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, counter, problems);
  EXPECT_GE(counter.most, 1);
  EXPECT_LE(counter.most, 2);
}

// A filter with a time constant of 1e-6 s is its input to methods that damp what is fast.
TEST(RadauSignals, FastFiltersAreTheirInput) {
  for (const std::string method : {"radau5", "rosenbrock4"}) {
    const std::string integrator = "{method: " + method + "}";
    const std::string filter = "  fast: {type: low_pass, input: \"=-40*angle - 6*rate\", time_constant: 1e-6}\n";
    const double filtered = angle_at_end(controlled_pendulum(filter, "=fast", 1, 0.002, integrator));
    const double direct = angle_at_end(controlled_pendulum("", "=-40*angle - 6*rate", 1, 0.002, integrator));
    EXPECT_NEAR(filtered, direct, 2e-5) << method;
  }
}

// Steps that end on a kink of a load look at nothing beyond, though rosenbrock4 has stages there.
TEST(RosenbrockLoads, KinksOnTheGridKeepTheOrder) {
  const auto angle = [](double h, const std::string& method) {
    return angle_at_end(controlled_pendulum("", "=t < 0.2 ? 0 : sin(7*(t - 0.2))", 0.5, h, "{method: " + method + "}"));
  };
  const double exact = angle(0.001, "radau5");
  const double coarse = std::abs(angle(0.02, "rosenbrock4") - exact);
  const double fine = std::abs(angle(0.01, "rosenbrock4") - exact);
  EXPECT_GE(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
}

}  // namespace
}  // namespace polhode::support
