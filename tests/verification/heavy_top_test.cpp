// SPDX-License-Identifier: BSD-3-Clause
// Heavy top of BCA12, section 7.1, against the exact motion, a discrete reference, and what is known of the methods.
#include <gtest/gtest.h>

#include <limits>

#include "verification/measured.hpp"
#include "verification/reference.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::string heavy_top_name = "heavy top";
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Known {
  std::string method;
  // a step; J at 2 s against the start
  double solves;
  double energy;
  double energy_tolerance;
};

TEST(HeavyTop, ThreeSolvesAStepAndTheEnergyOfEachMethodAtTwoSeconds) {
  for (const Known& known : {Known{"lie_alpha", 2.99, -0.10, 0.01}, Known{"lie_alpha_index2", 3.00, 0.34, 0.01},
                             Known{"ul_crv", 3.00, 173, 1}, Known{"ul_rotation_vector", 3.00, -3.6, 0.1}}) {
    const Histories top = run("heavy_top", {set_method(known.method)}, {"energy.total"}, 2.0);
    expect_between(heavy_top_name, known.method + ": mean Newton solves a step", top.mean_solves(), known.solves - 0.02,
                   known.solves + 0.02, 3);
    expect_between(heavy_top_name, known.method + ": energy at 2 s against the start [J]", top[0](1, 0) - top[0](0, 0),
                   known.energy - known.energy_tolerance, known.energy + known.energy_tolerance);
  }
}

TEST(HeavyTop, EnergyRisesAllTheTimeWithTheConformalVectorAlone) {
  for (const std::string& method : all_methods) {
    const Series energy = run("heavy_top", {set_method(method)}, {"energy.total"}, 0.1)[0];
    const Eigen::VectorXd rise = energy.bottomRows(energy.rows() - 1) - energy.topRows(energy.rows() - 1);
    const bool rises = method == "ul_crv";
    expect_between(heavy_top_name, method + ": smallest rise of the energy in 0.1 s [J]", rise.minCoeff(),
                   rises ? 1 : -1, rises ? infinity : 0);
  }
}

// The part of lambda_1 that alternates from step to step.
TEST(HeavyTop, MultipliersOscillateAtTheStartAndSettle) {
  for (const std::string& method : all_methods) {
    const Series lambda = run("heavy_top", {set_method(method)}, {"joints.pivot.multipliers"}, 0.002)[0];
    const Eigen::Index inner = lambda.rows() - 2;
    const Eigen::VectorXd alternating =
        0.25 * (lambda.col(0).tail(inner) - 2 * lambda.col(0).segment(1, inner) + lambda.col(0).head(inner)).cwiseAbs();
    expect_between(heavy_top_name, method + ": alternating part of λ_1, largest [N]", alternating.maxCoeff(), 10,
                   infinity, 1);
    expect_between(heavy_top_name, method + ": alternating part of λ_1 after 0.5 s, largest [N]",
                   alternating.tail(inner - 250).maxCoeff(), 0, 1);
  }
}

// The axis of the spin is one of symmetry, gravity and the pivot's force have no moment about it, and the discrete
// equations of lie_alpha keep that.
TEST(HeavyTop, SpinStaysTheSame) {
  const Histories top = run("heavy_top", {}, {"nodes.centre.angular_velocity.y"}, 0.002);
  expect_at_most(heavy_top_name, "lie_alpha: largest change of Omega_2 in 2 s [rad/s]",
                 (top[0].array() - 150).abs().maxCoeff(), 1e-10);
}

TEST(HeavyTop, AgreesWithTheDiscreteReference) {
  const Table reference("heavy_top_h0.002_lie_alpha.csv");
  const Histories top =
      run("heavy_top", {set_duration(0.5)},
          {"nodes.centre.position", "nodes.centre.angular_velocity", "joints.pivot.multipliers", "energy.total"}, 0.01);
  ASSERT_EQ(reference.rows() + 1, top[0].rows());  // the table starts at 0.01 s
  const auto distance = [&](std::size_t history, const std::vector<std::string>& columns) {
    return largest_distance(top[history].bottomRows(reference.rows()), reference.columns(columns));
  };
  expect_at_most(heavy_top_name, "lie_alpha: distance of x from the discrete reference [m]",
                 distance(0, {"x1", "x2", "x3"}), 1e-8);
  expect_at_most(heavy_top_name, "lie_alpha: distance of λ from the discrete reference [N]",
                 distance(2, {"lam1", "lam2", "lam3"}), 1e-5);
  expect_at_most(heavy_top_name, "lie_alpha: distance of Ω from the discrete reference [rad/s]",
                 distance(1, {"Om1", "Om2", "Om3"}), 1e-6);
  expect_at_most(heavy_top_name, "lie_alpha: distance of the energy from the discrete reference [J]",
                 distance(3, {"energy"}), 1e-5);
}

struct Errors {
  std::vector<double> x;
  std::vector<double> R;
  std::vector<double> v;
  std::vector<double> u;
  std::vector<double> Omega;
  std::vector<double> lambda;
  std::vector<double> x_end;
};

Errors errors_of(const std::string& method, const std::vector<double>& steps) {
  const Table exact("heavy_top_exact.csv");  // every 10 ms, the first row at 0
  const Eigen::Index half = 50;              // the row of 0.5 s
  Errors errors;
  for (const double h : steps) {
    const Histories top = run("heavy_top", {set_method(method), set_step(h), set_duration(1)},
                              {"nodes.centre.position", "nodes.centre.rotation", "nodes.centre.velocity",
                               "nodes.centre.angular_velocity", "joints.pivot.multipliers"},
                              0.01);
    EXPECT_EQ(top[0].rows(), exact.rows());
    Series v(top[2].rows(), 6);
    v << top[2], top[3];
    const Series x_exact = exact.columns({"x1", "x2", "x3"});
    errors.x.push_back(largest_distance(top[0], x_exact));
    errors.x_end.push_back(largest_distance(top[0], x_exact, x_exact.rows() - 1));
    errors.R.push_back(
        largest_rotation_error(top[1], exact.columns({"R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"})));
    errors.v.push_back(largest_distance(v, exact.columns({"u1", "u2", "u3", "Om1", "Om2", "Om3"})));
    errors.u.push_back(largest_distance(top[2], exact.columns({"u1", "u2", "u3"})));
    errors.Omega.push_back(largest_distance(top[3], exact.columns({"Om1", "Om2", "Om3"})));
    errors.lambda.push_back(largest_distance(top[4], exact.columns({"lam1", "lam2", "lam3"}), half));
  }
  return errors;
}

TEST(HeavyTop, LieAlphaConvergesWithOrderTwoToTheExactMotion) {
  const std::vector<double> steps{1e-3, 5e-4, 2e-4, 1e-4};
  const Errors errors = errors_of("lie_alpha", steps);
  const auto order = [&](const std::string& of, const std::vector<double>& values) {
    expect_order(heavy_top_name, "lie_alpha: order (errors) of " + of + ", h = 1e-3, 5e-4, 2e-4, 1e-4", steps, values,
                 1.9, 2.1);
  };
  order("x [m]", errors.x);
  order("R [rad]", errors.R);
  order("v = (u, Ω)", errors.v);
  order("u [m/s]", errors.u);
  order("Ω [rad/s]", errors.Omega);
  order("λ [N] on [0.5, 1] s", errors.lambda);
  expect_at_most(heavy_top_name, "lie_alpha: distance of x(1 s) from the exact solution at h = 1e-4 [m]",
                 errors.x_end.back(), 1e-4);
}

// The whole interval, from the first step on.
TEST(HeavyTop, MultipliersHaveOrderTwoFromTheStartIfThatIsPerturbedOrTheMethodOfIndexTwo) {
  const Table exact("heavy_top_exact.csv");
  const Series lambda = exact.columns({"lam1", "lam2", "lam3"});
  const std::vector<double> steps{1e-3, 5e-4, 2.5e-4};
  const auto order = [&](const std::string& what, const std::vector<std::string>& settings) {
    std::vector<double> errors;
    for (const double h : steps) {
      std::vector<std::string> all{set_step(h), set_duration(1)};
      all.insert(all.end(), settings.begin(), settings.end());
      errors.push_back(largest_distance(run("heavy_top", all, {"joints.pivot.multipliers"}, 0.01)[0], lambda));
    }
    expect_order(heavy_top_name, what + ": order (errors) of λ [N] on [0, 1] s, h = 1e-3, 5e-4, 2.5e-4", steps, errors,
                 1.9, 2.1);
  };
  const std::string perturbed = "analysis.integrator.initial=perturbed";
  const std::string projected = "analysis.integrator.velocity_projection=[0.7]";
  order("lie_alpha, perturbed start", {perturbed});
  order("lie_alpha_index2", {set_method("lie_alpha_index2")});
  order("lie_alpha_index2, velocities projected at 0.7 s", {set_method("lie_alpha_index2"), projected});
}

void updated_lagrangian(const std::string& method, double low, double high) {
  const std::vector<double> steps{2e-4, 1e-4};
  const Errors errors = errors_of(method, steps);
  const auto order = [&](const std::string& of, const std::vector<double>& values) {
    expect_order(heavy_top_name, method + ": order (errors) of " + of + ", h = 2e-4, 1e-4", steps, values, low, high);
  };
  order("x [m]", errors.x);
  order("R [rad]", errors.R);
  order("v = (u, Ω)", errors.v);
  order("λ [N] on [0.5, 1] s", errors.lambda);
}

TEST(HeavyTop, UpdatedLagrangianWithTheRotationVectorConvergesWithOrderTwo) {
  updated_lagrangian("ul_rotation_vector", 1.9, 2.15);
}

// Its second-order term is so small that terms of higher order still show: the order comes down to two from above.
TEST(HeavyTop, UpdatedLagrangianWithTheConformalVectorConvergesWithOrderTwoOrMore) {
  updated_lagrangian("ul_crv", 2.0, infinity);
}

}  // namespace
}  // namespace polhode::verification
