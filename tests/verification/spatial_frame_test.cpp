// SPDX-License-Identifier: BSD-3-Clause
// lie_alpha in the spatial frame: the heavy top against its exact motion, and the orders of beams.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::string spatial_frame_name = "spatial frame";
const std::string set_spatial = "analysis.integrator.frame=spatial";
// Of the heavy top at 2 s, by an independent integration
const Eigen::Vector3d exact_end(-0.150416822746, -0.724165591637, -0.673022269560);

// Distance from exact_end, m; solves a step.
std::pair<double, double> heavy_top_error(double h, const std::string& method = "lie_alpha",
                                          std::vector<std::string> more = {}) {
  more.insert(more.end(), {set_method(method), set_spatial, set_step(h)});
  const Histories top = run("heavy_top", more, {"nodes.centre.position"});
  return {(top[0].bottomRows(1).transpose() - exact_end).norm(), top.mean_solves()};
}

// Figures of an independent program.
TEST(SpatialFrame, HeavyTopHasAFifthOfTheErrorAndRunsAtLargeSteps) {
  const std::pair<double, double> known[] = {
      {5e-4, 8.904e-4}, {1e-3, 3.563e-3}, {2e-3, 1.427e-2}, {4e-3, 5.737e-2}, {1e-2, 3.69e-1}};
  for (const auto& [h, error] : known)
    expect_between(spatial_frame_name, fmt::format("heavy top, h = {:g} ms: error of x(2 s) [m]", 1e3 * h),
                   heavy_top_error(h).first, 0.97 * error, 1.03 * error);
}

TEST(SpatialFrame, HeavyTopNeedsTwoOrThreeSolvesAStep) {
  expect_between(spatial_frame_name, "heavy top: solves a step, 1e-8 N", heavy_top_error(2e-3).second, 2.97, 3.03, 2);
  expect_between(spatial_frame_name, "heavy top: solves a step, 1e-6 N",
                 heavy_top_error(2e-3, "lie_alpha", {"analysis.newton.residual_tolerance=1e-6"}).second, 1.97, 2.03, 2);
}

TEST(SpatialFrame, IndexTwoAndThePerturbedStartAreOfOrderTwoInPositionsAndMultipliers) {
  const auto end_of = [](double h, const std::string& method, const std::string& initial) {
    return run(
        "heavy_top",
        {set_method(method), set_spatial, set_step(h), set_duration(0.2), "analysis.integrator.initial=" + initial},
        {"nodes.centre.position", "nodes.centre.rotation", "nodes.centre.angular_velocity", "joints.pivot.multipliers"},
        0.01);
  };
  for (const auto& [method, initial] :
       {std::pair<std::string, std::string>{"lie_alpha_index2", "consistent"}, {"lie_alpha", "perturbed"}}) {
    const Histories finest = end_of(6.25e-5, method, initial);
    const Histories coarse = end_of(1e-3, method, initial);
    const Histories fine = end_of(5e-4, method, initial);
    for (std::size_t k = 0; k < 4; ++k) {
      const double ratio = (coarse[k] - finest[k]).norm() / (fine[k] - finest[k]).norm();
      EXPECT_GT(std::log2(ratio), 1.85) << method << ' ' << k;
      EXPECT_LT(std::log2(ratio), 2.2) << method << ' ' << k;
    }
  }
}

// Distances of three steps from a fine one, at the same mesh.
TEST(SpatialFrame, BeamsKeepTheirOrderAndTheirSolvesAStep) {
  struct Beams {
    std::string deck;
    std::string node;
    double h;
    double duration;
  };
  for (const Beams& one : {Beams{"right_angle_beam", "tip", 0.05, 5}, Beams{"four_bar", "C_bc", 2e-3, 0.5}}) {
    const auto run_of = [&](double h, const std::string& frame) {
      return run(one.deck, {set_step(h), set_duration(one.duration), "analysis.integrator.frame=" + frame},
                 {"nodes." + one.node + ".position"}, one.duration / 10);
    };
    const Histories finest = run_of(one.h / 16, "spatial");
    const Histories coarse = run_of(one.h, "spatial");
    const Histories fine = run_of(one.h / 2, "spatial");
    const double order = std::log2((coarse[0] - finest[0]).norm() / (fine[0] - finest[0]).norm());
    expect_between(spatial_frame_name, one.deck + ": order of positions", order, 1.9, 2.15, 2);
    const Histories body = run_of(one.h, "body");
    expect_at_most(spatial_frame_name, one.deck + ": solves a step above those of the body frame",
                   coarse.mean_solves() - body.mean_solves(), 0.1);
  }
}

}  // namespace
}  // namespace polhode::verification
