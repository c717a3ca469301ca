// SPDX-License-Identifier: BSD-3-Clause
// The parts of a transient, each by the law that it states: grids, plans of steps, states between steps, breakpoints.
#include <gtest/gtest.h>

#include <random>

#include "analyses/transient/breakpoint.hpp"
#include "analyses/transient/stops.hpp"
#include "polhode/analyses/transient/dense_output.hpp"
#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

using analyses::BreakpointProbe;
using analyses::Grid;
using analyses::Stop;

integrators::StepReport report_of(const integrators::Step& step) {
  integrators::StepReport report;
  report.t = step.t_next;
  report.h = step.h;
  return report;
}

class GridOf : public testing::TestWithParam<std::array<double, 3>> {
 protected:
  Grid grid() const { return {GetParam()[0], GetParam()[1], GetParam()[2]}; }
};
INSTANTIATE_TEST_SUITE_P(Intervals, GridOf,
                         testing::Values(std::array{0.0, 0.1, 1.0}, std::array{0.0, 0.3, 1.0},
                                         std::array{2.5, 1e-3, 0.7}, std::array{-1.0, 0.07, 0.5},
                                         std::array{0.0, 2.0, 1.0}, std::array{1e3, 1.0 / 3, 5.0}));

TEST_P(GridOf, StepsCoverTheIntervalWithoutGaps) {
  const Grid g = grid();
  const double round_off = 4e-16 * (std::abs(g.t0) + g.duration);
  double covered = 0;
  for (long n = 1; n <= g.steps; ++n) {
    EXPECT_GT(g.size(n), 0);
    EXPECT_LE(g.size(n), g.h * (1 + 1e-9));
    EXPECT_NEAR(g.end(n) - (n == 1 ? g.t0 : g.end(n - 1)), g.size(n), 4 * round_off);
    EXPECT_EQ(g.shorter(n), n == g.steps && !g.whole);
    covered += g.size(n);
  }
  EXPECT_NEAR(covered, g.duration, 1e-12 * g.duration);
  EXPECT_NEAR(g.end(g.steps), g.t0 + g.duration, round_off);
}

TEST_P(GridOf, AFixedPlanMakesItsStepsAndProjectsOnceForEachTime) {
  const Grid g = grid();
  const std::vector<double> projections{g.t0 + 0.31 * g.duration, g.t0 + 0.77 * g.duration};
  const std::unique_ptr<analyses::StepPlan> plan = analyses::make_fixed_plan(g, {.projections = projections});
  EXPECT_EQ(plan->steps(), g.steps);
  double t = g.t0;
  std::vector<double> projected;
  long n = 0;
  while (!plan->done()) {
    ASSERT_LT(n, g.steps);
    const integrators::Step step = plan->next(t);
    ++n;
    EXPECT_DOUBLE_EQ(step.t_next, g.end(n));
    const analyses::Arrival arrival = plan->accept(report_of(step));
    EXPECT_EQ(arrival.last, n == g.steps);
    if (arrival.project) projected.push_back(arrival.t);
    t = arrival.t;
  }
  for (const double at : projections) {
    const auto after = [&](double p) { return p >= at - 1e-9 && p < at + g.h; };
    EXPECT_TRUE(std::any_of(projected.begin(), projected.end(), after)) << at;
  }
  EXPECT_LE(projected.size(), projections.size());
}

// Proposes sizes at random, up to the stop.
class RandomControl final : public integrators::StepControl {
 public:
  double propose(double remaining) override {
    const double size = std::uniform_real_distribution<double>(0.001, 0.2)(random_);
    reaches_stop_ = size >= remaining;
    return std::min(size, remaining);
  }
  void accepted(double) override {}
  void rejected(double) override {}
  void failed() override {}
  void restart(double) override {}

 private:
  std::mt19937 random_{5};
};

TEST(ControlledPlan, ArrivesAtEachStopOnceInTheirOrder) {
  const std::vector<double> breakpoints{0.3, 0.30000000000000004, 1.1, 2};
  const std::vector<double> projections{0.7, 1.1};
  const std::vector<Stop> stops = analyses::find_stops(breakpoints, projections, 0, 2);
  const auto plan = analyses::make_controlled_plan(stops, std::make_unique<RandomControl>());
  double t = 0;
  std::vector<double> arrived;
  while (!plan->done()) {
    ASSERT_LE(t, plan->stop());
    const integrators::Step step = plan->next(t);
    EXPECT_GT(step.h, 0);
    EXPECT_LE(step.t_next, plan->stop());
    EXPECT_LE(step.t_next, step.limit);
    const analyses::Arrival arrival = plan->accept(report_of(step));
    EXPECT_GT(arrival.t, t);
    t = arrival.t;
    if (arrival.breakpoint || arrival.project || arrival.last) arrived.push_back(t);
    EXPECT_EQ(arrival.last, plan->done());
  }
  EXPECT_EQ(arrived, (std::vector<double>{0.3, 0.7, 1.1, 2}));
}

model::Model spinning_stone() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -10);
  m.node("stone", Vec3(1, 2, 3));
  m.body("stone", "stone", 2, Vec3(0.5, 0.5, 0.5));
  return std::move(m.model);
}

// A cubic motion of the position, and a turn about a fixed axis whose angle is a cubic, too.
State cubic_state(const assembly::System& system, double t) {
  State q = system.initial_state();
  const Vec3 axis = Vec3(1, 2, -2) / 3;
  q.t = t;
  q.x[1] = Vec3(1 + t, 2 - t * t, 3 + t * t * t);
  q.v[1] << 1, -2 * t, 3 * t * t, (0.4 + 1.2 * t - 0.9 * t * t) * axis;
  q.vdot[1] << 0, -2, 6 * t, (1.2 - 1.8 * t) * axis;
  q.set_rotation(1, math::so3::exp_quaternion((0.4 * t + 0.6 * t * t - 0.3 * t * t * t) * axis));
  return q;
}

TEST(Interpolation, IsExactOfCubicMotions) {
  const Machine machine(spinning_stone());
  const State a = cubic_state(machine.system, 0.2);
  const State b = cubic_state(machine.system, 1.1);
  State between;
  for (const double t : {0.2, 0.3, 0.65, 1.0, 1.1}) {
    analyses::interpolate(machine.system, a, b, t, between);
    const State exact = cubic_state(machine.system, t);
    EXPECT_EQ(between.t, t);
    EXPECT_LE((between.x[1] - exact.x[1]).norm(), 1e-14);
    EXPECT_LE((between.R[1] - exact.R[1]).norm(), 1e-14);
    EXPECT_LE((between.v[1] - exact.v[1]).norm(), 1e-14);
    EXPECT_LE((between.vdot[1].head<3>() - exact.vdot[1].head<3>()).norm(), 1e-14);
  }
}

TEST(Interpolation, IsTheSameOneBackwardsInTime) {
  const Machine machine(spinning_stone());
  std::mt19937 random(3);
  const auto random_state = [&](double t) {
    State q = cubic_state(machine.system, t);
    q.v[1] << random_vector(random), random_vector(random);
    q.vdot[1] << random_vector(random), random_vector(random);
    return q;
  };
  const auto reversed = [](State q) {
    q.t *= -1;
    q.v[1] *= -1;
    return q;
  };
  const State a = random_state(0);
  const State b = random_state(0.4);
  State there;
  State back;
  for (const double t : {0.05, 0.2, 0.33}) {
    analyses::interpolate(machine.system, a, b, t, there);
    analyses::interpolate(machine.system, reversed(b), reversed(a), -t, back);
    EXPECT_LE((there.x[1] - back.x[1]).norm(), 1e-14);
    EXPECT_LE((there.v[1] + back.v[1]).norm(), 1e-14);
    EXPECT_LE((there.vdot[1] - back.vdot[1]).norm(), 1e-14);
    // Rotations are interpolated from the begin: the same ones up to the order of the method.
    EXPECT_LE((there.R[1] - back.R[1]).norm(), 0.02);
  }
}

struct Breakpoint {
  const char* name;
  const char* function;
  BreakpointProbe::Kind kind;
  bool pulse;
  friend void PrintTo(const Breakpoint& b, std::ostream* out) { *out << b.name; }
};
class BreakpointOf : public testing::TestWithParam<Breakpoint> {};
INSTANTIATE_TEST_SUITE_P(
    Functions, BreakpointOf,
    testing::Values(Breakpoint{"constant", "2", BreakpointProbe::Kind::smooth, false},
                    Breakpoint{"line", "1 + 3*t", BreakpointProbe::Kind::smooth, false},
                    Breakpoint{"sine", "sin(2*t)", BreakpointProbe::Kind::smooth, true},
                    Breakpoint{"kink", "t < 0.5 ? 1 : 1 + (t - 0.5)", BreakpointProbe::Kind::kink, false},
                    Breakpoint{"small_kink", "10 + (t < 0.5 ? 0 : 0.01*(t - 0.5))", BreakpointProbe::Kind::kink, false},
                    Breakpoint{"curved_on", "t < 0.5 ? 1 : 1 + 40*(t - 0.5)^2", BreakpointProbe::Kind::smooth, true},
                    Breakpoint{"jump", "t < 0.5 ? 1 : 2", BreakpointProbe::Kind::jump, false},
                    Breakpoint{"small_jump", "t < 0.5 ? 1 : 1.0001", BreakpointProbe::Kind::jump, false},
                    Breakpoint{"jump_with_slope", "t < 0.5 ? 5*t : 2 - t", BreakpointProbe::Kind::jump, false},
                    Breakpoint{"pulse", "t < 0.5 ? 1 : (t < 0.7 ? 3 : 1)", BreakpointProbe::Kind::jump, true}),
    [](const auto& p) { return std::string(p.param.name); });

TEST_P(BreakpointOf, IsWhatTheFunctionDoesThere) {
  ModelMaker m;
  m.model = spinning_stone();
  m.add(Family::force, "load", "push",
        {{"node", value("stone")}, {"force", value(Vec3(3, -4, 0))}, {"history", expression(GetParam().function)}});
  const Machine machine(std::move(m.model));
  BreakpointProbe probe(machine.system);
  State q = machine.system.initial_state();
  q.t = 0.5;
  EXPECT_EQ(probe.kind(q, 0.01), GetParam().kind);
  EXPECT_EQ(q.t, 0.5);
  EXPECT_EQ(probe.more_than_linear(q, 1.1), GetParam().pulse);
  EXPECT_EQ(q.t, 0.5);
}

}  // namespace
}  // namespace polhode::support
