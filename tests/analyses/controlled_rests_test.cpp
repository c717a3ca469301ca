// SPDX-License-Identifier: BSD-3-Clause
// Delays and samples where time stands still: equilibrium, and small motions with Padé approximants of delays.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/linearize/prepared_loops.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "support/rested.hpp"
#include "support/transients.hpp"

namespace polhode::analyses {
namespace {

using Complex = std::complex<double>;
using support::held_by;
using support::holding;
using support::Rested;
using support::weight_moment;

double factorial(int n) { return std::tgamma(n + 1.0); }

// P(x) of the approximant P(-x) / P(x) of exp(-x), by its formula (Padé 1892).
Complex pade_polynomial(int m, Complex x) {
  Complex sum = 0;
  for (int j = 0; j <= m; ++j)
    sum += factorial(2 * m - j) * factorial(m) / (factorial(2 * m) * factorial(j) * factorial(m - j)) * std::pow(x, j);
  return sum;
}
// The first term of exp(-x) - P(-x) / P(x), without sign.
double leading_error(int m, double x) {
  return std::pow(factorial(m), 2) / (factorial(2 * m) * factorial(2 * m + 1)) * std::pow(x, 2 * m + 1);
}

constexpr double dead_time = 0.1;  // s

// 2 x'' + x' + 50 x + 20 x(t - T) = 0.
std::string delayed_oscillator(const std::string& analysis) {
  return "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}}\n"
         "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
         "signals:\n  x: {of: joints.rail.coordinates}\n  v: {of: joints.rail.rates}\n"
         "  late: {type: delay, input: x, time: 0.1}\n  force: \"=-50*x - v - 20*late\"\n"
         "joints: {rail: {type: prismatic, connects: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0], motor: force}}\n"
         "analysis: " +
         analysis + "\n";
}
Complex characteristic(Complex s, Complex delayed) { return 2.0 * s * s + s + 50.0 + 20.0 * delayed; }

class ByOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, ByOrder, testing::Values(1, 2, 3, 4, 5));

TEST_P(ByOrder, ModesAreThePolesWithTheSameApproximant) {
  const int m = GetParam();
  const Rested mass(delayed_oscillator("{type: modal, pade: " + std::to_string(m) + "}"));
  model::Problems problems;
  const ModalResult found =
      run_modal(*mass.system, *mass.deck.analyses.front().as<ModalSettings>(), mass.q, "analysis", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().message;
  int poles = 0;
  for (const Mode& mode : found.modes) {
    const Complex s = mode.lambda;
    const Complex P = pade_polynomial(m, s * dead_time);
    const Complex Q = pade_polynomial(m, -s * dead_time);
    const double size = (2.0 * std::norm(s) + std::abs(s) + 50.0) * std::abs(P) + 20 * std::abs(Q);
    EXPECT_LE(std::abs((2.0 * s * s + s + 50.0) * P + 20.0 * Q), 1e-9 * size) << s;
    poles += s.imag() > 0 ? 2 : 1;
  }
  EXPECT_EQ(poles, 2 + m);
}

// The pole that grows, by Newton's method on the transcendental equation; what an approximant is off moves it by that
// over the slope of the equation.
TEST_P(ByOrder, ModesAreNearTheTruePoles) {
  const int m = GetParam();
  const Complex pole(0.21271710781380, 5.77524364973299);
  ASSERT_LE(std::abs(characteristic(pole, std::exp(-pole * dead_time))), 1e-11);
  const Rested mass(delayed_oscillator("{type: static}"));
  model::Problems problems;
  ModalSettings settings;
  settings.pade = m;
  const ModalResult found = run_modal(*mass.system, settings, mass.q, "analysis", problems);
  double nearest = HUGE_VAL;
  for (const Mode& mode : found.modes) nearest = std::min(nearest, std::abs(mode.lambda - pole));
  const double slope = std::abs(4.0 * pole + 1.0 - 20 * dead_time * std::exp(-pole * dead_time));
  const double error = 20 * leading_error(m, std::abs(pole) * dead_time) / slope;
  EXPECT_LE(nearest, 1.2 * error + 1e-12);
  EXPECT_GE(nearest, 0.8 * error - 1e-12);
}

// The loop cut at the force: what comes back is the plant, with the delay behind it.
TEST_P(ByOrder, TheOpenLoopHasThePhaseOfTheDelay) {
  const int m = GetParam();
  const Rested mass(delayed_oscillator("{type: static}"));
  model::Problems problems;
  const std::vector<std::string> open{"signals.force"};
  const PreparedLoops loops(*mass.system, open, m, mass.q, "analysis", problems);
  ASSERT_TRUE(loops.system);
  const auto made = make_linear_model(
      *loops.system,
      {.inputs = open, .outputs = {"signals.late", "signals.x"}, .open = open, .modes = {}, .rotation = {}}, loops.q,
      "analysis", problems);
  ASSERT_TRUE(made) << problems.front().message;
  ASSERT_EQ(made->a.rows(), 2 + m);  // states of approximants behind those of the motion
  for (const double omega : {0.5, 3.0, 8.0}) {
    const Complex s(0, omega);
    const Eigen::MatrixXcd P = s * Eigen::MatrixXcd::Identity(made->a.rows(), made->a.rows()) - made->a;
    const Eigen::VectorXcd x = P.partialPivLu().solve(made->b.cast<Complex>().eval()).col(0);
    const Eigen::VectorXcd y = made->c.cast<Complex>() * x + made->d.cast<Complex>().col(0);
    const Complex through = y[0] / y[1];
    EXPECT_NEAR(std::abs(through), 1, 1e-9);
    EXPECT_LE(std::abs(through - pade_polynomial(m, -s * dead_time) / pade_polynomial(m, s * dead_time)), 1e-9);
    const double error = leading_error(m, omega * dead_time);
    EXPECT_LE(std::abs(through - std::exp(-s * dead_time)), 1.1 * error + 1e-9);
    EXPECT_NEAR(std::abs(y[1]), 1 / (2 * omega * omega), 1e-9 / (omega * omega));
  }
}

// Moments of the equilibrium are those of the input itself, whatever the delay gave before the start.
const std::string late_torque = "  torque: {type: delay, input: \"=60*error\", time: 0.05, initial: 3}\n";

TEST(ControlledRests, ADelayAtRestIsItsInput) {
  const Rested rod(held_by(late_torque, "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  const double angle = rod.signal("angle");
  EXPECT_NEAR(60 * (0.5 - angle) + weight_moment * std::cos(angle), 0, 1e-9);
  EXPECT_NEAR(rod.signal("torque"), 60 * (0.5 - angle), 1e-12);
  EXPECT_EQ(rod.keeper.states.back().signals.values, rod.q.signals.values);
}

// From there on it remembers the rest: nothing jumps a dead time later.
TEST(ControlledRests, AMotionFromRestStaysThere) {
  for (const std::string& torque :
       {late_torque,
        std::string("  seen: {type: sample_hold, input: angle, period: 0.03}\n"
                    "  torque: \"=60*(0.5 - seen) - 8*rate\"\n"),
        std::string("  torque: {type: state_space, inputs: [error, rate], A: [[1]], B: [[0.8, 0]], C: [[1]], "
                    "D: [[60, -8]], period: 0.02}\n")}) {
    Rested rod(held_by("  rate: {of: joints.hinge.rates}\n" + torque, "{type: transient, duration: 0.2, step: 0.01}"));
    ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
    const double angle = rod.signal("angle");
    support::Looker looker;
    const TransientResult moved =
        run_transient(*rod.system, *rod.deck.analyses.front().as<TransientSettings>(), rod.q, 0, looker, rod.problems);
    ASSERT_EQ(moved.end, TransientResult::End::done);
    EXPECT_EQ(looker.times.size(), 21U);  // no step ends where something jumps out of a delay
    EXPECT_NEAR(rod.signal("angle"), angle, 1e-10) << torque;
    EXPECT_LE(rod.q.v[1].norm(), 1e-9) << torque;
  }
}

TEST(ControlledRests, AHoldIsItsInput) {
  const Rested rod(held_by("  seen: {type: sample_hold, input: angle, period: 0.1}\n  torque: \"=60*(0.5 - seen)\"\n",
                           "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done) << rod.result.failure;
  const double angle = rod.signal("angle");
  EXPECT_NEAR(60 * (0.5 - angle) + weight_moment * std::cos(angle), 0, 1e-9);
  EXPECT_NEAR(rod.signal("seen"), angle, 1e-12);
}

// x = A x + B u of a filter and of a sum: 1 - A is regular for the one alone.
TEST(ControlledRests, SampledControllersRest) {
  const Rested filtered(
      held_by("  torque: {type: state_space, inputs: [error], A: [[0.5, 0.1], [0, 0.2]], B: [[3], [16]], C: [[5, 1]], "
              "D: [[2]], period: 0.01}\n",
              "{type: static}"));
  ASSERT_EQ(filtered.result.end, StaticResult::End::done) << filtered.result.failure;
  // z_2 = 20 e, z_1 = (3 e + 0.1 z_2) / 0.5 = 10 e; y = 72 e
  const double error = filtered.signal("error");
  EXPECT_NEAR(72 * error + weight_moment * std::cos(0.5 - error), 0, 1e-8);
  EXPECT_NEAR(filtered.q.signals.held[1], 10 * error, 1e-8);
  EXPECT_NEAR(filtered.q.signals.held[2], 20 * error, 1e-8);
  EXPECT_NEAR(filtered.signal("torque"), 72 * error, 1e-8);

  const Rested summed(held_by(
      "  torque: {type: state_space, inputs: [error], A: [[1]], B: [[0.4]], C: [[1]], D: [[60]], period: 0.01}\n",
      "{type: static}"));
  ASSERT_EQ(summed.result.end, StaticResult::End::done) << summed.result.failure;
  EXPECT_NEAR(summed.signal("angle"), 0.5, 1e-10);
  EXPECT_NEAR(summed.signal("torque"), holding, 1e-8);
}

TEST(ControlledRests, ASumThatGoesOnIsNamed) {
  const Rested rod(support::held_by_spring_and(
      "  torque: {type: state_space, inputs: [\"=0.3 + 0*angle\"], A: [[1]], B: [[1]], C: [[1]], period: 0.1}\n",
      "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::failed);
  EXPECT_NE(rod.result.failure.find("signals.torque finds no rest"), std::string::npos) << rod.result.failure;
}

// What rests is an equilibrium to linear models, too: samples are held there, delays rest.
TEST(ControlledRests, LinearModelsTakeTheRest) {
  for (const std::string& torque :
       {late_torque, std::string("  torque: {type: sample_hold, input: \"=60*error\", period: 0.1}\n")}) {
    const Rested rod(held_by(torque, "{type: static}"));
    model::Problems problems;
    const ModalResult found = run_modal(*rod.system, {}, rod.q, "analysis", problems);
    EXPECT_EQ(found.end, ModalResult::End::done) << problems.front().message;
  }
}

// x is what it was: any number is a rest.
TEST(ControlledRests, ALoopThatGivesBackWhatItGetsIsNamed) {
  const Rested rod(held_by("  torque: \"=60*error\"\n", "{type: static}"));
  const io::Deck deck = support::deck_of(held_by(
      "  torque: \"=60*error\"\n  echo: \"=late\"\n  late: {type: delay, input: echo, time: 0.1}\n", "{type: modal}"));
  model::Problems problems;
  const auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system);
  model::State q = rod.q;
  system->signals().start(q);
  const ModalResult found = run_modal(*system, {}, q, "analysis", problems);
  EXPECT_EQ(found.end, ModalResult::End::invalid);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems.front().message.find("through delays"), std::string::npos) << problems.front().message;
}

}  // namespace
}  // namespace polhode::analyses
