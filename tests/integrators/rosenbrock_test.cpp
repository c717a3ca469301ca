// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock-Nystrom methods in state-space form: their coefficients, exact tangents, orders, constraints.
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/double_pendulum.hpp"
#include "support/motions.hpp"
#include "support/places.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::Coordinates;
using integrators::Rosenbrock;
using integrators::RosenbrockCoefficients;
using integrators::StateSpace;

// Negrut et al. (2003), eqs. (8a)-(14).
TEST(RosenbrockCoefficients, MeetTheOrderConditions) {
  const RosenbrockCoefficients k = integrators::rosenbrock4_coefficients();
  const auto beta = (k.alpha + k.Gamma).eval();
  const double g = k.gamma;
  const Eigen::Vector4d a = k.alpha.rowwise().sum();
  const Eigen::Vector4d bp = beta.rowwise().sum() - g * Eigen::Vector4d::Ones();
  const auto third_order = [&](const auto& b) {
    EXPECT_NEAR(b.sum(), 1, 1e-14);
    EXPECT_NEAR(b.dot(bp), 0.5 - g, 1e-14);
    EXPECT_NEAR(b.dot(a.cwiseAbs2().eval()), 1.0 / 3, 1e-14);
    EXPECT_NEAR(b[2] * beta(2, 1) * bp[1] + b[3] * (beta(3, 1) * bp[1] + beta(3, 2) * bp[2]), 1.0 / 6 - g + g * g,
                1e-14);
  };
  third_order(k.b);
  third_order(k.b_hat);
  EXPECT_GT((k.b - k.b_hat).norm(), 0.1);
  EXPECT_NEAR(k.b.dot(a.array().cube().matrix().eval()), 0.25, 1e-14);
  EXPECT_NEAR(k.b[2] * a[2] * k.alpha(2, 1) * bp[1] + k.b[3] * a[3] * (k.alpha(3, 1) * bp[1] + k.alpha(3, 2) * bp[2]),
              1.0 / 8 - g / 3, 1e-14);
  EXPECT_NEAR(k.b[2] * beta(2, 1) * a[1] * a[1] + k.b[3] * (beta(3, 1) * a[1] * a[1] + beta(3, 2) * a[2] * a[2]),
              1.0 / 12 - g / 3, 1e-14);
  EXPECT_NEAR(k.b[3] * beta(3, 2) * beta(2, 1) * bp[1], 1.0 / 24 - g / 2 + 1.5 * g * g - g * g * g, 1e-14);
  EXPECT_NEAR(beta(2, 1) * bp[1] * (bp[1] * a[3] * a[3] - bp[3] * a[1] * a[1]),
              (bp[1] * a[2] * a[2] - bp[2] * a[1] * a[1]) * (beta(3, 1) * bp[1] + beta(3, 2) * bp[2]), 1e-14);
  EXPECT_NEAR(a[2], (1.0 / 5 - a[1] / 4) / (1.0 / 4 - a[1] / 3), 1e-14);
  EXPECT_NEAR(k.b[3] * beta(3, 2) * a[2] * a[2] * (a[2] - a[1]), 1.0 / 20 - g / 4 - a[1] * (1.0 / 12 - g / 3), 1e-14);
  EXPECT_EQ(k.b[2], 0);
  EXPECT_EQ(a[1], 2 * g);
  EXPECT_TRUE(k.same_as_before(3));
  EXPECT_FALSE(k.same_as_before(2));
}

// Some of Table 2 (a_21 and gamma_21 without their misprints), and all of Table 3.
TEST(RosenbrockCoefficients, AreThoseOfTheTables) {
  const RosenbrockCoefficients k = integrators::rosenbrock4_coefficients();
  EXPECT_NEAR(k.a(1, 0), 2, 1e-14);
  EXPECT_NEAR(k.a(2, 0), 1.86794814949823713234476, 1e-14);
  EXPECT_NEAR(k.theta(2, 0), 0.789509162815638629626980, 1e-14);
  EXPECT_NEAR(k.c(1, 0), -7.137649943349979830369260, 1e-13);
  EXPECT_NEAR(k.c(3, 2), -0.694966049282445225157329, 1e-14);
  EXPECT_NEAR(k.delta(2, 0), 1.470280254409780714633870, 1e-14);
  EXPECT_NEAR(k.delta(3, 0), 0.003765094355556165798974, 1e-14);
  EXPECT_NEAR(k.m[0], 2.255566228604565243728840, 1e-14);
  EXPECT_NEAR(k.m_hat[3], 0.366557127936155144309163, 1e-14);
  EXPECT_NEAR(k.mu[1], 0.195938266310250609693329, 1e-14);
  EXPECT_NEAR(k.mu_hat[0], 1.434903971848209472627100, 1e-14);
  EXPECT_NEAR(k.gamma_sum[1], -1.769177067112013949170520, 1e-14);
  EXPECT_NEAR(k.alpha_sum[3], 0.655214975973133829477748, 1e-14);
  const RosenbrockCoefficients w = integrators::rosenbrock_w2_coefficients();
  EXPECT_NEAR(w.gamma, 1.70710678118650, 1e-13);
  EXPECT_NEAR(w.gamma_sum[1], -1.70710678118650, 1e-13);
  EXPECT_NEAR(w.a(1, 0), 0.58578643762690, 1e-13);
  EXPECT_NEAR(w.c(1, 0), -1.17157287525380, 1e-13);
  EXPECT_NEAR(w.delta(1, 0), -2.41421356237310, 1e-13);
  EXPECT_NEAR(w.theta(1, 0), 1, 1e-13);
  EXPECT_NEAR(w.m[0], 0.87867965644040, 1e-13);
  EXPECT_NEAR(w.m[1], 0.29289321881340, 1e-13);
  EXPECT_NEAR(w.mu[0], 0.79289321881340, 1e-13);
  EXPECT_NEAR(w.m_hat[0], 1.17157287525380, 1e-13);
  EXPECT_NEAR(w.mu_hat[0], 0.58578643762690, 1e-13);
  EXPECT_NEAR(w.mu_hat[1], 1, 1e-13);
}

// beta^-n (1, ..., 1): R(z) = (1 - b^T beta^-1 (1, ..., 1)) - b^T beta^-2 (1, ..., 1)/z - ... for large z.
VectorX solved_ones(const RosenbrockCoefficients& k, int n) {
  const MatrixX beta = k.alpha + k.Gamma;
  VectorX ones = VectorX::Ones(k.stages);
  for (int i = 0; i < n; ++i) ones = beta.lu().solve(ones).eval();
  return ones;
}

// R(infinity): zero but for the digits that the paper has of gamma. The embedded methods do not damp so.
TEST(RosenbrockCoefficients, DampAtInfinity) {
  const auto at_infinity = [](const RosenbrockCoefficients& k, const RosenbrockCoefficients::Row& b) {
    return 1 - solved_ones(k, 1).dot(b);
  };
  const RosenbrockCoefficients four = integrators::rosenbrock4_coefficients();
  EXPECT_NEAR(at_infinity(four, four.b), 0, 1e-8);
  EXPECT_NEAR(at_infinity(four, four.b_hat), -0.367305, 1e-6);
  const RosenbrockCoefficients w = integrators::rosenbrock_w2_coefficients();
  EXPECT_NEAR(at_infinity(w, w.b), 0, 1e-14);
  EXPECT_NEAR(at_infinity(w, w.b_hat), 1 - std::sqrt(2.0), 1e-14);
}

// Three links with skew hinges, the middle one driven, the last under a load that changes with time.
const std::string driven_chain = R"deck(
format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes:
  a: {position: [0.5, 0, 0], angular_velocity: [0, 0, 1.5], velocity: [0, 0.75, 0]}
  b: {position: [1.5, 0, 0], angular_velocity: [0, 0, 1.5], velocity: [0, 2.25, 0]}
  c: {position: [2.5, 0, 0], angular_velocity: [0, 0, 1.5], velocity: [0, 3.75, 0]}
bodies:
  a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.2, 0.25]}
  b: {type: rigid_body, node: b, mass: 1, inertia: [0.05, 0.1, 0.12]}
  c: {type: rigid_body, node: c, mass: 1.5, inertia: [0.08, 0.15, 0.2]}
joints:
  A: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, connects: [a, b], at: [1, 0, 0], axis: [0.3, 1, 0.2], rotation: "=0.4*(1 - cos(3*t))"}
  C: {type: revolute, connects: [b, c], at: [2, 0, 0], axis: [0.2, 0.5, 1]}
forces:
  push: {type: load, node: c, force: [0, 3, 2], history: "=sin(2*t)"}
  spring: {type: torsional_spring_damper, connects: [b, c], axis: [0.2, 0.5, 1], stiffness: 20, damping: 0.3}
analysis: {type: transient, duration: 1, step: 0.1}
)deck";

integrators::IntegratorSettings rosenbrock(const std::string& name, Coordinates coordinates) {
  integrators::IntegratorSettings settings;
  settings.method = name;
  settings.own = integrators::RosenbrockSettings{.coordinates = coordinates};
  return settings;
}

struct RosenbrockMotion {
  State end;
  Violation violation;
  double estimate = 0;  // of the first step, tolerance 1
};

RosenbrockMotion rosenbrock_run(const assembly::System& system, const integrators::IntegratorSettings& settings,
                                double duration, int steps, const std::function<double()>& disturbance = {}) {
  Rosenbrock method(system, settings);
  method.disturbance = disturbance;
  RosenbrockMotion result;
  result.end = system.initial_state();
  State next = result.end;
  EXPECT_TRUE(make_consistent(system, method.space(), result.end, 0));
  const double h = duration / steps;
  for (int n = 1; n <= steps; ++n) {
    EXPECT_EQ(method.attempt(result.end, h, n * h), Rosenbrock::Attempt::done);
    if (n == 1) result.estimate = method.error(1);
    EXPECT_TRUE(method.finish(next));
    std::swap(result.end, next);
    method.accepted();
    result.violation.add(system, result.end);
  }
  return result;
}

struct Case {
  // its text, or a file
  std::string name;
  std::string deck;
  double duration;
  int steps;  // coarsest
};
const std::vector<Case> cases{{"double_pendulum", double_pendulum_deck, 1, 80},
                              {"driven_chain", driven_chain, 0.25, 80},
                              {"slider_crank", "benchmarks/spatial_slider_crank", 0.2, 40},
                              {"heavy_top", "benchmarks/heavy_top", 0.1, 100}};

std::unique_ptr<Machine> case_machine(const Case& c) {
  if (c.deck.find('\n') == std::string::npos)
    return std::make_unique<Machine>(io::read_deck(POLHODE_SOURCE_DIR "/inputs/" + c.deck + ".yaml").model);
  return std::make_unique<Machine>(deck_of(c.deck).model);
}

std::string name_of(Coordinates coordinates) {
  return coordinates == Coordinates::weighted ? "weighted" : coordinates == Coordinates::mass ? "mass" : "partition";
}

using Choice = std::tuple<int, Coordinates>;
class StateSpaceOf : public testing::TestWithParam<Choice> {};
INSTANTIATE_TEST_SUITE_P(Cases, StateSpaceOf,
                         testing::Combine(testing::Range(0, static_cast<int>(cases.size())),
                                          testing::Values(Coordinates::weighted, Coordinates::mass,
                                                          Coordinates::partition)),
                         [](const auto& p) -> std::string {
                           return cases[std::get<0>(p.param)].name + "_" + name_of(std::get<1>(p.param));
                         });

// u/gamma - b = h D f, modulo the lift, along (h (d + gamma u), u, dt).
TEST_P(StateSpaceOf, LinearSystemIsThatOfTheDerivativesOfF) {
  const auto [index, coordinates] = GetParam();
  const auto machine = case_machine(cases[index]);
  const assembly::System& system = machine->system;
  const double h = 0.01;
  const double gamma = 0.57;
  // Some way into the motion, where nothing is zero by chance.
  const State q = rosenbrock_run(system, rosenbrock("rosenbrock4", coordinates), index == 3 ? 0.01 : 0.3, 30).end;
  StateSpace space(system, coordinates);
  ASSERT_TRUE(space.begin(q, h));
  integrators::StageEquations stages(system, space);
  stages.begin();
  stages.linearize(h);
  ASSERT_TRUE(stages.factorize(h, gamma));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = system.free_unknowns();
  VectorX b(n);
  VectorX d(n);
  VectorX u(n);
  VectorX F(n);
  VectorX v(n);
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (int k = 0; k < 6; ++k)
      if (system.unknowns()[i].local[k] >= 0) v[system.unknowns()[i].first + system.unknowns()[i].local[k]] = q.v[i][k];
  for (const double dt : {0.0, 0.3}) {
    for (int i = 0; i < n; ++i) {
      b[i] = uniform(random);
      d[i] = uniform(random);
    }
    stages.solve(b, d, dt, u);
    const auto f = [&](double s) -> VectorX {
      EXPECT_TRUE(space.evaluate(s * h * (d + gamma * u), v + s * u, q.t + s * dt, F));
      return F;
    };
    VectorX derivative = (8 * (f(1e-3) - f(-1e-3)) - (f(2e-3) - f(-2e-3))) / 12e-3;
    VectorX left = u / gamma - b - h * derivative;
    space.origin().represent(left);
    space.origin().represent(derivative);
    EXPECT_LE(left.norm(), 2e-7 * (1 + h * derivative.norm())) << h * derivative.norm();
  }
}

class RosenbrockOrder : public StateSpaceOf {};
INSTANTIATE_TEST_SUITE_P(Cases, RosenbrockOrder,
                         testing::Combine(testing::Range(0, static_cast<int>(cases.size())),
                                          testing::Values(Coordinates::weighted, Coordinates::partition)),
                         [](const auto& p) -> std::string {
                           return cases[std::get<0>(p.param)].name + "_" + name_of(std::get<1>(p.param));
                         });

TEST_P(RosenbrockOrder, IsFourOfTheEstimateThreeAndConstraintsHold) {
  const auto [index, coordinates] = GetParam();
  const Case& c = cases[index];
  const auto machine = case_machine(c);
  const auto settings = rosenbrock("rosenbrock4", coordinates);
  const State exact = rosenbrock_run(machine->system, settings, c.duration, 16 * c.steps).end;
  std::array<double, 3> error{};
  std::array<double, 3> estimate{};
  for (int level = 0; level < 3; ++level) {
    const RosenbrockMotion one = rosenbrock_run(machine->system, settings, c.duration, c.steps << level);
    error[level] = distance(one.end, exact);
    estimate[level] = one.estimate;
    EXPECT_LE(one.violation.position, 1e-10);
    EXPECT_LE(one.violation.velocity, 1e-10);
  }
  // In coordinates modulo the constraints, the error of the top is 1e-10 m, and has a change of sign at 1 ms.
  const double wide = c.name == "heavy_top" && coordinates == Coordinates::weighted ? 0.5 : 0.2;
  for (int level = 0; level < 2; ++level)
    EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 4, wide) << error[level] << " " << error[level + 1];
  EXPECT_NEAR(std::log2(estimate[1] / estimate[2]), 4, 0.2);
}

// Entries off by up to 10 % at random.
TEST(RosenbrockOrder, OfTheWMethodIsTwoWithAnyJacobian) {
  for (const int index : {0, 3}) {
    const auto machine = case_machine(cases[index]);
    const auto order = [&](const std::string& name, bool off) {
      const auto settings = rosenbrock(name, Coordinates::partition);
      std::mt19937 random(1);
      std::uniform_real_distribution<double> factor(0.9, 1.1);
      const std::function<double()> disturbance = off ? [&] { return factor(random); } : std::function<double()>();
      const int steps = 2 * cases[index].steps;
      const double duration = cases[index].duration;
      const State exact =
          rosenbrock_run(machine->system, rosenbrock("rosenbrock4", Coordinates::partition), duration, 2 * steps).end;
      std::array<double, 2> error{};
      for (int level = 0; level < 2; ++level)
        error[level] =
            distance(rosenbrock_run(machine->system, settings, duration, steps << level, disturbance).end, exact);
      return std::log2(error[0] / error[1]);
    };
    EXPECT_NEAR(order("rosenbrock_w2", false), 2, 0.15) << index;
    EXPECT_NEAR(order("rosenbrock_w2", true), 2, 0.15) << index;
    EXPECT_LT(order("rosenbrock4", true), 3) << index;
  }
}

// A mass on a spring with omega h = 10^3 and 10^5: what a step leaves of its vibration is |R(i omega h)|, which falls with
// 1/(omega h), so that R(infinity) = 0.
TEST(RosenbrockStability, NothingIsLeftOfAnInfinitelyStiffVibration) {
  const std::array<RosenbrockCoefficients, 2> methods{integrators::rosenbrock4_coefficients(),
                                                      integrators::rosenbrock_w2_coefficients()};
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::string name = i == 0 ? "rosenbrock4" : "rosenbrock_w2";
    const double part = std::abs(solved_ones(methods[i], 2).dot(methods[i].b));
    EXPECT_GT(part, 0.1);
    for (const double turn : {1e3, 1e5}) {
      ModelMaker m;
      m.node("mass", Vec3(1, 0, 0)).translation_only = true;
      m.model.nodes.back().velocity = Vec3(0.01, 0, 0);
      m.add(Family::body, "point_mass", "mass", {{"node", value("mass")}, {"mass", 1.0}});
      MatrixX at = MatrixX::Zero(3, 2);
      at(0, 1) = 1;
      m.add(Family::force, "spring_damper", "spring",
            {{"connects", std::vector<std::string>{"ground", "mass"}},
             {"at", at},
             {"stiffness", 1.0},
             {"free_length", 1.0}});
      const Machine machine(std::move(m.model));
      const State end = rosenbrock_run(machine.system, rosenbrock(name, Coordinates::mass), turn, 1).end;
      const double left = std::hypot(end.x[1][0] - 1, end.v[1][0]) / 0.01;
      EXPECT_NEAR(left * turn, part, 0.01 * part) << name << " " << turn;
    }
  }
}

// The matrix of the stages takes from the error what the step damps, and of slow motions nothing.
TEST(RosenbrockStability, AFilteredEstimateIsTheSameForSmallStepsAndForgetsStiffVibrations) {
  const auto machine = case_machine(cases[0]);
  auto settings = rosenbrock("rosenbrock4", Coordinates::weighted);
  const auto estimate = [&](double h) {
    std::array<double, 2> found{};
    for (const auto which : {integrators::ErrorEstimate::plain, integrators::ErrorEstimate::filtered}) {
      settings.own = integrators::RosenbrockSettings{.coordinates = Coordinates::weighted, .estimate = which};
      found[static_cast<std::size_t>(which)] = rosenbrock_run(machine->system, settings, h, 1).estimate;
    }
    return found[1] / found[0];
  };
  EXPECT_NEAR(estimate(1e-5), 1, 0.02);
  EXPECT_LT(estimate(0.1), 0.5);
}

// A pendulum that turns over and over: x and y change their parts.
TEST(StateSpace, PartitionFollowsTheMotion) {
  const auto machine = case_machine({"", "benchmarks/pendulum", 1, 1});
  State q = machine->system.initial_state();
  State next = q;
  Rosenbrock method(machine->system, rosenbrock("rosenbrock4", Coordinates::partition));
  ASSERT_TRUE(make_consistent(machine->system, method.space(), q, 0));
  const double energy = machine->system.energies(q).total();
  for (int n = 1; n <= 400; ++n) {
    ASSERT_EQ(method.attempt(q, 0.01, n * 0.01), Rosenbrock::Attempt::done) << n;
    ASSERT_TRUE(method.finish(next));
    std::swap(q, next);
    method.accepted();
  }
  EXPECT_GE(method.space().lifted().lift.partitions(), 4);
  EXPECT_NEAR(machine->system.energies(q).total(), energy, 1e-4);
}

}  // namespace
}  // namespace polhode::support
