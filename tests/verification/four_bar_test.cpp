// SPDX-License-Identifier: BSD-3-Clause
// Four-bar mechanism with a misaligned hinge of BCA12, section 7.3, against a discrete reference and converged curves.
#include <gtest/gtest.h>

#include "verification/measured.hpp"
#include "verification/reference.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::string four_bar_name = "four-bar";

// Its loop closes to round-off only, and the forces of small steps need it.
const std::string sharp = "analysis.newton.constraint_tolerance=1.0e-12";

TEST(FourBar, MeanSolvesAreThoseOfThePaper) {
  for (const std::string& method : all_methods)
    for (const double duration : {2.0, 10.0})
      expect_between(four_bar_name, method + ": mean Newton solves a step, " + (duration < 5 ? "2 s" : "10 s"),
                     run("four_bar", {set_method(method), set_duration(duration)}, {}).mean_solves(), 2.99, 3.09, 3);
}

TEST(FourBar, AgreesWithTheDiscreteReference) {
  const Table reference("four_bar_h0.02_lie_alpha.csv");
  const Histories bars = run("four_bar", {set_duration(2)},
                             {"nodes.B_ab.position", "nodes.C_bc.position", "joints.motor.force",
                              "joints.motor.moment.z", "joints.hinge_D.coordinates", "joints.motor.coordinates"},
                             0.02);
  ASSERT_EQ(reference.rows() + 1, bars[0].rows());  // the table starts at 0.02 s
  const auto distance = [&](std::size_t history, const std::vector<std::string>& columns) {
    return largest_distance(bars[history].bottomRows(reference.rows()), reference.columns(columns));
  };
  expect_at_most(four_bar_name, "lie_alpha: distance of B from the discrete reference [m]",
                 distance(0, {"Bx", "By", "Bz"}), 1e-7);
  expect_at_most(four_bar_name, "lie_alpha: distance of C from the discrete reference [m]",
                 distance(1, {"Cx", "Cy", "Cz"}), 1e-7);
  expect_at_most(four_bar_name, "lie_alpha: distance of the force at A from the discrete reference [N]",
                 distance(2, {"FAx", "FAy", "FAz"}), 0.1);
  expect_at_most(four_bar_name, "lie_alpha: distance of the motor's torque from the discrete reference [N m]",
                 distance(3, {"MzA"}), 0.1);
  expect_at_most(four_bar_name, "lie_alpha: distance of the angle of CD from the discrete reference [rad]",
                 distance(4, {"angle_D"}), 1e-6);
  expect_at_most(four_bar_name, "lie_alpha: distance of the angle of AB from its law [rad]", distance(5, {"theta_A"}),
                 1e-9);
}

TEST(FourBar, MethodsAgree) {
  const std::vector<std::string> names{"nodes.C_bc.position", "joints.motor.force"};
  const Histories lie = run("four_bar", {}, names, 0.02);
  for (const std::string method : {"ul_crv", "ul_rotation_vector"}) {
    const Histories bars = run("four_bar", {set_method(method)}, names, 0.02);
    expect_at_most(four_bar_name, method + ": distance of C from that of lie_alpha in 10 s [m]",
                   largest_distance(bars[0], lie[0]), 1e-6);
    expect_at_most(four_bar_name, method + ": distance of the force at A from that of lie_alpha in 10 s [N]",
                   largest_distance(bars[1], lie[1]), 1);
  }
}

TEST(FourBar, PositionsAndForcesConvergeWithOrderTwo) {
  const Table converged("four_bar_converged.csv");
  const Series C = converged.columns({"Cx", "Cy", "Cz"});
  const Series force = converged.columns({"FAx", "FAy", "FAz"});
  const std::vector<double> steps{0.01, 0.005, 0.0025, 0.00125};
  for (const std::string& method : all_methods) {
    std::vector<double> errors_C;
    std::vector<double> errors_force;
    for (const double h : steps) {
      const Histories bars = run("four_bar", {set_method(method), set_step(h), set_duration(2), sharp},
                                 {"nodes.C_bc.position", "joints.motor.force"}, 0.02);
      ASSERT_EQ(C.rows() + 1, bars[0].rows());
      errors_C.push_back(largest_distance(bars[0].bottomRows(C.rows()), C));
      errors_force.push_back(largest_distance(bars[1].bottomRows(C.rows()), force));
    }
    expect_order(four_bar_name, method + ": order (errors) of C [m], h = 0.01, 0.005, 0.0025, 0.00125", steps, errors_C,
                 1.9, 2.15);
    expect_order(four_bar_name, method + ": order (errors) of the force at A [N], h = 0.01, 0.005, 0.0025, 0.00125",
                 steps, errors_force, 1.9, 2.15);
  }
}

TEST(FourBar, BarABTurnsAndBarCDSwings) {
  const Histories bars = run(
      "four_bar", {},
      {"joints.motor.coordinates", "joints.hinge_D.coordinates", "nodes.C_bc.position.z", "joints.motor.force"}, 0.02);
  expect_between(four_bar_name, "lie_alpha: angle of AB at 10 s, -5 (10 - 0.25) by its law [rad]",
                 bars[0](bars[0].rows() - 1, 0), -48.7501, -48.7499, 4);
  expect_between(four_bar_name, "lie_alpha: smallest angle of CD in 10 s [rad]", bars[1].minCoeff(), -1.165, -1.155, 4);
  expect_between(four_bar_name, "lie_alpha: largest angle of CD in 10 s [rad]", bars[1].maxCoeff(), 1.305, 1.315, 4);
  const Eigen::VectorXd step = bars[1].bottomRows(bars[1].rows() - 1) - bars[1].topRows(bars[1].rows() - 1);
  const auto turns = (step.head(step.size() - 1).array() * step.tail(step.size() - 1).array() < 0).count();
  expect_between(four_bar_name, "lie_alpha: times that CD turns back in 10 s", static_cast<double>(turns), 10, 20, 0);
  expect_between(four_bar_name, "lie_alpha: C leaves the plane by up to [mm]", 1e3 * bars[2].cwiseAbs().maxCoeff(), 1.5,
                 2.5);
  expect_between(four_bar_name, "lie_alpha: largest force at A [kN]", 1e-3 * bars[3].rowwise().norm().maxCoeff(), 22.5,
                 23.5);
}

}  // namespace
}  // namespace polhode::verification
