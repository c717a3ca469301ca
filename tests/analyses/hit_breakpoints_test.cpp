// SPDX-License-Identifier: BSD-3-Clause
// Fixed steps that end on breakpoints of functions of time: orders and exact solutions across jumps and kinks that no
// grid has.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/integrators/catalog.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

// The keys of `integrator` behind `method:`.
std::string hit(const std::string& method) { return method + ", breakpoints: hit"; }

class HitBreakpoints : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, HitBreakpoints,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "rosenbrock4",
                                         "rosenbrock_w2", "radau5", "energy_momentum"),
                         [](const auto& p) { return p.param; });

// Polynomials of degree two that all these methods meet exactly, with a force that starts and ends inside of steps.
TEST_P(HitBreakpoints, AForceThatSwitchesInsideOfStepsIsExact) {
  const double from = 0.1234567;
  const double to = 0.7654321;
  const Transient run(pushed("t > 0.1234567 && t < 0.7654321 ? 6 : 0", "0.05", hit(GetParam())));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  const double speed = 3 * (to - from);
  EXPECT_NEAR(run.q.v[1][0], speed, 1e-9);
  EXPECT_NEAR(run.q.x[1][0], speed * (to - from) / 2 + speed * (1 - to), 1e-9);
  EXPECT_TRUE(run.looker.warnings.empty()) << run.looker.warnings.front();
  const Transient passed(pushed("t > 0.1234567 && t < 0.7654321 ? 6 : 0", "0.05", GetParam()));
  EXPECT_GE(std::abs(passed.q.v[1][0] - speed), 1e-3);
}

// States at the grid, and at each breakpoint once.
TEST_P(HitBreakpoints, TheGridStays) {
  const Transient run(pushed("t < 0.33 ? 1 : t < 0.5 ? 2 : t < 0.50000001 ? 3 : 4", "0.1", hit(GetParam())));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  const std::vector<double> expected{0, 0.1, 0.2, 0.3, 0.33, 0.4, 0.5, 0.50000001, 0.6, 0.7, 0.8, 0.9, 1};
  ASSERT_EQ(run.looker.times.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(run.looker.times[i], expected[i], 1e-13);
  EXPECT_EQ(run.result.progress.steps, 12);
}

// A pendulum that is pushed from t = 0.3 sqrt(2) on.
io::Deck pushed_pendulum(const std::string& method, double h) {
  return deck_of(
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {bob: {position: [1, 0, 0]}}\n"
      "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
      "joints: {pin: {type: spherical, connects: [ground, bob], at: [0, 0, 0]}}\n"
      "forces: {push: {type: load, node: bob, force: [3, 40, 5], history: \"=t < 0.3*sqrt(2) ? 0 : cos(t)\"}}\n"
      "analysis: {type: transient, duration: 1, step: " +
      std::to_string(h) + ", integrator: {method: " + method + "}}\n");
}

TEST_P(HitBreakpoints, TheOrderIsThatOfSmoothForces) {
  const Transient exact(pushed_pendulum(hit("rosenbrock4"), 0.0005));
  const auto error = [&](const io::Deck& deck) {
    const Transient run(deck);
    return (run.q.x[1] - exact.q.x[1]).norm();
  };
  const double coarse = error(pushed_pendulum(hit(GetParam()), 0.01));
  const double fine = error(pushed_pendulum(hit(GetParam()), 0.005));
  EXPECT_GE(std::log2(coarse / fine), 1.85) << coarse << ' ' << fine;
}

io::Deck switched_slide(const std::string& key, const std::string& step, const std::string& integrator) {
  return deck_of(
      "format: polhode-deck/1\nnodes: {slide: {position: [0, 0, 0]}}\n"
      "bodies: {slide: {type: rigid_body, node: slide, mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {type: prismatic, connects: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0], stiffness: 30,\n  " +
      key + ": \"=t < 0.1123 ? 1 : t < 0.4 ? 5 + t : 0\"}}\nanalysis: {type: transient, duration: 0.5, step: " + step +
      ", integrator: {method: " + integrator + "}}\n");
}

// Whether steps end there, and whether a method starts anew behind: a law that the time switches is met as a motor is.
TEST_P(HitBreakpoints, LawsOfTimeHaveTheSameBitsAsMotors) {
  const auto expect_same = [](const std::string& step, const std::string& integrator) {
    const Transient law(switched_slide("force", step, integrator));
    const Transient motor(switched_slide("motor", step, integrator));
    ASSERT_EQ(law.result.end, TransientResult::End::done);
    EXPECT_EQ(law.looker.times, motor.looker.times);
    EXPECT_EQ(law.q.x[1], motor.q.x[1]);
    EXPECT_EQ(law.q.v[1], motor.q.v[1]);
  };
  expect_same("0.01", GetParam());
  expect_same("0.01", hit(GetParam()));
  // rosenbrock_w2 takes a motor for a drive that may have rates, and a law for a load; no pulse is short
  if (GetParam() != "energy_momentum" && GetParam() != "rosenbrock_w2")
    expect_same("{tolerance: 1.0e-4, max: 0.01}", GetParam());
}

io::Deck driven_slide(const std::string& translation, const std::string& integrator) {
  return deck_of(
      "format: polhode-deck/1\nnodes: {slide: {position: [0, 0, 0]}}\n"
      "bodies: {slide: {type: rigid_body, node: slide, mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {drive: {type: prismatic, connects: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "  translation: \"=" +
      translation + "\"}}\nanalysis: {type: transient, duration: 0.5, step: 0.01, integrator: {method: " + integrator +
      "}}\n");
}

// A parabola up to t = 0.3123, and a line behind it: the force of the drive jumps from m a to zero, and rings for many
// steps where a step passes over that.
TEST(HitBreakpointsOfDrives, MultipliersDoNotRing) {
  const std::string path = "t < 0.3123 ? 5*t^2 : 5*0.3123^2 + 10*0.3123*(t - 0.3123)";
  for (const std::string method : {"lie_alpha", "lie_alpha_index2", "ul_crv"}) {
    const Transient run(driven_slide(path, hit(method)));
    ASSERT_EQ(run.result.end, TransientResult::End::done);
    EXPECT_LE(run.q.lambda.lpNorm<Eigen::Infinity>(), 1e-7) << method;
  }
  const Transient passed(driven_slide(path, "lie_alpha"));
  EXPECT_GE(passed.q.lambda.lpNorm<Eigen::Infinity>(), 1e-3);
}

// A velocity that the drive jumps to is met at once.
TEST(HitBreakpointsOfDrives, VelocitiesJumpWithTheirDrive) {
  const Transient run(driven_slide("t < 0.3123 ? 0 : 4*(t - 0.3123)", hit("lie_alpha")));
  ASSERT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.v[1][0], 4, 1e-9);
  EXPECT_LE(run.q.lambda.lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(HitBreakpointsOfStructure, AVariationalMethodRefusesThem) {
  try {
    pushed("t < 0.33 ? 1 : 2", "0.1", hit("variational"));
    FAIL() << "was taken";
  } catch (const io::DeckError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("analysis.integrator.breakpoints: steps that are cut at breakpoints are "
                        "not for `variational`, which keeps its structure with equal steps alone"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace polhode::support
