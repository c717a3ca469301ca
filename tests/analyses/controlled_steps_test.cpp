// SPDX-License-Identifier: BSD-3-Clause
// Steps under control in a transient: stops, jumps, pulses, the least step; and the states between the steps.
#include <gtest/gtest.h>

#include <numbers>

#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using analyses::TransientResult;

struct SizeLooker final : analyses::Observer {
  std::vector<double> times;
  std::vector<double> sizes;
  void observe(const State& q, const integrators::StepRecord& step, const analyses::Progress& progress, bool) override {
    times.push_back(q.t);
    if (progress.step > 0) sizes.push_back(step.reports.back().h);
  }
  void warn(const std::string&) override {}
  bool has(double t) const { return std::find(times.begin(), times.end(), t) != times.end(); }
};

analyses::TransientSettings controlled(double duration, double tolerance, const std::string& name = "lie_alpha") {
  analyses::TransientSettings settings;
  settings.duration = duration;
  settings.control.emplace();
  settings.control->tolerance = tolerance;
  settings.integrator = method(name);
  return settings;
}

// 2 kg, free, under a force along x.
model::Model pushed_model(std::string_view history) {
  ModelMaker m;
  m.node("mass", Vec3::Zero());
  m.body("mass", "mass", 2, Vec3(0.1, 0.1, 0.1));
  m.add(model::Family::force, "load", "push",
        {{"node", value("mass")}, {"force", value(Vec3(1, 0, 0))}, {"history", expression(history)}});
  return std::move(m.model);
}

State end_of(Machine& machine, const analyses::TransientSettings& settings, SizeLooker& looker) {
  State q = machine.system.initial_state();
  model::Problems problems;
  const TransientResult result = run_transient(machine.system, settings, q, 0, looker, problems);
  EXPECT_EQ(result.end, TransientResult::End::done);
  return q;
}

class ControlledRun : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControlledRun, testing::ValuesIn(methods), [](const auto& p) { return p.param; });

TEST_P(ControlledRun, AJumpIsAStopAndTheMotionBehindItIsExact) {
  Machine machine(pushed_model("t < 0.3 ? 0 : 4"));
  SizeLooker looker;
  const State q = end_of(machine, controlled(1, 1e-4, GetParam()), looker);
  EXPECT_TRUE(looker.has(0.3));
  EXPECT_EQ(q.t, 1);
  EXPECT_NEAR(q.v[1][0], 2 * 0.7, 1e-12);
  EXPECT_NEAR(q.x[1][0], 0.7 * 0.7, 1e-12);  // a fixed step that straddles the jump has an error of order h
}

// The load is zero at all of its breakpoints: nothing but a look between them tells of the pulse.
TEST(ControlledSteps, APulseBetweenStopsIsNotSteppedOver) {
  model::Model model = pushed_model("t < 5 ? 0 : (t < 5.01 ? sin(pi*(t - 5)/0.01) : 0)");
  model.size = 1;
  Machine machine(std::move(model));
  SizeLooker looker;
  analyses::TransientSettings settings = controlled(20, 1e-3);
  settings.control->max = 1;
  const State q = end_of(machine, settings, looker);
  EXPECT_TRUE(looker.has(5) && looker.has(5.01));
  const double exact = 2 * 0.01 / std::numbers::pi / 2;
  EXPECT_NEAR(q.v[1][0], exact, 0.1 * exact);
  EXPECT_LE(std::abs(q.x[1][0] - exact * 14.995) / std::sqrt(6), 1e-3) << "the tolerance, of a model of size 1";
  EXPECT_GE(*std::max_element(looker.sizes.begin(), looker.sizes.end()), 0.5) << "rest costs little";
}

TEST(ControlledSteps, AStepBelowTheLeastOneEndsTheRunWithTheWorstRows) {
  Machine machine(heavy_top());
  analyses::TransientSettings settings = controlled(1, 1e-6);
  settings.control->initial = settings.control->min = 2e-3;
  model::Problems problems;
  State q = machine.system.initial_state();
  SizeLooker looker;
  const TransientResult result = run_transient(machine.system, settings, q, 0, looker, problems);
  EXPECT_EQ(result.end, TransientResult::End::failed);
  EXPECT_EQ(result.failure.outcome, integrators::Outcome::inaccurate);
  EXPECT_GT(result.failure.error, 1);
  ASSERT_FALSE(result.failure.worst.empty());
  EXPECT_EQ(result.failure.worst.front().substr(0, 13), "nodes.centre:") << result.failure.worst.front();
  EXPECT_EQ(q.t, looker.times.back()) << "the state is that of the last accepted step";
}

// Steps of different sizes cut from an accurate motion, and states in their middle.
TEST(StatesBetweenSteps, HaveOrderFourAndTwo) {
  const Machine machine(heavy_top());
  std::vector<State> states{consistent_start(machine.system)};
  const double h = 1e-5;
  integrators::IntegratorSettings settings = method("lie_alpha");
  settings.initial = integrators::IntegratorSettings::Initial::perturbed;
  run(machine.system, states.front(), settings, to_round_off(), h, 2000,
      [&](const State& q, const Stepper&) { states.push_back(q); });
  struct Errors {
    double x = 0;
    double R = 0;
    double v = 0;
    double lambda = 0;
  };
  const auto errors = [&](std::size_t width) {
    Errors e;
    State between = states.front();
    for (std::size_t i = 0; i + width < states.size(); i += width) {
      const State& exact = states[i + width * 3 / 8];
      analyses::interpolate(machine.system, states[i], states[i + width], exact.t, between);
      e.x = std::max(e.x, (between.x[1] - exact.x[1]).norm());
      e.R = std::max(e.R, math::so3::log((between.quat[1].conjugate() * exact.quat[1]).normalized()).norm());
      e.v = std::max(e.v, (between.v[1] - exact.v[1]).norm());
      e.lambda = std::max(e.lambda, (between.lambda - exact.lambda).norm());
    }
    return e;
  };
  const Errors wide = errors(800);
  const Errors coarse = errors(400);
  const Errors fine = errors(200);
  EXPECT_GE(coarse.x / fine.x, 12) << coarse.x << " " << fine.x;
  EXPECT_GE(coarse.R / fine.R, 12) << coarse.R << " " << fine.R;
  EXPECT_GE(coarse.v / fine.v, 10) << coarse.v << " " << fine.v;
  EXPECT_GE(wide.lambda / coarse.lambda, 3.2) << wide.lambda << " " << coarse.lambda;
}

}  // namespace
}  // namespace polhode::support
