// SPDX-License-Identifier: BSD-3-Clause
// The free rigid body and the flyball governor against solutions of high accuracy.
//
// The bounds follow from the order: with x_h = x + c h^2 + O(h^3), the values at h and h/2 extrapolate to x, and what
// is left is of higher order: less than the change of the extrapolated value from one pair of steps to the next.
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

struct Published {
  double time;
  std::vector<double> value;
  double digits;  // half of the last digit given
};

// Steps h, h/2, h/4: errors fall with order 2, and their extrapolation meets the published value.
void expect_limit(const std::string& deck, const std::string& what, const std::string& name, double h, double interval,
                  const std::vector<Published>& published) {
  const std::vector<double> steps{h, h / 2, h / 4};
  std::vector<Series> series;
  for (const double step : steps)
    series.push_back(run(deck, {set_step(step), set_duration(published.back().time)}, {name}, interval)[0]);
  for (const Published& p : published) {
    const auto row = static_cast<Eigen::Index>(std::lround(p.time / interval));
    const Eigen::Map<const Eigen::RowVectorXd> exact(p.value.data(), static_cast<Eigen::Index>(p.value.size()));
    std::vector<Eigen::RowVectorXd> found;
    std::vector<double> errors;
    for (const Series& one : series) {
      found.push_back(one.row(row).head(exact.size()));
      errors.push_back((found.back() - exact).norm());
    }
    const Eigen::RowVectorXd coarse = (4 * found[1] - found[0]) / 3;
    const Eigen::RowVectorXd fine = (4 * found[2] - found[1]) / 3;
    const std::string at = what + " at " + std::to_string(p.time).substr(0, 4) + " s";
    expect_order(deck, "lie_alpha: order (errors) of " + at, steps, errors, 1.9, 2.1);
    expect_at_most(deck, "lie_alpha: distance of the extrapolated " + at + " from the published value",
                   (fine - exact).norm(), (fine - coarse).norm() + 2 * p.digits);
  }
}

TEST(FreeRigidBody, FlipsAsEulersEquationsSay) {
  expect_limit("free_rigid_body", "Omega [rad/s]", "nodes.body.angular_velocity", 0.01, 0.1,
               {{5, {-1.08357528613, 1.68106055789, 0.62565576284}, 5e-12},
                {10, {-0.04104996797, -1.99960368577, 0.02506724204}, 5e-12}});
}

TEST(FreeRigidBody, KeepsEnergyAndMomentOfMomentumToTheOrderOfTheMethod) {
  std::vector<double> steps{0.02, 0.01, 0.005};
  std::vector<double> energy;
  std::vector<double> moment;
  for (const double h : steps) {
    const Histories body = run("free_rigid_body", {set_step(h)}, {"energy.total", "nodes.body.angular_velocity"}, 0.1);
    energy.push_back((body[0].array() - body[0](0, 0)).abs().maxCoeff());
    const Eigen::VectorXd L = (body[1] * Eigen::Vector3d(1, 2, 3).asDiagonal()).rowwise().norm();
    moment.push_back((L.array() - L[0]).abs().maxCoeff());
  }
  expect_at_most("free_rigid_body", "largest change of the energy at h = 0.005 [J]", energy[2], energy[1] / 3.5);
  expect_at_most("free_rigid_body", "largest change of |J Omega| at h = 0.005 [N m s]", moment[2], moment[1] / 3.5);
}

TEST(FlyballGovernor, ThrowsItsSliderAsInMinimalCoordinates) {
  expect_limit("flyball_governor", "height of the slider [m]", "nodes.slider.position.z", 0.005, 0.1,
               {{0.1, {0.5238364756}, 5e-11},
                {0.5, {0.7432494248}, 5e-11},
                {1, {0.5014209224}, 5e-11},
                {5, {0.5355631037}, 5e-11},
                {10, {0.6196229171}, 5e-11}});
}

}  // namespace
}  // namespace polhode::verification
