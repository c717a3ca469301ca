// SPDX-License-Identifier: BSD-3-Clause
// Machines of inputs/examples: a robot arm against its inverse dynamics, a free boom with fifteen closed loops against
// the laws of momentum and energy, a four-bar with redundant hinges against one without.
//
// The bounds follow from the order: with x_h = x + c h^2, the error of x_{h/2} is a third of |x_h - x_{h/2}|.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polhode/math/so3.hpp"
#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

using math::Vec3;

double largest_change(const Series& history) {
  return (history.rowwise() - history.row(0)).rowwise().norm().maxCoeff();
}

// tests/verification/reference/robot_arm.py prints these moments of the motors.
TEST(RobotArm, MotorMomentsAreThoseOfTheInverseDynamics) {
  const std::vector<std::vector<double>> exact{
      {9.67308548805, -21.098926896, 0.708641901998, 23.4997552407, 1.04668762868, 1.48525997445, -0.0284394958838},
      {6.65368678623, 14.430255858, -22.048607938, 9.01535991085, -0.977327317803, 0.276632705473, 0.115171506203},
      {-14.2713462416, 52.8767241079, -24.6266736843, -8.61318350598, -1.78931430594, 0.281288424354, -0.126875560572},
      {0, 36.8842417662, -16.7606368067, 0.563811136338, -1.4681197206, 0.759179896339, -0.0658130366796}};
  std::vector<std::string> names;
  for (char i = '1'; i <= '7'; ++i) names.push_back(std::string("joints.j") + i + ".axis_torque");
  const std::vector<double> steps{0.005, 0.0025, 0.00125};
  std::vector<Histories> runs;
  for (const double h : steps) runs.push_back(run("examples/robot_arm_driven", {set_step(h)}, names, 0.25));
  for (std::size_t k = 0; k < exact.size(); ++k) {
    std::vector<Eigen::VectorXd> found;
    std::vector<double> errors;
    const Eigen::Map<const Eigen::VectorXd> wanted(exact[k].data(), 7);
    for (const Histories& one : runs) {
      found.emplace_back(7);
      for (std::size_t i = 0; i < 7; ++i)
        found.back()[static_cast<Eigen::Index>(i)] = one[i](static_cast<Eigen::Index>(k) + 1, 0);
      errors.push_back((found.back() - wanted).norm());
    }
    const std::string what =
        "seven moments of the motors at " + std::to_string(0.25 * double(k + 1)).substr(0, 4) + " s";
    expect_order("robot arm", "lie_alpha: order (errors) of the " + what + " [N m]", steps, errors, 1.9, 2.1);
    expect_at_most("robot arm", "lie_alpha: error of the " + what + " at the smallest step, over what order 2 says",
                   errors[2] / ((found[1] - found[2]).norm() / 3), 1.1);
  }
}

TEST(RobotArm, FallsWithItsEnergyUpToTheErrorOfTheMethod) {
  const std::vector<double> steps{0.001, 0.0005, 0.00025};
  std::vector<double> drifts;
  for (const double h : steps)
    drifts.push_back(largest_change(run("examples/robot_arm_falls", {set_step(h)}, {"energy.total"}, h)[0]));
  expect_order("robot arm", "lie_alpha: order (largest drift) of the energy in the fall [J]", steps, drifts, 1.9, 2.1);
  expect_at_most("robot arm", "lie_alpha: largest drift of the energy over the kinetic energy, h = 0.00025 s",
                 drifts[2] / 77.7, 1e-4);
}

struct Carried {
  std::string node;
  double mass;
  Vec3 inertia;
};

std::vector<Carried> bodies_of_the_boom() {
  std::vector<Carried> bodies;
  for (int k = 0; k < 4; ++k)
    bodies.push_back({"P" + std::to_string(k), k ? 10.0 : 40.0, k ? Vec3(0.63, 0.63, 1.25) : Vec3(2.5, 2.5, 5)});
  for (int stage = 1; stage <= 3; ++stage)
    for (int leg = 1; leg <= 6; ++leg) {
      const std::string number = std::to_string(stage) + std::to_string(leg);
      bodies.push_back({"lower" + number, 0.8, Vec3(2e-4, 8e-3, 8e-3)});
      bodies.push_back({"upper" + number, 0.4, Vec3(5e-5, 4e-3, 4e-3)});
    }
  return bodies;
}

// Momentum, and moment of momentum about the origin, one row a stored state; `from` is the first body's place in `run`.
Series momentum_of(const std::vector<Carried>& bodies, const Histories& run, std::size_t from) {
  Series sum = Series::Zero(run[from].rows(), 6);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (Eigen::Index row = 0; row < sum.rows(); ++row) {
      const auto history = [&](std::size_t k) { return run[from + 4 * i + k].row(row); };
      const Vec3 x = history(0).transpose();
      const Vec3 p = bodies[i].mass * history(1).transpose();
      const math::so3::Quaternion turn(history(2)[0], history(2)[1], history(2)[2], history(2)[3]);
      const Vec3 spin = bodies[i].inertia.cwiseProduct(Vec3(history(3).transpose()));
      sum.row(row).head<3>() += p.transpose();
      sum.row(row).tail<3>() += (x.cross(p) + turn * spin).transpose();
    }
  return sum;
}

TEST(BoomOfHexapods, KeepsItsMomentumAndItsEnergy) {
  const std::vector<Carried> bodies = bodies_of_the_boom();
  ASSERT_GE(bodies.size(), 30u);
  std::vector<std::string> names{"energy.total", "energy.external_work"};
  for (const Carried& body : bodies)
    for (const char* what : {"position", "velocity", "rotation", "angular_velocity"})
      names.push_back("nodes." + body.node + "." + what);
  const std::vector<double> steps{0.004, 0.002};
  std::vector<double> turned;
  std::vector<double> lost;
  double pushed = 0;
  for (const double h : steps) {
    const Histories one = run("examples/boom_of_hexapods", {set_step(h), set_duration(0.2)}, names, 0.02);
    const Series momentum = momentum_of(bodies, one, 2);
    pushed = std::max(pushed, largest_change(momentum.leftCols<3>()) / momentum.row(0).head<3>().norm());
    turned.push_back(largest_change(momentum.rightCols<3>()) / momentum.row(0).tail<3>().norm());
    lost.push_back(largest_change(one[0] - one[1]));
  }
  expect_at_most("boom of hexapods", "lie_alpha: largest change of momentum, relative", pushed, 1e-8);
  expect_order("boom of hexapods", "lie_alpha: order (largest change) of the moment of momentum, relative", steps,
               turned, 1.8, 2.2);
  expect_order("boom of hexapods", "lie_alpha: order (largest change) of energy less work of the dampers [J]", steps,
               lost, 1.8, 2.2);
}

TEST(FourParallelHinges, MoveAsAFourBarThatIsNotRedundant) {
  const std::vector<std::string> names{"nodes.coupler.position", "nodes.coupler.velocity", "joints.A.force"};
  const std::string deck = "examples/four_parallel_hinges";
  const Histories hinges = run(deck, {}, names, 0.01);
  const Histories reference = run(deck,
                                  {"constraints.redundant=error", "joints.D.type=cylindrical",
                                   "joints.C={type: spherical, connects: [coupler, rocker], at: [1, 0.4, 0]}"},
                                  names, 0.01);
  const auto distance = [&](std::size_t i, Eigen::Index columns) {
    return largest_change(hinges[i]) > 0.5 ? (hinges[i] - reference[i]).leftCols(columns).cwiseAbs().maxCoeff() : 1e9;
  };
  expect_at_most("four parallel hinges", "distance from the non-redundant four-bar, position [m]", distance(0, 3),
                 1e-10);
  expect_at_most("four parallel hinges", "distance from the non-redundant four-bar, velocity [m/s]", distance(1, 3),
                 1e-8);
  expect_at_most("four parallel hinges", "distance of the force at A in the plane, which is unique [N]", distance(2, 2),
                 1e-5);
}

}  // namespace
}  // namespace polhode::verification
