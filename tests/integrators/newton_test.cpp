// SPDX-License-Identifier: BSD-3-Clause
// The Newton iteration: exact iteration matrices, quadratic convergence, scaling, and where it stops.
#include "polhode/integrators/generalized_alpha/newton.hpp"

#include <gtest/gtest.h>

#include "polhode/integrators/generalized_alpha/settings.hpp"
#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::AlphaParameters;
using integrators::NewtonSettings;
using integrators::NewtonSolver;
using integrators::Outcome;
using integrators::StepReport;

class Newton : public testing::TestWithParam<std::string> {};

// Two bodies with offset masses, a hinge and a beam, turning fast enough for large increments of rotation.
model::Model whirl() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  model::NodeEntry& a = m.node("a", Vec3(0.3, 0.4, 0));
  a.orientation = math::so3::exp_quaternion(Vec3(0.3, -0.5, 0.8));
  a.angular_velocity = Vec3(3, -2, 4);
  m.node("b", Vec3(1.5, 0.2, 0.4)).angular_velocity = Vec3(-2, 3, 1);
  m.body("first", "a", 2, Vec3(0.3, 0.5, 0.4), Vec3(0.2, -0.1, 0.1));
  m.body("second", "b", 0.7, Vec3(0.1, 0.15, 0.2), Vec3(0.1, 0.1, -0.2));
  m.joint("revolute", "pivot", "ground", "a", Vec3::Zero()).values.emplace("axis", value(Vec3(0, 1, 1)));
  Vec6 stiffness;
  stiffness << 200, 100, 100, 6, 8, 10;
  m.section("bar", stiffness, 0.5, Vec3(0.02, 0.01, 0.01));
  m.add(Family::beam, "beam", "arm",
        {{"section", value("bar")}, {"from", value("a")}, {"to", value("b")}, {"elements", 2.0}});
  m.model.velocity_tolerance = 1e3;
  return std::move(m.model);
}

// The derivative of the discrete residual by the unknown of the matrix, as the method itself updates.
void expect_matrix_of_derivatives(const integrators::IntegratorSettings& settings) {
  const Machine machine(whirl());
  const assembly::System& system = machine.system;
  State old = consistent_start(system);
  integrators::Scheme::start(old);
  old.last_step = 0.1;
  State next = old;
  const auto scheme = integrators::make_scheme(settings, system.node_lots());
  const AlphaParameters p = AlphaParameters::of(settings);
  const double h = 0.1;
  const double scale = p.beta * h * h;
  scheme->predict(old, next, h, NewtonSettings::Predictor::extrapolate);
  next.lambda = VectorX::LinSpaced(system.rows(), -3, 4);
  assembly::SparseMatrix S = system.make_matrix();
  system.set_matrix(next, scheme->factors(next), scale, S);
  MatrixX exact = MatrixX::Zero(S.size, S.size);
  MatrixX differences = exact;
  for (int j = 0; j < S.size; ++j)
    for (int i = S.column_start[j]; i < S.column_start[j + 1]; ++i) exact(S.row[i], j) = S.at(i);

  assembly::Residual r = system.make_residual();
  std::vector<Vec6> dx(system.nodes());
  const auto shift = [&](int j, double s) {
    system.scatter(s * VectorX::Unit(system.size(), j), dx);
    scheme->to_increments(dx);
    scheme->update(old, next, dx, dx);
    next.lambda += s / scale * VectorX::Unit(system.size(), j).tail(system.rows());
  };
  for (int j = 0; j < S.size; ++j) {
    differences.col(j) = derivative(
        [&](double s) {
          shift(j, s);
          system.set_residual(next, r);
          shift(j, -s);
          VectorX rows(system.size());
          system.gather(r, {}, scale, rows);
          return rows;
        },
        1e-4);
  }
  EXPECT_LE(relative_difference(exact, differences), 1e-8);
}

TEST_P(Newton, IterationMatrixIsTheDerivativeOfTheStep) { expect_matrix_of_derivatives(method(GetParam())); }

TEST(SpatialFrame, IterationMatrixIsTheDerivativeOfTheStep) {
  integrators::IntegratorSettings settings = method("lie_alpha");
  settings.own = integrators::LieAlphaSettings{integrators::Frame::spatial};
  expect_matrix_of_derivatives(settings);
}

// Each iteration squares the error: ln e_3 / ln e_2 tends to 2; an iteration matrix with an error of one per cent makes
// it 1.
TEST_P(Newton, ConvergesQuadratically) {
  const Machine machine(whirl());
  State old = consistent_start(machine.system);
  integrators::Scheme::start(old);
  NewtonSettings settings = to_round_off();
  settings.predictor = NewtonSettings::Predictor::zero;
  settings.max_iterations = 5;
  settings.absolute = 1;
  settings.relative = 0;  // plain root-mean-square norm
  const auto scheme = integrators::make_scheme(method(GetParam()), machine.system.node_lots());
  NewtonSolver newton(machine.system, settings, method(GetParam()));
  State next = old;
  const StepReport report = newton.step(*scheme, old, next, 0.13, 0.13);
  ASSERT_EQ(report.outcome, Outcome::not_converged);
  ASSERT_EQ(report.iterations, 5);
  std::string text;
  std::vector<double> e;
  for (const integrators::Iteration& i : report.history) {
    e.push_back(i.increment);
    text += std::to_string(std::log10(i.increment)) + " ";
  }
  EXPECT_GT(std::log(e[3] / e[2]) / std::log(e[2] / e[1]), 1.6) << text;
  EXPECT_LT(e[4], 1e-9) << text;
}

// The number of solves does not grow as the step falls by four decades, whatever the criterion.
TEST_P(Newton, SolvesDoNotGrowAsTheStepFalls) {
  const Machine machine(heavy_top());
  const State start = consistent_start(machine.system);
  for (const bool increments : {false, true}) {
    NewtonSettings settings = to_round_off();
    if (increments) settings = NewtonSettings{};
    settings.halvings = 0;
    double first = 0;
    for (const double h : {2e-3, 1e-3, 1e-4, 1e-5, 1e-6}) {
      int solves = 0;
      run(machine.system, start, method(GetParam()), settings, h, 40,
          [&](const State&, const Stepper& stepper) { solves += stepper.reports().back().iterations; });
      if (first == 0) first = solves;
      EXPECT_LE(solves, first + 40) << "h = " << h << ", first " << first;
    }
    EXPECT_LE(first, (increments ? 3 : 6) * 40);
  }
}

// Rigid planar problem of the four corners of the fault: what fails is reported, and nothing is damaged.
TEST_P(Newton, FailureNamesTheWorstRowsAndLeavesTheStateAlone) {
  const Machine machine(heavy_top());
  State q = consistent_start(machine.system);
  NewtonSettings settings = to_round_off();
  settings.max_iterations = 2;
  settings.halvings = 1;
  Stepper stepper(machine.system, method(GetParam()), settings);
  stepper.start(q);
  const State before = q;
  EXPECT_FALSE(stepper.advance(q, 0.002, 0.002));
  EXPECT_EQ(q.x, before.x);
  EXPECT_EQ(q.v, before.v);
  EXPECT_EQ(q.vdot, before.vdot);
  EXPECT_EQ(q.memory, before.memory);
  EXPECT_EQ(q.lambda, before.lambda);
  EXPECT_EQ(q.t, before.t);
  ASSERT_EQ(stepper.reports().size(), 1u);
  const StepReport& report = stepper.reports().back();
  EXPECT_EQ(report.outcome, Outcome::not_converged);
  EXPECT_EQ(report.worst.size(), 5u);
  for (const std::string& row : report.worst)
    EXPECT_TRUE(row.starts_with("nodes.centre: ") || row.starts_with("joints.pivot: position ")) << row;
  EXPECT_EQ(report.history.size(), 3u);
  EXPECT_GE(stepper.wasted_iterations(), 4);
}

// A body at rest on its support: residuals are exactly zero or at round-off, and every step ends.
TEST_P(Newton, StopsAtRoundOffAtRest) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("bob", Vec3(0, 0, -1.7));
  m.body("bob", "bob", 3.3, Vec3(0.1, 0.2, 0.3));
  m.joint("spherical", "pin", "ground", "bob", Vec3::Zero());
  const Machine machine(std::move(m.model));
  const State start = consistent_start(machine.system);
  const State end = run(machine.system, start, method(GetParam()), to_round_off(), 0.01, 50);
  EXPECT_LE((end.x[1] - start.x[1]).norm(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Methods, Newton, testing::ValuesIn(methods), [](const auto& name) { return name.param; });

}  // namespace
}  // namespace polhode::support
