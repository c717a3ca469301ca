// SPDX-License-Identifier: BSD-3-Clause
// Warnings of energy that nothing gave or took: of none of the models that are merely hard to count.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

// 2 kg at 1 m/s, 1 J, against a damper of 2000 N s/m: it stops within a thousandth of a second, and the trapezoidal
// rule would have the damper do 10 J and more in steps of 0.01 s.
Transient stopped_mass(const std::string& method, const std::string& damping) {
  return Transient(deck_of(
      "format: polhode-deck/1\n"
      "nodes: {mass: {position: [1, 0, 0], velocity: [1, 0, 0]}}\n"
      "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
      "forces: {damper: {type: spring_damper, connects: [ground, mass], at: [[0, 0, 0], [1, 0, 0]], "
      "stiffness: 0, damping: " +
      damping + "}}\nanalysis: {type: transient, duration: 1, step: 0.01, integrator: {method: " + method + "}}\n"));
}

TEST(EnergyWarnings, ADamperThatStopsAMassAtOnceGivesItNoEnergy) {
  for (const char* method : {"lie_alpha", "ul_rotation_vector"})
    for (const char* damping : {"2000", "200000", "200", "20"}) {
      const Transient run = stopped_mass(method, damping);
      EXPECT_TRUE(run.problems.empty());
      EXPECT_EQ(run.result.end, TransientResult::End::done);
      EXPECT_TRUE(run.looker.warnings.empty()) << method << " " << damping;
    }
}

// Of 20 N s/m the steps show all that it does.
TEST(EnergyWarnings, ABalanceThatDampersMakeUncertainIsANotice) {
  for (const auto& [damping, expected] : {std::pair("2000", true), std::pair("20", false)}) {
    const Transient run = stopped_mass("lie_alpha", damping);
    const auto& notices = run.result.notices;
    EXPECT_EQ(std::any_of(notices.begin(), notices.end(),
                          [](const std::string& line) { return line.starts_with("the balance of energy is off by "); }),
              expected)
        << damping;
  }
}

// A pendulum in steps that are too long gains energy; the height of its pin is in the energy of gravity, not in what
// counts.
TEST(EnergyWarnings, WhatIsGainedIsNamedAtAnyHeightOfTheOrigin) {
  for (const char* height : {"0", "1000", "-1000"}) {
    const std::string z = height;
    const Transient run(
        deck_of("format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
                "nodes: {bob: {position: [1, 0, " +
                z +
                "]}}\n"
                "bodies: {bob: {type: rigid_body, node: bob, mass: 1, inertia: [0.02, 0.01, 0.015]}}\n"
                "joints: {pin: {type: spherical, connects: [ground, bob], at: [0, 0, " +
                z +
                "]}}\n"
                "analysis: {type: transient, duration: 2, step: 0.08, integrator: {method: ul_crv, "
                "rho_infinity: 1}}\n"));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    EXPECT_TRUE(std::any_of(run.looker.warnings.begin(), run.looker.warnings.end(), [](const std::string& line) {
      return line.starts_with("the model has gained energy that nothing gave it");
    })) << z;
  }
}

// A wheel off its axis that a drive alone turns: its motion is exact in steps of any length.
Transient driven_wheel(const std::string& drive, const std::string& step, const std::string& method) {
  return Transient(deck_of(
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
      "nodes: {wheel: {position: [0.3, 0, 0]}}\n"
      "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
      "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 1, 0], rotation: \"=" +
      drive + "\"}}\nanalysis: {type: transient, duration: 5, step: " + step + ", integrator: {method: " + method +
      "}}\n"));
}

TEST(EnergyWarnings, OfAMechanismThatDrivesAloneMoveTheWorkIsANotice) {
  for (const char* step : {"0.3125", "0.3571428571428571"}) {
    const Transient run = driven_wheel("1.5*(1 - cos(2.3*t))", step, "rosenbrock_w2");
    EXPECT_TRUE(run.problems.empty()) << step;
    EXPECT_EQ(run.result.end, TransientResult::End::done) << step;
    for (const std::string& warning : run.looker.warnings) ADD_FAILURE() << step << ": " << warning;
    EXPECT_TRUE(std::any_of(run.result.notices.begin(), run.result.notices.end(), [](const std::string& line) {
      return line.starts_with("drives alone move the model: ");
    })) << step;
  }
}

// The turnover is some 20 J, to each of whose steps the tolerance applies.
TEST(EnergyWarnings, WorkOfDrivesAloneIsRightUnderControl) {
  for (const char* method : {"rosenbrock4", "rosenbrock_w2"})
    for (const char* drive : {"1.5*(1 - cos(3*t))", "1.5*(1 - cos(2.3*t))"}) {
      const Transient run = driven_wheel(drive, "{tolerance: 1.0e-3}", method);
      EXPECT_EQ(run.result.end, TransientResult::End::done) << method << " " << drive;
      for (const std::string& notice : run.result.notices) ADD_FAILURE() << method << ": " << notice;
      const double end = run.machine.system.energies(run.q).total();
      EXPECT_NEAR(run.result.progress.external_work, end, 0.05) << method << " " << drive;
    }
}

// Drives that turn by more than the smallest jump in a billionth of the run.
TEST(EnergyWarnings, AFastShaftWhoseDriveHasABreakpointDoesNotJump) {
  const Transient run(
      deck_of("format: polhode-deck/1\n"
              "nodes: {wheel: {position: [0, 0, 0], angular_velocity: [0, 0, 600]}}\n"
              "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [1, 1, 1]}}\n"
              "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], "
              "rotation: \"=t < 0.505 ? 600*t : 600*t + (t - 0.505)^3\"}}\n"
              "analysis: {type: transient, duration: 1, step: 0.01, integrator: {method: ul_rotation_vector}}\n"));
  EXPECT_TRUE(run.problems.empty());
  for (const std::string& warning : run.looker.warnings) ADD_FAILURE() << warning;
}

TEST(EnergyWarnings, AFastShaftThatJumpsByAMillionthOfATurnMoreIsNamed) {
  const Transient run(
      deck_of("format: polhode-deck/1\n"
              "nodes: {wheel: {position: [0, 0, 0], angular_velocity: [0, 0, 600]}}\n"
              "bodies: {wheel: {type: rigid_body, node: wheel, mass: 1, inertia: [1, 1, 1]}}\n"
              "joints: {hinge: {type: revolute, connects: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], "
              "rotation: \"=t < 0.505 ? 600*t : 600*t + 0.001\"}}\n"
              "analysis: {type: transient, duration: 1, step: 0.01, integrator: {method: ul_rotation_vector}}\n"));
  ASSERT_FALSE(run.looker.warnings.empty());
  EXPECT_EQ(run.looker.warnings[0].find("the drive of joints.hinge [rotation] jumps by 0.001 rad at t = 0.505 s"), 0u)
      << run.looker.warnings[0];
}

}  // namespace
}  // namespace polhode::support
