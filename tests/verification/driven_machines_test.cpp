// SPDX-License-Identifier: BSD-3-Clause
// Machines that signals drive: a governor and a rotor with pitch control against their equilibria, an induction motor
// against the reference of induction_motor.py.
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification::driven_machines_test {
namespace {

// Of the deck's governor: the torque gives the height of the sleeve, that the angle of the arms, and that the speed.
double speed_at(double torque) {
  const double height = 0.26 - torque / 20 * 0.06;
  const double angle = std::acos((0.5 - height) / 0.4);
  return std::sqrt(9.81 * (1.5 + 4) * std::tan(angle) / (1.5 * (0.02 + 0.2 * std::sin(angle))));
}

// A steady spin is off by the order of the method, in which nothing else is left.
TEST(EngineGovernor, ComesToTheSpeedOfItsEquilibrium) {
  const std::vector<double> steps{0.008, 0.004};
  std::vector<double> errors;
  for (const double h : steps) {
    const Histories run = verification::run("examples/engine_governor", {set_step(h)},
                                            {"signals.speed", "nodes.sleeve.position.z"}, 19.5);
    errors.push_back(std::abs(run[0](run[0].rows() - 1, 0) - speed_at(12)));
    expect_at_most("engine_governor", "height of the sleeve at full load [m]",
                   std::abs(run[1](run[1].rows() - 1, 0) - 0.224), 1e-7);
    expect_at_most("engine_governor", "speed at half load, relative", std::abs(run[0](1, 0) / speed_at(6) - 1),
                   25 * h * h);
  }
  expect_at_most("engine_governor", "as shipped: speed at full load, relative", errors[1] / speed_at(12), 3.5e-4);
  expect_order("engine_governor", "order (errors) of the speed at full load [rad/s]", steps, errors, 1.9, 2.1);
}

// The largest speed is that of radau5 at 10 ms.
TEST(PitchControl, ComesToThePitchOfItsEquilibrium) {
  const std::vector<double> steps{0.01, 0.005};
  std::vector<double> errors;
  for (const double h : steps) {
    const Histories run =
        verification::run("examples/pitch_control", {set_step(h)}, {"signals.speed", "signals.pitch"}, h);
    const Eigen::Index last = run[0].rows() - 1;
    expect_at_most("pitch_control", "pitch in the fresh wind [rad]",
                   std::abs(run[1](last, 0) - (0.25 - std::asin(600 / 3900.0))), 1e-6);
    expect_at_most("pitch_control", "speed in the fresh wind [rad/s]", std::abs(run[0](last, 0) - 6), 1e-6);
    errors.push_back(std::abs(run[0].col(0).maxCoeff() - 6.1121646));
  }
  expect_at_most("pitch_control", "as shipped: largest speed [rad/s]", errors[0], 1e-4);
  expect_order("pitch_control", "order (errors) of the largest speed [rad/s]", steps, errors, 1.8, 2.1);
}

TEST(InductionMotor, StartsAsItsEquationsSay) {
  const std::vector<double> steps{2e-4, 1e-4};
  std::vector<double> errors;
  for (const double h : steps) {
    const Histories run = verification::run("examples/induction_motor", {set_step(h), set_duration(0.1)},
                                            {"signals.speed", "signals.torque", "beams.shaft.forces"}, h);
    const auto middle = static_cast<Eigen::Index>(std::lround(0.05 / h));
    errors.push_back(std::abs(run[0](middle, 0) - 48.66859480608) + std::abs(run[0](2 * middle, 0) - 89.5105203585646));
    if (h == steps.back()) {
      const double torque = run[1].col(0).cwiseAbs().maxCoeff();
      expect_at_most("induction_motor", "largest torque, relative", std::abs(torque / 158.40388475531 - 1), 3e-4);
      const double shaft = run[2].col(3).cwiseAbs().maxCoeff();
      expect_at_most("induction_motor", "largest torque of the shaft, relative", std::abs(shaft / 189.742434122 - 1),
                     3e-4);
    }
  }
  expect_at_most("induction_motor", "as shipped: sum of two errors of the speed [rad/s]", errors[1], 0.07);
  expect_order("induction_motor", "order (errors) of the speed [rad/s]", steps, errors, 1.8, 2.2);
}

}  // namespace
}  // namespace polhode::verification::driven_machines_test
