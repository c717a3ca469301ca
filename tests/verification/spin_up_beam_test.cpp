// SPDX-License-Identifier: BSD-3-Clause
// Spin-up of a flexible beam against a discretization of another kind (reference/spin_up_beam.py), and its steady
// radius.
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::string spin_up_name = "spin-up beam";

// Elements and steps are halved together, both of second order: errors fall by four, and their extrapolation is left
// with terms of higher order, less than it changed by the last halving. The reference is good to 3e-7 m.
TEST(SpinUpBeam, TipGoesWhereAnotherDiscretizationPutsIt) {
  const std::vector<std::pair<double, Eigen::RowVector3d>> reference{
      {5, {4.31530955, 6.73429293, 0}}, {10, {0.11712408, -7.99822533, 0}}, {15, {1.24152938, -7.90318573, 0}}};
  const double h = 0.005;
  const std::vector<double> steps{h, h / 2, h / 4};
  std::vector<Series> tip;
  for (std::size_t i = 0; i < steps.size(); ++i)
    tip.push_back(run("spin_up_beam", {set_step(steps[i]), "beams.arm.elements=" + std::to_string(20 << i)},
                      {"nodes.tip.position"}, 5)[0]);
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const auto& [time, exact] = reference[k];
    const auto row = static_cast<Eigen::Index>(k + 1);
    std::vector<double> errors;
    for (const Series& one : tip) errors.push_back((one.row(row) - exact).norm());
    const Eigen::RowVector3d coarse = (4 * tip[1].row(row) - tip[0].row(row)) / 3;
    const Eigen::RowVector3d fine = (4 * tip[2].row(row) - tip[1].row(row)) / 3;
    const std::string at = "tip at " + std::to_string(static_cast<int>(time)) + " s [m]";
    expect_order(spin_up_name, "lie_alpha: order (errors) of the " + at + ", 20, 40, 80 elements", steps, errors, 1.9,
                 2.1);
    expect_at_most(spin_up_name, "lie_alpha: distance of the extrapolated " + at + " from the other discretization",
                   (fine - exact).norm(), (fine - coarse).norm() + 3e-7);
  }
}

// Turning evenly from the start, straight: m w^2 (x + u) + EA u'' = 0 has the tip at tan(k L)/k, k^2 = m w^2/EA. The
// axial vibration that starts is damped out by the method.
TEST(SpinUpBeam, StretchesToTheExactRadius) {
  const double k = std::sqrt(0.201 * 16 / 5.03e6);
  const Series tip = run("spin_up_beam",
                         {set_duration(2), "joints.motor.rotation=\"=4*t\"",
                          "initial_motion={angular_velocity: [0, 0, 4]}", "analysis.integrator.rho_infinity=0"},
                         {"nodes.tip.position"})[0];
  expect_at_most(spin_up_name, "distance of the tip's radius after 2 s at 4 rad/s from the exact steady one [m]",
                 std::abs(tip.row(0).norm() - std::tan(8 * k) / k), 5e-7);  // its stretch is 1.1e-4
}

}  // namespace
}  // namespace polhode::verification
