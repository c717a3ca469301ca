// SPDX-License-Identifier: BSD-3-Clause
// The derivative of the power along the solution of a stage, and the chart that stages stand in.
#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"
#include "polhode/integrators/rosenbrock/stage_equations.hpp"

namespace polhode::support {
namespace {

using integrators::Coordinates;
using integrators::StageEquations;
using integrators::StateSpace;

// Of loads, dampers and drives: a damped spring and a load that changes with time; driven, the motor's as well.
model::Model damped_stone() {
  ModelMaker m;
  m.node("stone", Vec3(1, 0.2, -0.3));
  m.body("stone", "stone", 2, Vec3(0.3, 0.2, 0.4));
  m.add(Family::force, "spring_damper", "damper",
        {{"connects", std::vector<std::string>{"ground", "stone"}},
         {"at", math::MatrixX((math::MatrixX(3, 2) << 0, 1.1, 0, 0.3, 0, -0.2).finished())},
         {"stiffness", 40.0},
         {"damping", 3.0}});
  m.add(Family::force, "load", "push",
        {{"node", value("stone")}, {"force", value(Vec3(0, 8, 5))}, {"history", expression("cos(2*t)")}});
  return std::move(m.model);
}

// A stage of h about a moving state, solved for any right-hand sides.
class PowerOf : public testing::TestWithParam<MovingModel> {
 protected:
  static constexpr double h = 0.01;
  static constexpr double gamma = 0.57;
  PowerOf() {
    EXPECT_TRUE(space.begin(q, h));
    stages.begin();
    stages.linearize(h);
    EXPECT_TRUE(stages.factorize(h, gamma));
  }
  double change_for(const VectorX& right, const VectorX& rate, double dt) {
    VectorX u(right.size());
    stages.solve(right, rate, dt, u);
    return stages.power_change(u, dt, system.power(q));
  }
  const Machine machine{GetParam().make()};
  const assembly::System& system = machine.system;
  const State q = moving_state(system, 6);
  StateSpace space{system, Coordinates::weighted};
  StageEquations stages{system, space};
  std::mt19937 random{11};
  const VectorX b = random_free(system, random);
  const VectorX d = random_free(system, random);
};
INSTANTIATE_TEST_SUITE_P(Models, PowerOf,
                         testing::Values(MovingModel{"stone", &damped_stone}, MovingModel{"driven_top", &driven_top},
                                         MovingModel{"chain", &hung_chain}),
                         name_of_model);

// By one-sided differences of order two, whose error is in proportion to their step.
TEST_P(PowerOf, ChangeIsLinearInTheSolutionOfTheStage) {
  const double dt = 0.003;
  const double one = change_for(b, d, dt);
  const double scale = std::abs(one) + std::abs(system.power(q));
  EXPECT_NEAR(change_for(2 * b, 2 * d, 2 * dt), 2 * one, 1e-5 * scale);
  EXPECT_NEAR(change_for(-b, -d, -dt), -one, 1e-5 * scale) << "from the other side";
  EXPECT_NEAR(change_for(b, d, 0) + change_for(0 * b, 0 * d, dt), one, 1e-5 * scale);
}

TEST_P(PowerOf, ChangeLeavesTheOriginAsItWas) {
  const State before = space.chart().origin();
  change_for(b, d, 0.003);
  for (std::size_t i = 0; i < before.x.size(); ++i) {
    EXPECT_EQ(space.chart().origin().x[i], before.x[i]);
    EXPECT_EQ(space.chart().origin().v[i], before.v[i]);
  }
  EXPECT_EQ(space.chart().origin().t, before.t);
  EXPECT_EQ(space.chart().origin().lambda, before.lambda);
}

// Along (h (d + gamma u), u, dt), by states of the chart a little before and behind the origin.
TEST_P(PowerOf, ChangeIsThatOfStatesAlongTheSolution) {
  const double dt = 0.004;
  VectorX u(b.size());
  stages.solve(b, d, dt, u);
  const VectorX way = h * (d + gamma * u);
  const VectorX speed = free_of(system, q.v);
  VectorX F(b.size());
  const auto power_at = [&](double s) {
    EXPECT_TRUE(space.evaluate(s * way, speed + s * u, q.t + s * dt, F));
    return space.loads().power(space.chart().stage());
  };
  const double exact = (8 * (power_at(1e-3) - power_at(-1e-3)) - (power_at(2e-3) - power_at(-2e-3))) / 12e-3;
  const double scale = std::abs(exact) + std::abs(system.power(q));
  EXPECT_NEAR(stages.power_change(u, dt, system.power(q)), exact, 1e-5 * scale);
}

class ChartOf : public testing::TestWithParam<MovingModel> {
 protected:
  const Machine machine{GetParam().make()};
  const State q = moving_state(machine.system, 8);
  integrators::StateChart chart{machine.system};
};
INSTANTIATE_TEST_SUITE_P(Models, ChartOf, testing::ValuesIn(moving_models), name_of_model);

TEST_P(ChartOf, AStageWithoutADisplacementIsTheOrigin) {
  State origin = q;
  origin.load_factor = 0.75;
  origin.history.setConstant(3);
  chart.begin(origin);
  for (const Mat3& T : chart.T()) EXPECT_EQ(T, Mat3(Mat3::Identity()));
  std::fill(chart.theta().begin(), chart.theta().end(), Vec6::Zero());
  chart.thetad() = q.v;
  ASSERT_TRUE(chart.place(2.5));
  chart.set_T();
  chart.set_velocities();
  const State& stage = chart.stage();
  EXPECT_EQ(stage.t, 2.5);
  EXPECT_EQ(stage.load_factor, 0.75);
  EXPECT_EQ(stage.history, origin.history);
  EXPECT_EQ(stage.dropped.rows, q.dropped.rows);
  for (std::size_t i = 0; i < q.x.size(); ++i) {
    EXPECT_EQ(stage.x[i], q.x[i]);
    EXPECT_LE((stage.R[i] - q.R[i]).norm(), 1e-15);
    EXPECT_LE((stage.v[i] - q.v[i]).norm(), 1e-15 * (1 + q.v[i].norm()));
  }
}

// Charts about two states of one motion show the same motion: theta and its rates belong to the origin.
TEST_P(ChartOf, AnyOriginGivesTheSameStageOnATurnAboutOneAxis) {
  const Vec3 axis = Vec3(2, -1, 2) / 3;
  const auto stage_from = [&](const State& origin, double turn, double way) {
    chart.begin(origin);
    for (std::size_t i = 0; i < q.x.size(); ++i) {
      chart.theta()[i] << way * axis, turn * axis;
      chart.thetad()[i] << 2 * axis, 3 * axis;
    }
    EXPECT_TRUE(chart.place(q.t));
    chart.set_T();
    chart.set_velocities();
    return chart.stage();
  };
  const State whole = stage_from(q, 1.7, 0.5);
  const State half = stage_from(q, 1.1, 0.2);
  const State rest = stage_from(half, 0.6, 0.3);
  for (std::size_t i = 0; i < q.x.size(); ++i) {
    EXPECT_LE((rest.x[i] - whole.x[i]).norm(), 1e-14);
    EXPECT_LE((rest.R[i] - whole.R[i]).norm(), 1e-14);
    EXPECT_LE((rest.v[i] - whole.v[i]).norm(), 1e-13);
    EXPECT_LE((whole.v[i].tail<3>() - 3 * axis).norm(), 1e-14) << "T leaves its own axis alone";
  }
}

}  // namespace
}  // namespace polhode::support
