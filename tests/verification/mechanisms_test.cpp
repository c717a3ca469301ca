// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms of rigid bodies from the IFToMM library of benchmark problems, against solutions on one degree of freedom.
//
// The bounds follow from the order: with x_h = x + c h^2, the error of x_{h/2} is a third of |x_h - x_{h/2}|.
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

struct Reference {
  // as the deck's responses name it
  std::string what;
  std::string name;
  double factor;                                           // of the history, for what is compared
  std::vector<std::pair<double, std::vector<double>>> at;  // time and value
};

void expect_second_order(const std::string& model, const std::string& deck, double h, double interval, double duration,
                         const std::vector<Reference>& references) {
  std::vector<std::string> names;
  for (const Reference& reference : references) names.push_back(reference.name);
  const std::vector<double> steps{h, h / 2, h / 4};
  std::vector<Histories> runs;
  for (const double step : steps) runs.push_back(run(deck, {set_step(step), set_duration(duration)}, names, interval));
  for (std::size_t i = 0; i < references.size(); ++i)
    for (const auto& [time, value] : references[i].at) {
      const auto row = static_cast<Eigen::Index>(std::lround(time / interval));
      const Eigen::Map<const Eigen::RowVectorXd> exact(value.data(), static_cast<Eigen::Index>(value.size()));
      std::vector<Eigen::RowVectorXd> found;
      std::vector<double> errors;
      for (const Histories& one : runs) {
        found.push_back(references[i].factor * one[i].row(row).head(exact.size()));
        errors.push_back((found.back() - exact).norm());
      }
      const std::string what = references[i].what + " at " + std::to_string(time).substr(0, time < 10 ? 3 : 2) + " s";
      expect_order(model, "lie_alpha: order (errors) of " + what, steps, errors, 1.9, 2.1);
      expect_at_most(model, "lie_alpha: error of " + what + " at the smallest step, over what order 2 says",
                     errors[2] / ((found[1] - found[2]).norm() / 3), 1.1);
    }
}

TEST(Pendulum, FollowsTheEllipticFunctions) {
  expect_second_order(
      "pendulum", "pendulum", 0.005, 1, 10,
      {{"x [m]",
        "nodes.mass.position",
        1,
        {{1, {0.9862917511318753, -0.1650108531255412}}, {10, {-0.2750874625761169, -0.9614192050991251}}}}});
}

TEST(SpatialSliderCrank, FollowsItsOneDegreeOfFreedom) {
  expect_second_order(
      "spatial slider-crank", "spatial_slider_crank", 0.002, 0.5, 5,
      {{"slider [m]",
        "nodes.slider.position.x",
        1,
        {{0.5, {0.185016701708}}, {1, {0.208308704612}}, {2, {0.290031918809}}, {5, {0.222544167609}}}},
       {"crank speed [rad/s]", "nodes.crank.angular_velocity.x", 1, {{1, {10.46410477398}}, {5, {10.55646789104}}}}});
}

// Through the positions where all links are in line, and the constraints lose rank. B0 is twice as far as the left
// node.
TEST(TwoFourBars, GoThroughTheirSingularPositions) {
  expect_second_order("two four-bars", "n_four_bar", 0.01, 1, 10,
                      {{"B0 [m]",
                        "nodes.left.position",
                        2,
                        {{1, {-0.195020301950, -0.980799205662}},
                         {5, {-0.811310461002, -0.584615545354}},
                         {10, {0.328458111533, 0.944518538181}}}}});
  const Series left = run("n_four_bar", {set_step(0.005)}, {"nodes.left.position"}, 0.005)[0];
  int flat = 0;
  for (Eigen::Index i = 1; i < left.rows(); ++i) flat += left(i - 1, 1) * left(i, 1) < 0;
  expect_between("two four-bars", "lie_alpha: singular positions passed in 10 s", flat, 10, 10, 0);
}

}  // namespace
}  // namespace polhode::verification
