// SPDX-License-Identifier: BSD-3-Clause
// Modes of controlled machines without their state space: against it where both are there, and by what their equations
// leave where only one is.
#include <gtest/gtest.h>

#include "analyses/modal/eigen.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "support/deck_text.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

using Complex = std::complex<double>;

// A beam of 2 m on a hinge that a PID holds level, and a filter that measures its tip, which a force there follows.
std::string held_beam(int elements, const std::string& analysis) {
  return "format: polhode-deck/1\n"
         "nodes: {hub: {position: [0, 0, 0]}, tip: {position: [2, 0, 0]}}\n"
         "sections:\n  s:\n    stiffness: {EA: 1.0e+6, GAy: 1.0e+6, GAz: 1.0e+6, GJ: 200, EIy: 300, EIz: 500}\n"
         "    mass: {per_length: 1, inertia: [2.0e-3, 1.0e-3, 1.0e-3]}\n    damping: 1.0e-4\n"
         "beams: {arm: {section: s, from: hub, to: tip, orientation: [0, 1, 0], elements: " +
         std::to_string(elements) +
         "}}\n"
         "signals:\n  angle: {of: joints.hinge.coordinates}\n  height: {of: nodes.tip.velocity.z}\n"
         "  torque: {type: pid, input: \"=-angle\", kp: 900, ki: 1500, kd: 60, filter: 0.01}\n"
         "  seen: {type: low_pass, input: height, time_constant: 0.02}\n  lift: \"=-3*seen\"\n"
         "  unused: {type: low_pass, input: angle, time_constant: 1}\n"
         "joints: {hinge: {type: revolute, connects: [ground, hub], at: [0, 0, 0], axis: [0, 1, 0], motor: torque}}\n"
         "forces: {lift: {type: load, node: tip, force: [0, 0, 1], history: \"=lift\"}}\n"
         "analysis: " +
         analysis + "\n";
}

struct LinearMachine {
  explicit LinearMachine(const std::string& text) : deck(support::deck_of(text)) {
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().message);
    made = make_linear_model(*system, {}, system->initial_state(), "analysis", problems);
    if (!made) throw std::runtime_error(problems.front().message);
  }
  io::Deck deck;
  model::Problems problems;
  std::optional<assembly::System> system;
  std::optional<LinearModel> made;
};

TEST(CoupledModes, AreThoseOfTheStateSpace) {
  const LinearMachine arm(held_beam(8, "{type: modal}"));
  const ComplexModes all = state_space_modes(arm.made->linear, arm.made->a, arm.made->z);
  const ComplexModes lowest = coupled_modes(*arm.made, std::nullopt, 8);
  ASSERT_FALSE(lowest.failed);
  ASSERT_GE(lowest.lambda.size(), 8);
  int real = 0;
  for (Eigen::Index i = 0; i < 8; ++i) {
    const Complex lambda = lowest.lambda[i];
    EXPECT_LE(std::abs(lambda - all.lambda[i]), 1e-9 * std::abs(lambda)) << i;
    real += lambda.imag() == 0 || std::abs(lambda.imag()) < 1e-9 * std::abs(lambda);
    Eigen::Index largest = 0;
    lowest.shapes.col(i).cwiseAbs().maxCoeff(&largest);
    const Eigen::VectorXcd shape = lowest.shapes.col(i) / lowest.shapes(largest, i);
    const Eigen::VectorXcd other = all.shapes.col(i) / all.shapes(largest, i);
    EXPECT_LE((shape - other).norm(), 1e-6 * shape.norm()) << i;
  }
  EXPECT_GE(real, 1);  // that of the integral
}

// In a turning frame nodes have velocities of their own displacements.
TEST(CoupledModes, AreThoseOfTheStateSpaceInATurningFrame) {
  const std::string text =
      "format: polhode-deck/1\n"
      "nodes: {a: {position: [1, 0, 0]}, b: {position: [1.5, 0, 0]}}\n"
      "bodies:\n  a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
      "  b: {type: rigid_body, node: b, mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
      "signals:\n  v: {of: nodes.a.velocity.y}\n  w: {of: nodes.b.angular_velocity.z}\n"
      "  seen: {type: low_pass, input: \"=v - 0.2*w\", time_constant: 0.1}\n  push: \"=-2*(seen - 0)\"\n"
      "forces:\n  s: {type: bushing, connects: [ground, a], at: [1, 0, 0], stiffness: [900, 700, 800, 90, 80, 70]}\n"
      "  t: {type: bushing, connects: [a, b], at: [1.2, 0, 0], stiffness: [500, 600, 700, 50, 60, 70]}\n"
      "  lift: {type: load, node: b, force: [0, 1, 0], history: \"=push\"}\n"
      "analysis: {type: modal}\n";
  io::Deck deck = support::deck_of(text);
  model::Problems problems;
  const auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system) << problems.front().path << problems.front().message;
  StaticSettings statics;
  statics.rotation = Rotation{.axis = math::Vec3::UnitZ(), .speed = 3, .about = math::Vec3::Zero()};
  model::State q = system->initial_state();
  support::PathKeeper keeper;
  const StaticResult rested = run_static(*system, statics, false, q, keeper, problems);
  ASSERT_EQ(rested.end, StaticResult::End::done) << rested.failure;
  LinearizeSettings settings;
  settings.rotation = statics.rotation;
  const auto made = make_linear_model(*system, settings, q, "analysis", problems);
  ASSERT_TRUE(made) << problems.front().message;
  const ComplexModes all = state_space_modes(made->linear, made->a, made->z);
  const ComplexModes lowest = coupled_modes(*made, settings.rotation, 4);
  ASSERT_GE(lowest.lambda.size(), 4);
  for (Eigen::Index i = 0; i < 4; ++i)
    EXPECT_LE(std::abs(lowest.lambda[i] - all.lambda[i]), 1e-9 * std::abs(all.lambda[i])) << i;
}

// Springs of 1000 N/m between masses of 1 kg, the last one held by a PID: stiff in all directions but their own.
constexpr int masses = 340;
std::string chain() {
  std::string nodes;
  std::string bodies;
  std::string springs;
  for (int i = 1; i <= masses; ++i) {
    const std::string name = "n" + std::to_string(i);
    const std::string at = std::to_string(i) + "e-2, 0, 0]";
    nodes += "  " + name + ": {position: [" + at + "}\n";
    bodies += "  " + name + ": {type: rigid_body, node: " + name + ", mass: 1, inertia: [1, 1, 1]}\n";
    springs += "  s" + std::to_string(i) + ": {type: bushing, connects: [" +
               (i > 1 ? "n" + std::to_string(i - 1) : "ground") + ", " + name + "], at: [" + at +
               ", stiffness: [1000, 1.0e+7, 1.0e+7, 1.0e+8, 1.0e+8, 1.0e+8]}\n";
  }
  const std::string last = "n" + std::to_string(masses);
  return "format: polhode-deck/1\nnodes:\n" + nodes + "bodies:\n" + bodies + "signals:\n  x: {of: nodes." + last +
         ".position.x}\n  push: {type: pid, input: \"=3.4 - x\", kp: 5, ki: 0.5, kd: 20, filter: 0.2}\nforces:\n" +
         springs + "  push: {type: load, node: " + last +
         ", force: [1, 0, 0], history: \"=push\"}\nanalysis: {type: modal, modes: 8}\n";
}

// Displacements sin(n theta) e^(lambda t), cos theta = 1 + m lambda^2 / (2 k): what the last mass leaves, relative to
// the stiffness of a spring.
Complex last_equation(Complex lambda) {
  const double k = 1000;
  const Complex control = 5.0 + 0.5 / lambda + 20.0 * lambda / (1.0 + 0.2 * lambda);
  const Complex theta = std::acos(1.0 + lambda * lambda / (2 * k));
  const auto u = [&](double n) { return std::sin(n * theta); };
  return ((lambda * lambda + control) * u(masses) + k * (u(masses) - u(masses - 1))) / k;
}

TEST(CoupledModes, OfAChainAreThoseOfItsEquation) {
  const LinearMachine machine(chain());
  // Too many for a state space
  ASSERT_EQ(machine.made->a.size(), 0);
  ASSERT_EQ(machine.made->linear.degrees(), 6 * masses);
  model::Problems problems;
  const ModalResult found = run_modal(*machine.system, {.modes = 8, .band = {}, .rotation = {}},
                                      machine.system->initial_state(), "analysis", problems);
  ASSERT_EQ(found.end, ModalResult::End::done) << found.failure;
  ASSERT_EQ(found.modes.size(), 8U);
  double before = 0;
  for (const Mode& mode : found.modes) {
    const Complex lambda = mode.lambda;
    const Complex step = 1e-5 * lambda;
    const Complex slope = (last_equation(lambda + step) - last_equation(lambda - step)) / (2.0 * step);
    EXPECT_LE(std::abs(last_equation(lambda) / slope), 1e-9 * std::abs(lambda)) << lambda;
    // None is missing: they are as far apart as those of a chain
    if (mode.frequency() > 0 && before > 0) {
      EXPECT_NEAR(6.283 * (mode.frequency() - before), 0.29, 0.15) << lambda;
    }
    before = mode.frequency();
  }
}

}  // namespace
}  // namespace polhode::analyses
