// SPDX-License-Identifier: BSD-3-Clause
// Paths of equilibria on curves that are known, the equations that they solve, and laws of small displacements.
#include <gtest/gtest.h>

#include "analyses/static/equilibrium.hpp"
#include "support/bench.hpp"
#include "support/deck_text.hpp"
#include "support/dense.hpp"
#include "support/models.hpp"
#include "support/statics.hpp"
#include "support/truss.hpp"

namespace polhode::support {
namespace {

using analyses::Equilibrium;
using analyses::StaticResult;
using analyses::StaticSettings;

StaticSettings arc_length() {
  StaticSettings settings;
  settings.control = StaticSettings::Control::arc_length;
  return settings;
}

class TrussPath : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Heights, TrussPath, testing::Values(0.1, 0.3, -0.3, 0.6),
                         [](const auto& p) { return std::to_string(static_cast<int>(10 * p.param) + 10); });

TEST_P(TrussPath, EachPointIsOnTheCurveAndLimitLoadsAreItsExtrema) {
  Truss truss{.height = GetParam(), .load = 0};
  truss.load = (truss.height > 0 ? 1.5 : -1.5) * std::abs(Truss{truss.height, 1}.limit());
  const Followed run(truss, arc_length());
  ASSERT_EQ(run.result.end, StaticResult::End::done) << run.result.failure;
  double before = truss.height;
  for (std::size_t i = 0; i < run.path.states.size(); ++i) {
    const double y = run.path.states[i].x[1].dot(truss.up());
    EXPECT_NEAR(run.path.steps[i].load_factor * truss.load, truss.force_at(y), 1e-8) << y;
    EXPECT_GE((before - y) * (truss.height > 0 ? 1 : -1), 0) << "the path does not go back";
    before = y;
  }
  ASSERT_EQ(run.result.limit_loads.size(), 2u);
  EXPECT_NEAR(run.result.limit_loads[0], std::abs(truss.limit()), 1e-7);
  EXPECT_NEAR(run.result.limit_loads[1], -std::abs(truss.limit()), 1e-7);
  EXPECT_EQ(run.path.steps.back().load_factor, 1);
}

TEST_P(TrussPath, DoesNotDependOnTheFrame) {
  Truss truss{.height = GetParam(), .load = 0};
  truss.load = (truss.height > 0 ? 1.5 : -1.5) * std::abs(Truss{truss.height, 1}.limit());
  Truss turned = truss;
  turned.turn = 0.9;
  const Followed a(truss, arc_length());
  const Followed b(turned, arc_length());
  ASSERT_EQ(a.path.states.size(), b.path.states.size());
  for (std::size_t i = 0; i < a.path.states.size(); ++i) {
    EXPECT_NEAR(a.path.steps[i].load_factor, b.path.steps[i].load_factor, 1e-8);
    EXPECT_NEAR(a.path.states[i].x[1].dot(truss.up()), b.path.states[i].x[1].dot(turned.up()), 1e-8);
  }
}

// By Simpson's rule between neighbors, from the curve.
TEST_P(TrussPath, WorkOfTheLoadIsTheStrainEnergy) {
  Truss truss{.height = GetParam(), .load = 0};
  truss.load = (truss.height > 0 ? 1.5 : -1.5) * std::abs(Truss{truss.height, 1}.limit());
  const Followed run(truss, arc_length());
  double work = 0;
  for (std::size_t i = 1; i < run.path.states.size(); ++i) {
    const double a = run.path.states[i - 1].x[1].dot(truss.up());
    const double b = run.path.states[i].x[1].dot(truss.up());
    const double loads = run.path.steps[i - 1].load_factor + run.path.steps[i].load_factor;
    work += (a - b) / 6 * (truss.load * loads + 4 * truss.force_at((a + b) / 2));
  }
  const double strain = run.machine.system.energies(run.q).strain / Truss::stiffness;
  EXPECT_NEAR(work, strain, 2e-3 * std::abs(strain) + 1e-6);
}

TEST_P(TrussPath, LoadStepsOfAnySizeAndArcLengthEndAtTheSameEquilibriumBelowTheLimit) {
  Truss truss{.height = GetParam(), .load = 0};
  truss.load = (truss.height > 0 ? 0.8 : -0.8) * Truss{truss.height, 1}.limit();
  const double y = Followed(truss, arc_length()).q.x[1].dot(truss.up());
  EXPECT_NEAR(truss.force_at(y), truss.load, 1e-9);
  for (const double first : {1.0, 0.3, 0.05}) {
    StaticSettings settings;
    settings.first_step = settings.largest_step = first;
    const Followed run(truss, settings);
    EXPECT_EQ(run.result.end, StaticResult::End::done);
    EXPECT_GE(run.result.steps, static_cast<int>(1 / first));
    EXPECT_NEAR(run.q.x[1].dot(truss.up()), y, 1e-9);
    EXPECT_TRUE(run.result.limit_loads.empty());
  }
}

TEST_P(TrussPath, LoadStepsEndBelowTheLimitLoad) {
  Truss truss{.height = GetParam(), .load = 0};
  truss.load = (truss.height > 0 ? 1.7 : -1.7) * Truss{truss.height, 1}.limit();
  const Followed run(truss, {});
  EXPECT_EQ(run.result.end, StaticResult::End::failed);
  EXPECT_NEAR(run.result.load_factor, 1 / 1.7, 1e-3);
  EXPECT_LE(run.result.load_factor, 1 / 1.7 + 1e-9);
}

// A cantilever with a body that hangs from its tip by a hinge with a spring.
model::Model hinged_cantilever(const Vec3& force) {
  model::Model model = cantilever(4);
  ModelMaker m;
  m.model = std::move(model);
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("weight", Vec3(2, 0.1, -0.4));
  m.body("weight", "weight", 0.8, Vec3(0.01, 0.02, 0.03));
  m.joint("revolute", "hinge", "tip", "weight", Vec3(2, 0, 0)).values.emplace("axis", value(Vec3(1, 0, 0)));
  m.add(Family::force, "torsional_spring_damper", "bent",
        {{"connects", std::vector<std::string>{"tip", "weight"}}, {"axis", value(Vec3(1, 0, 0))}, {"stiffness", 30.0}});
  m.add(Family::force, "load", "more", {{"node", value("weight")}, {"force", value(force)}});
  return std::move(m.model);
}

class EquilibriumAt : public testing::TestWithParam<double> {
 protected:
  void SetUp() override {
    start.t = 1;
    q = start;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-0.02, 0.02);
    VectorX d = VectorX::Zero(system.size());
    for (double& x : d) x = uniform(random);
    equations.loads().set_parameter(q, GetParam());
    equations.apply(q, d, 1);
  }
  VectorX residual(State at, double s) {
    EXPECT_TRUE(equations.evaluate(at, s));
    VectorX r(system.size());
    system.gather(equations.residual(), {}, 1, r);
    return r;
  }
  const Machine machine{hinged_cantilever(Vec3(1, 2, 0))};
  const assembly::System& system = machine.system;
  const StaticSettings settings{};
  State start = system.initial_state();
  Equilibrium equations{system, settings, false, start};
  State q;
};
// An upright rod on a spring that is too soft falls to the side of its load: no load step ends on the other one.
TEST(StableBranch, IsOnTheSideOfTheLoad) {
  for (const double soft : {0.25, 0.33, 0.5, 0.6, 0.7, 0.9})
    for (const double push : {1e-5, 1e-3, 6e-3, 1e-2, -1e-5, -6e-3}) {
      const io::Deck deck = deck_of(
          "format: polhode-deck/1\ngravity: [0, 0, -10]\nnodes: {a: {position: [0, 0, 1]}}\n"
          "bodies: {a: {type: rigid_body, node: a, mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
          "joints: {h: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], stiffness: " +
          std::to_string(10 * soft) + "}}\nforces: {s: {type: load, node: a, force: [" + std::to_string(10 * push) +
          ", 0, 0]}}\nanalysis: {type: static, stable: true}\n");
      const Machine machine(deck.model);
      State q = machine.system.initial_state();
      PathKeeper keeper;
      model::Problems problems;
      const auto result =
          run_static(machine.system, *deck.analyses.front().as<StaticSettings>(), false, q, keeper, problems);
      EXPECT_EQ(result.end, StaticResult::End::done) << soft << ' ' << push;
      EXPECT_GT(q.x[1][0] * push, 0) << soft << ' ' << push;
    }
}

// In equilibrium nothing moves: the path is a straight line along the load factor, and round-off gives it no length.
TEST(ArcLength, EndsAtOnceWhereLoadsMoveNothing) {
  for (const char* gravity : {"[0, 0, -9.81]", "[0, 0, 0]"}) {
    const io::Deck deck = deck_of(
        std::string("format: polhode-deck/1\ngravity: ") + gravity +
        "\nnodes: {m: {position: [0, 0, -1.1], dofs: translation, fixed: [x, y]}}\n"
        "bodies: {m: {type: point_mass, node: m, mass: 2}}\n"
        "forces: {sp: {type: spring_damper, connects: [ground, m], at: [[0, 0, 0], [0, 0, -1.1]], stiffness: 100}}\n"
        "analysis: [{type: static}, {type: static, control: arc_length}]\n");
    const Machine machine(deck.model);
    State q = machine.system.initial_state();
    for (const analyses::Analysis& analysis : deck.analyses) {
      PathKeeper keeper;
      model::Problems problems;
      const auto result = run_static(machine.system, *analysis.as<StaticSettings>(), false, q, keeper, problems);
      EXPECT_EQ(result.end, StaticResult::End::done);
      EXPECT_LE(result.steps, 20);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parameters, EquilibriumAt, testing::Values(0, 0.4, 1),
                         [](const auto& p) { return std::to_string(static_cast<int>(10 * p.param)); });

TEST_P(EquilibriumAt, TangentIsTheDerivativeOfTheResidual) {
  const double s = GetParam();
  const int n = system.free_unknowns();
  residual(q, s);
  ASSERT_TRUE(equations.linearize(q));
  const MatrixX A = dense_of(equations.stiffness().matrix());
  MatrixX exact(system.size(), system.size());
  for (int j = 0; j < system.size(); ++j)
    exact.col(j) = derivative(
        [&](double d) -> VectorX {
          State moved = q;
          VectorX along = VectorX::Zero(system.size());
          along[j] = d;
          if (j < n)
            equations.apply(moved, along, 1);
          else
            moved.lambda[j - n] += d;
          return residual(moved, s);
        },
        1e-4);
  const double scale = A.topLeftCorner(n, n).norm() / exact.topLeftCorner(n, n).norm();
  EXPECT_LE(relative_difference(A.topLeftCorner(n, n), scale * exact.topLeftCorner(n, n)), 1e-7);
  EXPECT_LE(relative_difference(A.bottomLeftCorner(system.rows(), n), exact.bottomLeftCorner(system.rows(), n)), 1e-8);
  EXPECT_LE(relative_difference(A.topRightCorner(n, system.rows()), exact.topRightCorner(n, system.rows())), 1e-8);
}

TEST_P(EquilibriumAt, CorrectionsLeadToThePathAndItsTangentIsTheDerivative) {
  const double s = GetParam();
  VectorX d(system.size());
  const auto solve = [&](double at) {
    State z = q;
    double size = 1;
    for (int i = 0; i < 11 && size > 1e-11; ++i) {
      residual(z, at);
      EXPECT_TRUE(equations.linearize(z));
      equations.set_correction(d);
      size = equations.displacements().largest(d);
      equations.apply(z, d, 1);
    }
    EXPECT_LE(size, 1e-11);
    return z;
  };
  const State here = solve(s);
  residual(here, s);
  ASSERT_TRUE(equations.linearize(here));
  const double unbalance = equations.force_norm();
  VectorX tangent(system.size());
  equations.set_tangent(here, s, tangent);
  EXPECT_EQ(equations.force_norm(), unbalance) << "the residual is as before";
  const double step = 1e-4;
  const State ahead = solve(s + step);
  const State behind = solve(s - step);
  for (std::size_t i = 1; i < here.x.size(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int k = 0; k < 3 && u.count == 6; ++k)
      EXPECT_NEAR((ahead.x[i][k] - behind.x[i][k]) / (2 * step), tangent[u.first + k], 1e-5) << i;
  }
}

TEST_P(EquilibriumAt, DisplacementsAppliedForthAndBackLeaveTheStateAlone) {
  residual(q, GetParam());
  ASSERT_TRUE(equations.linearize(q));
  VectorX d(system.size());
  equations.set_correction(d);
  State there = q;
  equations.apply(there, d, 0.5);
  equations.apply(there, d, -0.5);
  for (std::size_t i = 1; i < q.x.size(); ++i)
    EXPECT_LE((there.x[i] - q.x[i]).norm() + (there.R[i] - q.R[i]).norm(), 1e-13);
  EXPECT_LE((there.lambda - q.lambda).norm(), 1e-10 * (1 + d.norm()));
}

// Maxwell and Betti: the displacement at i by a small force at j is that at j by the same force at i.
TEST(SmallDisplacements, AreReciprocalAndAddUp) {
  const double small = 1e-4;
  // A beam from the origin over (1, 0, 0) to (2, 0.5, 0.3).
  const auto displacement = [&](const Vec3& at_middle, const Vec3& at_tip) {
    ModelMaker m;
    m.node("root", Vec3::Zero()).fixed.fill(true);
    m.node("middle", Vec3(1, 0, 0));
    m.node("tip", Vec3(2, 0.5, 0.3));
    Vec6 stiffness;
    stiffness << 1e4, 5e3, 5e3, 60, 80, 100;
    m.section("bar", stiffness, 1.5, Vec3(0.02, 0.01, 0.01));
    for (const auto& [from, to] : {std::pair{"root", "middle"}, std::pair{"middle", "tip"}}) {
      m.add(Family::beam, "beam", from,
            {{"section", value("bar")}, {"from", value(from)}, {"to", value(to)}, {"elements", 2.0}});
      m.add(Family::force, "load", to,
            {{"node", value(to)}, {"force", value(std::string_view(to) == "tip" ? at_tip : at_middle)}});
    }
    const Machine machine(std::move(m.model));
    const State start = machine.system.initial_state();
    const State end = equilibrium(machine.system);
    Vec6 moved = Vec6::Zero();
    for (std::size_t i = 1; i < start.x.size(); ++i) {
      if ((start.x[i] - Vec3(1, 0, 0)).norm() < 1e-9) moved.head<3>() = end.x[i] - start.x[i];
      if ((start.x[i] - Vec3(2, 0.5, 0.3)).norm() < 1e-9) moved.tail<3>() = end.x[i] - start.x[i];
    }
    return moved;
  };
  math::Mat6 compliance;
  for (int k = 0; k < 3; ++k) {
    compliance.col(k) = displacement(small * Vec3::Unit(k), Vec3::Zero()) / small;
    compliance.col(3 + k) = displacement(Vec3::Zero(), small * Vec3::Unit(k)) / small;
  }
  EXPECT_LE((compliance - compliance.transpose()).norm(), 1e-4 * compliance.norm());
  EXPECT_GT(compliance.topRightCorner(3, 3).norm(), 1e-3 * compliance.norm());
  const Vec3 f(2, -1, 3);
  const Vec3 g(-1, 4, 2);
  Vec6 both;
  both << f, g;
  EXPECT_LE((displacement(small * f, small * g) / small - compliance * both).norm(), 1e-3 * (compliance * both).norm());
}

}  // namespace
}  // namespace polhode::support
