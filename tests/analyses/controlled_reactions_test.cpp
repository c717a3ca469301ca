// SPDX-License-Identifier: BSD-3-Clause
// Machines whose motors follow their own reactions and accelerations: equilibrium and small motions, against the
// equations of the machine of support/rested.hpp,
//   2.2 phi'' = 19.62 cos phi + torque,   F = 2 (9.81 + z''),   z = -sin phi.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "support/rested.hpp"

namespace polhode::analyses {
namespace {

using Complex = std::complex<double>;
using support::deck_of;
using support::held_by;
using support::Rested;
using support::weight_moment;

constexpr double tau = 0.05;     // s, of the filter
constexpr double cosine = -0.4;  // at rest, where the motor gives 0.4 F

const std::string cell =
    "  load: {of: joints.hinge.force.z}\n  cell: {type: low_pass, input: load, time_constant: 0.05}\n"
    "  rate: {of: joints.hinge.rates}\n";

// 2.2 s^2 + 3 s + K - 0.4 Y/phi, with Y the filtered change of F, -2 cos phi s^2 phi.
Complex characteristic(Complex s, double stiffness) {
  return (2.2 + 0.8 * cosine / (1.0 + tau * s)) * s * s + 3.0 * s + stiffness;
}

double angle_of(const Rested& rod) { return std::atan2(-rod.q.x[1].z(), rod.q.x[1].x()); }

TEST(ControlledReactions, FindTheirEquilibrium) {
  const std::string late = "  load: {of: joints.hinge.force.z}\n  rate: {of: joints.hinge.rates}\n  cell: ";
  for (const std::string& signals : {cell, late + "{type: delay, input: load, time: 0.03}\n",
                                     late + "{type: sample_hold, input: load, period: 0.1}\n"}) {
    const Rested rod(held_by(signals + "  torque: \"=0.4*cell - 3*rate\"\n", "{type: static}"));
    ASSERT_EQ(rod.result.end, StaticResult::End::done) << signals;
    EXPECT_NEAR(std::cos(angle_of(rod)), cosine, 1e-10) << signals;
    EXPECT_NEAR(rod.signal("cell"), weight_moment, 1e-8) << signals;
  }
}

TEST(ControlledReactions, AccelerationsAreZeroAtRest) {
  const Rested rod(
      held_by("  a: {of: nodes.rod.acceleration.x}\n  slow: {type: low_pass, input: a, time_constant: 0.05}\n"
              "  torque: \"=60*error + 0.3*slow\"\n",
              "{type: static}"));
  ASSERT_EQ(rod.result.end, StaticResult::End::done);
  EXPECT_EQ(rod.signal("slow"), 0);
  EXPECT_NEAR(weight_moment * std::cos(angle_of(rod)) + 60 * (0.5 - angle_of(rod)), 0, 1e-9);
}

TEST(ControlledReactions, HaveTheModesOfTheClosedLoop) {
  const Rested rod(held_by(cell + "  torque: \"=0.4*cell - 3*rate\"\n", "{type: static}"));
  model::Problems problems;
  const ModalResult found = run_modal(*rod.system, {}, rod.q, "analysis", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().message;
  const double stiffness = weight_moment * std::sqrt(1 - cosine * cosine);
  int poles = 0;
  for (const Mode& mode : found.modes) {
    const Complex s = mode.lambda;
    EXPECT_LE(std::abs(characteristic(s, stiffness)), 1e-8 * (2.2 * std::norm(s) + stiffness)) << s;
    poles += s.imag() > 0 ? 2 : 1;
  }
  EXPECT_EQ(poles, 3);
}

// An accelerometer passed back is a mass that is added: 2.2 - 0.3 (-sin phi) where the filter is slow to follow.
TEST(ControlledReactions, AccelerationsAddMassToModes) {
  const Rested rod(
      held_by("  rate: {of: joints.hinge.rates}\n  a: {of: nodes.rod.acceleration.x}\n"
              "  slow: {type: low_pass, input: a, time_constant: 0.05}\n"
              "  torque: \"=60*error - 3*rate + 0.3*slow\"\n",
              "{type: static}"));
  model::Problems problems;
  const ModalResult found = run_modal(*rod.system, {}, rod.q, "analysis", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().message;
  const double phi = angle_of(rod);
  for (const Mode& mode : found.modes) {
    const Complex s = mode.lambda;
    const Complex left =
        (2.2 + 0.3 * std::sin(phi) / (1.0 + tau * s)) * s * s + 3.0 * s + weight_moment * std::sin(phi) + 60.0;
    EXPECT_LE(std::abs(left), 1e-8 * (2.2 * std::norm(s) + 80)) << s;
  }
}

// From what is added to the cell's value, which turns the rod at once and so is in F, to the cell and to a filtered
// energy: the weight's, which changes by -19.62 cos phi.
TEST(ControlledReactions, HaveTheTransferFunctionsOfTheClosedLoop) {
  const Rested rod(held_by(cell + "  torque: \"=0.4*cell - 3*rate\"\n  height: {of: energy.gravity}\n"
                                  "  slow: {type: low_pass, input: height, time_constant: 0.05}\n",
                           "{type: static}"));
  model::Problems problems;
  const auto made = make_linear_model(*rod.system,
                                      {.inputs = {"signals.cell"},
                                       .outputs = {"signals.cell", "signals.slow", "signals.load"},
                                       .open = {},
                                       .modes = {},
                                       .rotation = {}},
                                      rod.q, "analysis", problems);
  ASSERT_TRUE(made) << problems.front().message;
  const double stiffness = weight_moment * std::sqrt(1 - cosine * cosine);
  for (const double omega : {0.5, 3.0, 30.0}) {
    const Complex s(0, omega);
    const Eigen::MatrixXcd P = s * Eigen::MatrixXcd::Identity(made->a.rows(), made->a.rows()) - made->a;
    const Eigen::VectorXcd x = P.partialPivLu().solve(made->b.cast<Complex>().eval()).col(0);
    const Eigen::VectorXcd y = made->c.cast<Complex>() * x + made->d.cast<Complex>().col(0);
    const Complex phi = 0.4 / characteristic(s, stiffness);
    const Complex load = -2 * cosine * s * s * phi;
    EXPECT_LE(std::abs(y[0] - (1.0 + load / (1.0 + tau * s))), 1e-7) << omega;
    EXPECT_LE(std::abs(y[1] + weight_moment * cosine * phi / (1.0 + tau * s)), 1e-7) << omega;
    EXPECT_LE(std::abs(y[2] - load), 1e-7 * (1 + std::abs(load))) << omega;
  }
}

// Of sum_j (2 m - 1 - j)! n!/((2 m - 1)! j! (n - j)!) x^j: numerator (n = m - 1, at -x) and denominator (n = m) of the
// approximant of exp(-x) that passes nothing on at once (Padé 1892).
Complex lagging_polynomial(int m, int n, Complex x) {
  const auto factorial = [](int of) { return std::tgamma(of + 1.0); };
  Complex sum = 0;
  for (int j = 0; j <= n; ++j)
    sum += factorial(2 * m - 1 - j) * factorial(n) / (factorial(2 * m - 1) * factorial(j) * factorial(n - j)) *
           std::pow(x, j);
  return sum;
}

// A dead time in the place of the filter.
TEST(ControlledReactions, BehindDelaysHaveTheModesOfAnApproximantThatLags) {
  constexpr double dead_time = 0.03;  // s
  const Rested rod(
      held_by("  load: {of: joints.hinge.force.z}\n  cell: {type: delay, input: load, time: 0.03}\n"
              "  rate: {of: joints.hinge.rates}\n  torque: \"=0.4*cell - 3*rate\"\n",
              "{type: static}"));
  const double stiffness = weight_moment * std::sqrt(1 - cosine * cosine);
  for (int m = 1; m <= 10; ++m) {
    model::Problems problems;
    ModalSettings settings;
    settings.pade = m;
    const ModalResult found = run_modal(*rod.system, settings, rod.q, "analysis", problems);
    ASSERT_TRUE(problems.empty()) << problems.front().message;
    int poles = 0;
    for (const Mode& mode : found.modes) {
      const Complex s = mode.lambda;
      const Complex N = lagging_polynomial(m, m - 1, -s * dead_time);
      const Complex D = lagging_polynomial(m, m, s * dead_time);
      const double size = (2.2 * std::norm(s) + 3 * std::abs(s) + stiffness) * std::abs(D) + std::norm(s) * std::abs(N);
      EXPECT_LE(std::abs((2.2 * s * s + 3.0 * s + stiffness) * D + 0.8 * cosine * s * s * N), 1e-8 * size) << m << s;
      poles += s.imag() > 0 ? 2 : 1;
    }
    EXPECT_EQ(poles, m + 2);
  }
}

}  // namespace
}  // namespace polhode::analyses
