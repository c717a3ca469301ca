// SPDX-License-Identifier: BSD-3-Clause
// radau5: coefficients, the complex system in real numbers, orders, constraints, stiff vibrations, control of steps,
// states between steps.
#include "polhode/integrators/radau/radau.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "integrators/grid_errors.hpp"
#include "integrators/moving_models.hpp"
#include "support/runs.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

using integrators::NewtonSettings;
using integrators::PairMatrix;
using integrators::radau_coefficients;
using integrators::RadauCoefficients;

TEST(RadauCoefficients, AreOfOrderFiveWithStagesOfOrderThree) {
  const RadauCoefficients& k = radau_coefficients();
  for (int p = 1; p <= 5; ++p) EXPECT_NEAR(k.b.dot(k.c.array().pow(p - 1).matrix()), 1.0 / p, 1e-15) << p;
  EXPECT_GT(std::abs(k.b.dot(k.c.array().pow(5).matrix()) - 1.0 / 6), 1e-4);
  for (int p = 1; p <= 3; ++p) {
    const Vec3 rates = p * k.c.array().pow(p - 1).matrix();
    EXPECT_LE((k.D * k.c.array().pow(p).matrix() - rates).norm(), 1e-13) << p;
    // of a polynomial the embedded method finds the rate at the begin
    EXPECT_NEAR(k.gamma * k.error.dot(k.c.array().pow(p).matrix()), p == 1 ? -1 : 0, 1e-13) << p;
    EXPECT_NEAR(integrators::collocation_weights(1.7).dot(k.c.array().pow(p).matrix()), std::pow(1.7, p), 1e-13);
  }
}

TEST(RadauCoefficients, TakeTheStagesApart) {
  const RadauCoefficients& k = radau_coefficients();
  const Vec3 r(0.3, -2, 1.1);
  const std::complex<double> z = k.mu * std::complex(k.to_pair_re.dot(r), k.to_pair_im.dot(r));
  const Vec3 product =
      k.gamma * k.to_real.dot(r) * k.real_to_stages + 2 * (z.real() * k.pair_re - z.imag() * k.pair_im);
  EXPECT_LE((product - k.D * r).norm(), 1e-13);
}

Eigen::MatrixXd dense(const assembly::SparseMatrix& S) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(S.size, S.size);
  for (int j = 0; j < S.size; ++j)
    for (int p = S.column_start[j]; p < S.column_start[j + 1]; ++p) all(S.row[p], j) = S.at(p);
  return all;
}

// Against a dense solution in complex numbers; a top with a motor on it, and a beam.
TEST(PairMatrix, SolvesTheComplexSystem) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (model::Model model : {driven_top(), cantilever(4), heavy_top()}) {
    const Machine machine(std::move(model));
    const assembly::System& system = machine.system;
    const State q = consistent_start(system);
    assembly::SparseMatrix P = system.make_matrix();
    assembly::SparseMatrix Q = system.make_matrix();
    system.set_matrix(q, {.m = -2, .c = 0.4, .k = 1e-3, .b = 1}, 1, P);
    system.set_matrix(q, {.m = 16, .c = 0.3}, 1, Q);
    const int free = system.free_unknowns();
    Eigen::MatrixXcd whole = dense(P).cast<std::complex<double>>();
    whole.topLeftCorner(free, free) += std::complex(0.0, 1.0) * dense(Q).topLeftCorner(free, free);
    PairMatrix pair(system, P);
    ASSERT_TRUE(pair.factorize([&] {
      pair.set_real_part(P);
      pair.set_imaginary_part(Q);
    }));
    EXPECT_TRUE(pair.solver().uses_blocks());
    VectorX re = VectorX::NullaryExpr(system.size(), [&] { return number(random); });
    VectorX im = VectorX::NullaryExpr(system.size(), [&] { return number(random); });
    const Eigen::VectorXcd exact =
        whole.partialPivLu().solve(re.cast<std::complex<double>>() + std::complex(0.0, 1.0) * im);
    pair.solve(re, im);
    EXPECT_LE((re - exact.real()).norm() + (im - exact.imag()).norm(), 1e-10 * exact.norm());
    for (int j = 0; j < system.size(); ++j) EXPECT_LT(pair.unknown_of(j), system.size());
  }
}

State radau_run(const assembly::System& system, const State& start, double duration, int steps) {
  return run(system, start, method("radau5"), to_round_off(), duration / steps, steps);
}

// Positions, rotations, velocities, accelerations and multipliers at the end.
std::array<double, 5> differences(const State& a, const State& b) {
  std::array<double, 5> d{};
  for (std::size_t i = 1; i < a.x.size(); ++i) {
    d[0] = std::max(d[0], (a.x[i] - b.x[i]).norm());
    d[1] = std::max(d[1], (a.R[i] - b.R[i]).norm());
    d[2] = std::max(d[2], (a.v[i] - b.v[i]).norm());
    d[3] = std::max(d[3], (a.vdot[i] - b.vdot[i]).norm());
  }
  d[4] = (a.lambda - b.lambda).norm();
  return d;
}

void expect_order_five(model::Model model, double duration, int steps, double largest) {
  const Machine machine(std::move(model));
  const State start = consistent_start(machine.system);
  const State exact = radau_run(machine.system, start, duration, 8 * steps);
  const auto coarse = differences(radau_run(machine.system, start, duration, steps), exact);
  const auto fine = differences(radau_run(machine.system, start, duration, 2 * steps), exact);
  EXPECT_LE(coarse[0], largest);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    if (i == 4 && machine.system.rows() == 0) continue;
    EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 5, 0.35) << i << ": " << coarse[i] << " " << fine[i];
  }
}

// Multipliers and accelerations, too.
TEST(Radau, IsOfOrderFiveForTheHeavyTop) { expect_order_five(heavy_top(), 0.2, 100, 1e-6); }
TEST(Radau, IsOfOrderFiveForDrivenBodies) { expect_order_five(driven_top(), 0.4, 20, 1e-3); }

// Soft as rubber, so that the steps resolve all of its vibrations.
TEST(Radau, IsOfOrderFiveForASoftBeam) {
  model::Model model = cantilever(2);
  for (model::SectionEntry& section : model.sections) section.stiffness *= 0.1;
  expect_order_five(std::move(model), 0.4, 200, 1e-4);
}

// Positions, velocities and accelerations meet the constraints at each step, and forces balance.
TEST(Radau, MeetsAllConstraintsAtEachStep) {
  for (model::Model model : {heavy_top(), driven_top()}) {
    const Machine machine(std::move(model));
    const assembly::System& system = machine.system;
    VectorX Bv = VectorX::Zero(system.rows());
    VectorX phi_t = Bv;
    VectorX gamma = Bv;
    assembly::Residual residual = system.make_residual();
    const auto look = [&](const State& q, const Stepper&) {
      system.set_residual(q, residual);
      EXPECT_LE(residual.phi.norm(), 1e-13);
      EXPECT_LE(system.force_norm(residual), 1e-6);
      system.set_rates(q, Bv, phi_t, gamma);
      EXPECT_LE((Bv + phi_t).norm(), 1e-11);
      State moved = q;
      moved.v = q.vdot;
      VectorX Bvdot = Bv;
      system.set_velocity_rates(moved, Bvdot, phi_t);
      EXPECT_LE((Bvdot + gamma).norm(), 1e-8);
    };
    run(system, consistent_start(system), method("radau5"), {}, 2e-3, 20, look);
  }
}

// A bar of one element along its axis, omega h = 1000: R(infinity) = 0.
TEST(Radau, DampsVibrationsThatItDoesNotResolve) {
  model::Model model = cantilever(1);
  model.entries.resize(1);  // no load
  model.nodes[1].velocity = Vec3(0.01, 0, 0);
  const Machine machine(std::move(model));
  const double omega = std::sqrt(1e4 / 2 / (1.5 * 2 / 3));
  const State end =
      run(machine.system, consistent_start(machine.system), method("radau5"), to_round_off(), 1000 / omega, 3);
  EXPECT_LE(std::abs(end.x[2][0] - 2), 1e-3 * 0.01 / omega);
  EXPECT_LE(end.v[2].norm(), 1e-5 * 0.01);
}

// The same steps within the tolerances of the iteration, for less factorizations.
TEST(Radau, WithAReusedJacobianGivesTheSameMotion) {
  const Machine machine(cantilever(4));
  const State start = consistent_start(machine.system);
  NewtonSettings kept;
  kept.jacobian = NewtonSettings::Jacobian::kept;
  int made = 0;
  const auto count = [&made](const State&, const Stepper& stepper) { made += stepper.reports().back().factorizations; };
  const State a = run(machine.system, start, method("radau5"), kept, 2e-3, 50, count);
  EXPECT_LE(made, 25);
  made = 0;
  const State b = run(machine.system, start, method("radau5"), {}, 2e-3, 50, count);
  EXPECT_EQ(made, 50);
  const auto d = differences(a, b);
  EXPECT_LE(d[0] + d[1], 1e-10);
  EXPECT_LE(d[2], 1e-7);
}

// The motion of the top over a third of a second, by an error that follows the tolerance.
TEST(Radau, TheErrorFollowsTheTolerance) {
  const std::string top =
      "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
      "nodes: {centre: {position: [0, 1, 0], velocity: [4.61538, 0, 0], angular_velocity: [0, 150, -4.61538]}}\n"
      "bodies: {top: {type: rigid_body, node: centre, mass: 15, inertia: [0.234375, 0.46875, 0.234375]}}\n"
      "joints: {pivot: {type: spherical, connects: [ground, centre], at: [0, 0, 0]}}\n"
      "analysis: {type: transient, duration: 0.4, integrator: {method: radau5}, step: ";
  const Transient exact(deck_of(top + "1.0e-4}\n"));
  double before = 0;
  for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
    const Transient run(deck_of(top + "{tolerance: " + model::number_text(tolerance) + ", max: 0.01}}\n"));
    ASSERT_EQ(run.result.end, TransientResult::End::done);
    const double error = (run.q.x[1] - exact.q.x[1]).norm() + (run.q.R[1] - exact.q.R[1]).norm();
    EXPECT_LE(error, 10 * tolerance);
    EXPECT_GE(error, 0.01 * tolerance);
    if (before > 0) {
      EXPECT_GE(std::log10(before / error), 0.8) << tolerance;
    }
    before = error;
    EXPECT_NEAR(run.result.progress.external_work, 0, 1e-12);
  }
}

// Quintics: their error falls with the sixth power of the step, above that of the steps themselves here; constraints
// and forces hold.
TEST(Radau, StatesBetweenStepsAreOfTheOrderOfTheMethod) {
  const Machine machine(driven_top());
  const State start = consistent_start(machine.system);
  std::array<double, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const int steps = 10 << level;
    const double h = 0.2 / steps;
    Stepper stepper(machine.system, method("radau5"), to_round_off());
    State q = start;
    ASSERT_TRUE(stepper.start(q));
    for (int n = 1; n <= steps; ++n) ASSERT_TRUE(stepper.advance(q, h, n * h));
    State inside = q;
    double work = stepper.work().value();
    const double t = 0.2 - 0.37 * h;
    ASSERT_TRUE(stepper.method().between(t, inside, work));
    EXPECT_EQ(inside.t, t);
    const State exact = radau_run(machine.system, start, t, 200);
    const auto d = differences(inside, exact);
    error[level] = d[0] + d[1] + d[2];
    double at_end = stepper.work().value();
    ASSERT_TRUE(stepper.method().between(0.2, inside, at_end));
    EXPECT_NEAR(at_end, stepper.work().value(), 1e-15);
    EXPECT_LE(differences(inside, q)[0], 1e-13);
    double at_begin = stepper.work().value();
    ASSERT_TRUE(stepper.method().between(0.2 - h * (1 - 1e-12), inside, at_begin));
    EXPECT_NEAR(at_begin, 0, 1e-9 * std::abs(stepper.work().value()));
    EXPECT_FALSE(stepper.method().between(0.2 - 1.01 * h, inside, at_begin));
  }
  EXPECT_LE(error[0], 1e-3);
  EXPECT_GE(std::log2(error[0] / error[1]), 4.5);
}

// Forces of the beam at a position that is interpolated would have its error times the stiffness.
TEST(Radau, MultipliersBetweenStepsOfAStiffBeamAreThoseOfSmallSteps) {
  ModelMaker m;
  m.model = cantilever(6);
  m.model.sections[0].stiffness.topLeftCorner<3, 3>() *= 1e4;
  m.node("weight", Vec3(2, 0, -0.5));
  m.body("weight", "weight", 2, Vec3(0.1, 0.1, 0.1));
  m.joint("spherical", "ball", "tip", "weight", Vec3(2, 0, 0));
  m.model.gravity = Vec3(0, 0, -9.81);
  const Machine machine(std::move(m.model));
  const State start = consistent_start(machine.system);
  const double h = 0.005;
  Stepper stepper(machine.system, method("radau5"), to_round_off());
  State q = start;
  ASSERT_TRUE(stepper.start(q));
  double scale = 0;
  double largest = 0;
  for (int n = 1; n <= 40; ++n) {
    ASSERT_TRUE(stepper.advance(q, h, n * h));
    if (n % 10 != 0) continue;
    State inside = q;
    double work = 0;
    ASSERT_TRUE(stepper.method().between((n - 0.4) * h, inside, work));
    const State exact = radau_run(machine.system, start, (n - 0.4) * h, 10 * n);
    scale = std::max(scale, exact.lambda.norm());
    largest = std::max(largest, (inside.lambda - exact.lambda).norm());
  }
  EXPECT_GT(scale, 1);
  EXPECT_LE(largest, 0.05 * scale) << "20 % by the forces";
}

}  // namespace
}  // namespace polhode::support
