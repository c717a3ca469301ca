// SPDX-License-Identifier: BSD-3-Clause
// The parts of a structure-preserving step, each by the law that it states: increments of nodes, the equations of a
// step and their tangents.
#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"
#include "polhode/integrators/structure/structure_equations.hpp"

namespace polhode::support {
namespace {

using assembly::System;
using integrators::NodeBody;
using integrators::NodeStep;
using integrators::StructureEquations;
using integrators::StructureMethod;
using integrators::StructureStep;
using math::Mat6;
using ChartOfTurns = StructureSettings::Increments;
using PlaceOfForces = StructureSettings::Potential;

class NodeStepOf : public testing::TestWithParam<ChartOfTurns> {
 protected:
  NodeStep step_of(const Vec3& t, const Vec3& dx = Vec3::Zero()) const {
    NodeStep n;
    n.chart = GetParam();
    n.dx = dx;
    n.t = t;
    n.set_rotation_terms();
    return n;
  }
  const NodeBody body{2.5, Vec3(0.3, -0.2, 0.4), Mat3(Vec3(0.5, 0.9, 0.7).asDiagonal())};
  const Vec3 gravity{0.4, -1, -9};
  const double h = 0.03;
};
INSTANTIATE_TEST_SUITE_P(Charts, NodeStepOf, testing::Values(ChartOfTurns::cayley, ChartOfTurns::quaternion),
                         [](const auto& p) { return p.param == ChartOfTurns::cayley ? "cayley" : "quaternion"; });

TEST_P(NodeStepOf, RotationIsThatOfTheTurnAndItsTangentTheDerivative) {
  std::mt19937 random(1);
  for (const double size : {0.0, 1e-7, 0.1, 0.9}) {
    const Vec3 t = size * random_direction(random);
    const NodeStep n = step_of(t);
    EXPECT_LE((n.C * n.C.transpose() - Mat3::Identity()).norm(), 1e-15 * 10);
    EXPECT_LE((n.C - n.turn.toRotationMatrix()).norm(), 1e-15);
    for (int k = 0; k < 3; ++k) {
      const Mat3 rate = derivative([&](double d) -> Mat3 { return step_of(t + d * Vec3::Unit(k)).C; });
      EXPECT_LE((n.C.transpose() * rate - math::tilde(Vec3(n.F.col(k)))).norm(), 1e-8) << size << " " << k;
    }
  }
}

TEST_P(NodeStepOf, TurnAndIncrementAreInversesAndTheOppositeIncrementTurnsBack) {
  std::mt19937 random(2);
  for (const double size : {1e-6, 0.3, 0.95}) {
    const NodeStep n = step_of(size * random_direction(random));
    NodeStep again = step_of(Vec3::Zero());
    again.set_turn(n.turn);
    EXPECT_LE((again.t - n.t).norm(), 1e-14);
    math::so3::Quaternion other = n.turn;
    other.coeffs() *= -1;
    again.set_turn(other);
    EXPECT_LE((again.t - n.t).norm(), 1e-14) << "the same rotation";
    EXPECT_LE((step_of(-n.t).C - n.C.transpose()).norm(), 1e-14);
  }
}

TEST_P(NodeStepOf, TangentsAreTheDerivativesOfTheResiduals) {
  const Mat3 R = math::so3::exp_quaternion(Vec3(0.3, 1, -0.6)).toRotationMatrix();
  Vec6 v;
  v << 1, -2, 0.5, 3, 1, -2;
  const Vec3 dx(0.04, -0.05, 0.02);
  const Vec3 t(0.2, -0.1, 0.3);
  const NodeStep n = step_of(t, dx);
  Mat6 momenta;
  Mat6 variational;
  for (int k = 0; k < 6; ++k) {
    const auto moved = [&](double d) {
      Vec6 z;
      z << dx, t;
      z[k] += d;
      return step_of(z.tail<3>(), z.head<3>());
    };
    momenta.col(k) = derivative(
        [&](double d) -> Vec6 { return integrators::energy_momentum::residual(body, moved(d), R, v, gravity, h); });
    variational.col(k) = derivative([&](double d) -> Vec6 {
      return integrators::variational::residual(body, moved(d), R, body.momentum(R, v), gravity, h);
    });
  }
  EXPECT_LE(relative_difference(integrators::variational::tangent(body, n, R), variational), 1e-9);
  if (GetParam() != ChartOfTurns::cayley) return;
  EXPECT_LE(relative_difference(integrators::energy_momentum::tangent(body, n, R, v, gravity, h), momenta), 1e-9);
}

// Momenta that enter a step are the force-free residual over h; those that leave it are what enters the step back.
TEST_P(NodeStepOf, MomentaOfTheStepBackAreThoseOfTheStepReversed) {
  const Mat3 R = math::so3::exp_quaternion(Vec3(-0.3, 0.4, 0.9)).toRotationMatrix();
  const NodeStep forth = step_of(Vec3(0.1, 0.25, -0.2), Vec3(0.3, 0.1, -0.2));
  const NodeStep back = step_of(-forth.t, -forth.dx);
  const Mat3 R_end = R * forth.C;
  const auto entering = [&](const NodeStep& n, const Mat3& at) {
    Vec6 r = integrators::variational::residual(body, n, at, Vec6::Zero(), Vec3::Zero(), h);
    r.tail<3>() -= body.c.cross(at.transpose() * Vec3(r.head<3>()));
    return Vec6(r / h);
  };
  const auto leaving = [&](const NodeStep& n, const Mat3& at) {
    return integrators::variational::end_momentum(body, n, at, Vec3::Zero(), h);
  };
  EXPECT_LE((leaving(forth, R) + entering(back, R_end)).norm(), 1e-12 * leaving(forth, R).norm());
  EXPECT_LE((leaving(back, R_end) + entering(forth, R)).norm(), 1e-12 * entering(forth, R).norm());
  // A body that no force acts on keeps its spatial angular momentum: R Pi of both ends is the same.
  EXPECT_LE((R * entering(forth, R).tail<3>() - R_end * leaving(forth, R).tail<3>()).norm(), 1e-12);
  EXPECT_NEAR(integrators::variational::kinetic_energy(body, forth, R, h),
              integrators::variational::kinetic_energy(body, back, R_end, h), 1e-10);
}

struct Structured {
  const char* name;
  const char* method;
  ChartOfTurns increments;
  PlaceOfForces potential;
  friend void PrintTo(const Structured& s, std::ostream* out) { *out << s.name; }
};
const std::array<Structured, 5> structured{
    {{"energy_momentum", "energy_momentum", ChartOfTurns::cayley, PlaceOfForces::midpoint},
     {"midpoint", "variational", ChartOfTurns::quaternion, PlaceOfForces::midpoint},
     {"cayley", "variational", ChartOfTurns::cayley, PlaceOfForces::midpoint},
     {"node", "variational", ChartOfTurns::quaternion, PlaceOfForces::node},
     {"left", "variational", ChartOfTurns::cayley, PlaceOfForces::left}}};

IntegratorSettings structured_settings(const Structured& s) {
  IntegratorSettings settings = method(s.method);
  if (std::string(s.method) == "variational")
    settings.own = StructureSettings{.increments = s.increments, .potential = s.potential};
  return settings;
}

class StructureParts : public testing::TestWithParam<Structured> {
 protected:
  // Momenta of variational; the increments as predict() has them, disturbed.
  State begin(const StructureMethod& of, StructureStep& step, double h, double disturbance) const {
    State q = moving_state(of.system, 4);
    q.memory.assign(q.x.size(), Vec6::Zero());
    for (std::size_t i = 1; i < q.memory.size(); ++i) q.memory[i] = of.bodies[i].momentum(q.R[i], q.v[i]);
    step.begin_at(q);
    step.set_size(h);
    step.predict(q);
    std::mt19937 random(6);
    const std::vector<Vec6> off = by_node(of.system, disturbance * random_free(of.system, random));
    for (std::size_t i = 1; i < q.x.size(); ++i) {
      step.nodes[i].dx += off[i].head<3>();
      step.nodes[i].t += off[i].tail<3>();
    }
    return q;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, StructureParts, testing::ValuesIn(structured),
                         [](const auto& p) { return std::string(p.param.name); });

TEST_P(StructureParts, IncrementsOfAComposedStepAreItsOwnAndTheMeanIsSymmetric) {
  const Machine machine(hung_chain());
  const StructureMethod of(machine.system, structured_settings(GetParam()));
  StructureStep step(of);
  const State old = begin(of, step, 0.02, 0.05);
  State next = old;
  ASSERT_TRUE(step.compose(old, next));
  StructureStep found(of);
  found.begin_at(old);
  found.set_size(0.02);
  found.set_increments(old, next);
  step.set_mean(old, next);
  StructureStep back(of);
  back.begin_at(next);
  back.set_mean(next, old);
  back.set_increments(next, old);
  for (std::size_t i = 1; i < old.x.size(); ++i) {
    EXPECT_LE((found.nodes[i].dx - step.nodes[i].dx).norm() + (found.nodes[i].t - step.nodes[i].t).norm(), 1e-14);
    EXPECT_LE((back.nodes[i].dx + step.nodes[i].dx).norm() + (back.nodes[i].t + step.nodes[i].t).norm(), 1e-14);
    EXPECT_EQ(back.mean.x[i], step.mean.x[i]);
    EXPECT_EQ(back.mean.R[i], step.mean.R[i]);
  }
}

TEST_P(StructureParts, APredictedStepIsTheMotionOfTheVelocitiesToSecondOrder) {
  const Machine machine(hung_chain());
  const StructureMethod of(machine.system, structured_settings(GetParam()));
  const auto error = [&](double h) {
    StructureStep step(of);
    const State old = begin(of, step, h, 0);
    State next = old;
    EXPECT_TRUE(step.compose(old, next));
    double largest = 0;
    for (std::size_t i = 1; i < old.x.size(); ++i)
      largest = std::max(largest, ((next.R[i] - old.R[i]) / h - old.R[i] * math::tilde(old.v[i].tail<3>())).norm());
    return largest;
  };
  EXPECT_NEAR(std::log2(error(2e-3) / error(1e-3)), 1, 0.05);
}

TEST_P(StructureParts, MatrixOfAStepIsTheDerivativeOfItsResidual) {
  for (const auto make : {&hung_chain, &driven_top, &spring_pendulum, &resolved_four_bar}) {
    const Machine machine(make());
    const System& system = machine.system;
    const StructureMethod of(system, structured_settings(GetParam()));
    StructureStep step(of);
    const State old = begin(of, step, 0.02, 0.02);
    State next = old;
    next.t = old.t + 0.02;
    assembly::SparseMatrix matrix = system.make_matrix();
    StructureEquations equations(of, step, matrix);
    equations.begin_step();
    const int n = system.free_unknowns();
    const std::vector<int> kept = kept_rows(system, old);
    const StructureStep origin = step;
    const auto residual = [&](const VectorX& z) {
      const std::vector<Vec6> moved = by_node(system, z.head(n));
      for (std::size_t i = 1; i < old.x.size(); ++i) {
        step.nodes[i].dx = origin.nodes[i].dx + moved[i].head<3>();
        step.nodes[i].t = origin.nodes[i].t + moved[i].tail<3>();
      }
      step.L = origin.L + z.tail(system.rows());
      EXPECT_TRUE(step.compose(old, next));
      equations.evaluate(old, next);
      VectorX r(system.size());
      system.gather(equations.residual(), old.dropped, 1, r);
      return r;
    };
    MatrixX exact(system.size(), system.size());
    for (int j = 0; j < system.size(); ++j)
      exact.col(j) = derivative([&](double d) -> VectorX { return residual(d * VectorX::Unit(system.size(), j)); });
    residual(VectorX::Zero(system.size()));
    equations.linearize(old, next, matrix);
    MatrixX found = dense_of(matrix);
    for (const int row : old.dropped.rows) {
      EXPECT_EQ(found(n + row, n + row), 1);
      exact.row(n + row) = found.row(n + row);
      exact.col(n + row) = found.col(n + row);
    }
    EXPECT_LE((found - exact).cwiseAbs().maxCoeff(), 1e-8 * (1 + exact.cwiseAbs().maxCoeff()));
  }
}

}  // namespace
}  // namespace polhode::support
