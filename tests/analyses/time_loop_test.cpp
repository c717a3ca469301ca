// SPDX-License-Identifier: BSD-3-Clause
// The loop over time, with a method that does as the test says: which steps it tries, what follows a failed one, where
// the method starts anew.
#include "analyses/transient/time_loop.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

using analyses::Grid;
using analyses::Stop;
using integrators::Outcome;
using integrators::Step;
using integrators::StepReport;

// Moves its node along x by h a step, and fails where the test says so.
class Fake final : public integrators::Integrator {
 public:
  std::function<Outcome(const Step&)> outcome = [](const Step&) { return Outcome::converged; };
  double error = 0;
  // m/s, along x at the end of a step
  std::function<double(const Step&)> speed = [](const Step&) { return 0.0; };
  int starts = 0;
  int kinks = 0;
  int projections = 0;
  bool must_start = false;
  bool remembers = true;
  std::vector<Step> tried;

  bool start(State&, const integrators::Start& from) override {
    ++starts;
    stops.push_back(from.stop);
    must_start = false;
    return true;
  }
  void pass_kink(State&) override { ++kinks; }
  bool remembers_accelerations() const override { return remembers; }
  bool wants_start(const State&) const override { return must_start; }
  const StepReport& attempt(const State& q, const Step& step) override {
    tried.push_back(step);
    next_ = q;
    next_.t = step.t_next;
    next_.x[1][0] += step.h;
    next_.v[1][0] = speed(step);
    next_.last_step = step.h;
    report_ = {};
    report_.t = step.t_next;
    report_.h = step.h;
    report_.iterations = 3;
    report_.outcome = outcome(step);
    report_.error = error;
    return report_;
  }
  void accept(State& q) override { std::swap(q, next_); }
  const StepReport& report() const override { return report_; }
  const State& previous() const override { return next_; }
  void project_velocities(State&) override { ++projections; }
  double pivot_ratio() const override { return 1; }
  void save(const State&, std::vector<double>&) override {}
  bool load(const State&, std::span<const double>) override { return true; }

  std::vector<double> stops;

 private:
  State next_;
  StepReport report_;
};

struct Watcher final : analyses::Observer {
  std::vector<double> times;
  std::vector<std::size_t> sub_steps;
  int wasted = 0;
  int interrupt_after = -1;
  std::function<bool()> asks_to_stop = [] { return false; };
  void observe(const State& q, const integrators::StepRecord& step, const analyses::Progress&, bool) override {
    times.push_back(q.t);
    sub_steps.push_back(step.reports.size());
    wasted += step.wasted_iterations;
    if (step.previous) {
      EXPECT_LT(step.previous->t, q.t);
    }
  }
  bool interrupted() const override { return static_cast<int>(times.size()) == interrupt_after || asks_to_stop(); }
  void warn(const std::string&) override {}
};

// A mass of 2 kg under a force along x, stepped by the fake.
struct Loop {
  explicit Loop(const std::string& history = "1") : deck(pushed(history, "0.1")), machine(deck.model) {
    q = machine.system.initial_state();
  }
  TransientResult::End run(std::unique_ptr<analyses::StepPlan> plan, bool controlled, int halvings = 0) {
    analyses::Redundancy redundancy(machine.system);
    analyses::TimeLoop loop({.system = machine.system,
                             .integrator = method,
                             .plan = *plan,
                             .redundancy = redundancy,
                             .observer = watcher,
                             .problems = problems,
                             .duration = 1,
                             .halvings = halvings,
                             .controlled = controlled,
                             .restarts_at_breakpoints = restarts},
                            result);
    std::optional<TransientResult::End> end = loop.begin(q, 0.1);
    while (!end) end = loop.step(q);
    return *end;
  }
  TransientResult::End run_fixed(double h, int halvings = 0, std::vector<double> projections = {},
                                 std::vector<double> jumps = {}) {
    return run(analyses::make_fixed_plan(Grid(0, h, 1), {.projections = projections, .jumps = jumps}), false, halvings);
  }
  TransientResult::End run_controlled(double h, std::vector<Stop> stops, double min = 1e-6) {
    integrators::StepControlSettings settings;
    settings.tolerance = 1e-3;
    auto control = integrators::make_step_control(settings, {}, {h, min, h});
    return run(analyses::make_controlled_plan(std::move(stops), std::move(control)), true);
  }

  io::Deck deck;
  Machine machine;
  State q;
  Fake method;
  Watcher watcher;
  model::Problems problems;
  TransientResult result;
  bool restarts = false;
};

TEST(TimeLoop, FixedStepsEndOnTheGridAndTheLastOneClosesTheInterval) {
  Loop loop;
  EXPECT_EQ(loop.run_fixed(0.3), TransientResult::End::done);
  ASSERT_EQ(loop.watcher.times.size(), 5u);
  EXPECT_EQ(loop.watcher.times[3], 3 * 0.3);
  EXPECT_EQ(loop.watcher.times[4], 1);
  EXPECT_NEAR(loop.method.tried.back().h, 0.1, 1e-15);
  EXPECT_EQ(loop.result.progress.steps, 4);
  EXPECT_EQ(loop.method.starts, 1);
}

TEST(TimeLoop, AFailedStepIsSubdividedUntilItsPartsSucceed) {
  Loop loop;
  loop.method.outcome = [](const Step& step) { return step.h > 0.06 ? Outcome::diverged : Outcome::converged; };
  EXPECT_EQ(loop.run_fixed(0.2, 4), TransientResult::End::done);
  EXPECT_EQ(loop.watcher.sub_steps.back(), 4u) << "0.2 and 0.1 s fail, 0.05 s does not";
  EXPECT_EQ(loop.result.progress.halved, 5);
  EXPECT_EQ(loop.result.progress.step, 5);
  EXPECT_EQ(loop.watcher.wasted, 5 * (3 + 3)) << "one attempt at the whole step, one at its first half";
  EXPECT_NEAR(loop.q.x[1][0], 1, 1e-14) << "every part counts once";
}

TEST(TimeLoop, AStepThatFailsForGoodLeavesTheStateAlone) {
  Loop loop;
  loop.method.outcome = [](const Step& step) { return step.t_next > 0.56 ? Outcome::diverged : Outcome::converged; };
  EXPECT_EQ(loop.run_fixed(0.1, 2), TransientResult::End::failed);
  EXPECT_NEAR(loop.q.t, 0.5, 1e-15);
  EXPECT_NEAR(loop.q.x[1][0], 0.5, 1e-14) << "a sub-step that had succeeded was taken back";
  EXPECT_EQ(loop.result.failure.outcome, Outcome::diverged);
  EXPECT_EQ(loop.method.tried.size(), 5u + 1 + 2 + 3) << "whole, two halves, three of four quarters";
  EXPECT_EQ(loop.result.progress.wasted, 3 * (1 + 2 + 3));
}

TEST(TimeLoop, AStepToNumbersThatAreNotFiniteFailsAndLeavesTheStateAlone) {
  Loop loop;
  const double none = std::numeric_limits<double>::quiet_NaN();
  loop.method.speed = [&](const Step& step) { return step.t_next > 0.56 ? none : 0; };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::failed);
  EXPECT_NEAR(loop.q.t, 0.5, 1e-15);
  EXPECT_EQ(loop.q.v[1][0], 0);
  EXPECT_EQ(loop.result.progress.step, 5);
  EXPECT_EQ(loop.watcher.times.size(), 6u) << "the start and five steps";
  EXPECT_EQ(loop.result.failure.outcome, Outcome::not_finite);
  EXPECT_EQ(loop.result.failure.said, "the velocity of nodes.mass is not finite at t = 0.6 s");
}

TEST(TimeLoop, AStepWhoseEnergyOverflowsFailsThoughItsNumbersAreFinite) {
  Loop loop;
  loop.method.speed = [](const Step& step) { return step.t_next > 0.56 ? -1e200 : 0; };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::failed);
  EXPECT_NEAR(loop.q.t, 0.5, 1e-15);
  EXPECT_EQ(loop.result.failure.outcome, Outcome::not_finite);
  EXPECT_EQ(loop.result.failure.said,
            "the energy is not finite at t = 0.6 s; nodes.mass is the worst node, with a velocity of 1e+200 m/s or "
            "rad/s");
}

// 2 kg at 1000 m/s are 1 MJ; a force of 1 N does no more than 50 J on the step to that speed.
TEST(TimeLoop, AStepToFarMoreEnergyThanWasGivenFails) {
  Loop loop;
  loop.method.speed = [](const Step& step) { return step.t_next > 0.56 ? 1000 : 0; };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::failed);
  EXPECT_NEAR(loop.q.t, 0.5, 1e-15);
  EXPECT_EQ(loop.result.progress.external_work, 0) << "the step that failed has done no work";
  EXPECT_EQ(loop.result.failure.outcome, Outcome::unbounded);
  EXPECT_EQ(loop.result.failure.said,
            "kinetic and strain energy have grown to 1e+06 J at t = 0.6 s, though start, loads, drives and gravity "
            "gave no more than 50 J; nodes.mass is the worst node, with a velocity of 1e+03 m/s or rad/s");
}

// Nothing gives energy to a mass at rest without a load: its kinetic energy of 1e-10 J is infinitely far above.
TEST(TimeLoop, RoundOffOfAModelAtRestIsNoEnergy) {
  Loop still("0");
  still.method.speed = [](const Step&) { return 1e-5; };
  EXPECT_EQ(still.run_fixed(0.1), TransientResult::End::done);
  Loop moving("0");
  moving.method.speed = [](const Step&) { return 1.0; };
  EXPECT_EQ(moving.run_fixed(0.1), TransientResult::End::failed);
}

TEST(TimeLoop, EnergyOfTheStartIsNoGrowth) {
  Loop loop("0");
  loop.q.v[1][0] = 1;
  loop.method.speed = [](const Step&) { return 5.0; };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::done) << "25 times as much is the error of a method";
}

TEST(TimeLoop, ControlledStepsEndOnEveryStop) {
  Loop loop;
  EXPECT_EQ(loop.run_controlled(0.15, {{0.2, true, false}, {0.55, false, true}, {1, false, false}}),
            TransientResult::End::done);
  for (const double stop : {0.2, 0.55, 1.0})
    EXPECT_NE(std::find(loop.watcher.times.begin(), loop.watcher.times.end(), stop), loop.watcher.times.end()) << stop;
  EXPECT_EQ(loop.method.projections, 1);
  for (const Step& step : loop.method.tried) {
    EXPECT_FALSE(step.t_next - step.h < 0.2 - 1e-9 && step.t_next > 0.2) << "no step passes a stop";
  }
  EXPECT_LT(loop.method.tried[1].t_next, 0.2) << "loads that jump at a breakpoint have not jumped yet";
}

TEST(TimeLoop, ARejectedStepIsTriedAgainSmaller) {
  Loop loop;
  int calls = 0;
  loop.method.outcome = [&](const Step&) { return ++calls == 2 ? Outcome::inaccurate : Outcome::converged; };
  loop.method.error = 0.1;
  EXPECT_EQ(loop.run_controlled(0.1, {{1, false, false}}), TransientResult::End::done);
  EXPECT_EQ(loop.result.progress.rejected_for_error, 1);
  EXPECT_LT(loop.method.tried[2].h, loop.method.tried[1].h);
  EXPECT_NEAR(loop.q.x[1][0], 1, 1e-12);
}

TEST(TimeLoop, GivesUpAtTheSmallestStep) {
  Loop loop;
  loop.method.outcome = [](const Step& step) {
    return step.t_next > 0.5 ? Outcome::not_converged : Outcome::converged;
  };
  EXPECT_EQ(loop.run_controlled(0.1, {{1, false, false}}, 1e-3), TransientResult::End::failed);
  EXPECT_LE(loop.q.t, 0.5);
  EXPECT_EQ(loop.result.failure.outcome, Outcome::not_converged);
  EXPECT_GT(loop.result.progress.wasted, 0);
}

TEST(TimeLoop, AnInterruptionEndsBehindTheLastGoodStep) {
  Loop loop;
  loop.watcher.interrupt_after = 4;  // states, the first one included
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::interrupted);
  EXPECT_EQ(loop.result.progress.step, 3);
  EXPECT_NEAR(loop.q.t, 0.3, 1e-15);
}

TEST(TimeLoop, AnInterruptionEndsAFailingStepBehindItsNextAttempt) {
  for (const std::size_t attempts : {2, 3}) {  // the second fails; the third is half of it, which succeeds
    Loop loop;
    loop.method.outcome = [](const Step& step) {
      return step.t_next > 0.16 ? Outcome::not_converged : Outcome::converged;
    };
    loop.watcher.asks_to_stop = [&] { return loop.method.tried.size() >= attempts; };
    EXPECT_EQ(loop.run_fixed(0.1, 4), TransientResult::End::interrupted);
    EXPECT_EQ(loop.method.tried.size(), attempts);
    EXPECT_NEAR(loop.q.t, 0.1, 1e-15) << "where the last good step ended";
    EXPECT_EQ(loop.result.progress.step, 1);
    EXPECT_EQ(loop.result.progress.wasted, static_cast<long>(3 * (attempts - 1)));
  }
}

TEST(TimeLoop, AnInterruptionEndsARowOfRejectedSteps) {
  Loop loop;
  loop.method.outcome = [](const Step&) { return Outcome::not_converged; };
  loop.watcher.asks_to_stop = [&] { return loop.method.tried.size() >= 2; };
  EXPECT_EQ(loop.run_controlled(0.1, {{1, false, false}}), TransientResult::End::interrupted);
  EXPECT_EQ(loop.method.tried.size(), 2u);
  EXPECT_EQ(loop.q.t, 0);
}

TEST(TimeLoop, AStepThatAMethodBreaksOffIsNotTriedAgain) {
  Loop loop;
  loop.method.outcome = [](const Step& step) { return step.t_next > 0.55 ? Outcome::interrupted : Outcome::converged; };
  EXPECT_EQ(loop.run_fixed(0.1, 4), TransientResult::End::interrupted);
  EXPECT_EQ(loop.method.tried.size(), 6u);
  EXPECT_NEAR(loop.q.t, 0.5, 1e-15);
}

TEST(TimeLoop, StepsAskTheObserver) {
  Loop loop;
  bool asked_for = false;
  loop.watcher.asks_to_stop = [&] { return asked_for; };
  loop.method.outcome = [&](const Step& step) {
    EXPECT_FALSE(math::is_asked_to_stop(step.stop));
    asked_for = step.t_next > 0.35;
    return math::is_asked_to_stop(step.stop) ? Outcome::interrupted : Outcome::converged;
  };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::interrupted);
  EXPECT_NEAR(loop.q.t, 0.3, 1e-15);
}

TEST(TimeLoop, AMethodStartsAnewBehindAJumpAndGoesOnBehindAKink) {
  Loop jump("t < 0.5 ? 0 : 1");
  EXPECT_EQ(jump.run_controlled(0.1, {{0.5, true, false}, {1, false, false}}), TransientResult::End::done);
  EXPECT_EQ(jump.method.starts, 2);
  EXPECT_EQ(jump.method.stops, (std::vector<double>{0.5, 1}));
  Loop kink("t < 0.5 ? 0 : t - 0.5");
  EXPECT_EQ(kink.run_controlled(0.1, {{0.5, true, false}, {1, false, false}}), TransientResult::End::done);
  EXPECT_EQ(kink.method.starts, 1);
  EXPECT_EQ(kink.method.kinks, 1);
  Loop smooth("t");
  EXPECT_EQ(smooth.run_controlled(0.1, {{0.5, true, false}, {1, false, false}}), TransientResult::End::done);
  EXPECT_EQ(smooth.method.starts + smooth.method.kinks, 1);
}

TEST(TimeLoop, AFixedStepThatEndsOnAJumpEndsJustBeforeItAndTheNextOneBeginsBehindIt) {
  Loop loop("t < 0.3 ? 0 : 1");
  EXPECT_EQ(loop.run_fixed(0.1, 0, {}, {0.3}), TransientResult::End::done);
  EXPECT_EQ(loop.method.starts, 2);
  ASSERT_EQ(loop.method.tried.size(), 10u);
  EXPECT_LT(loop.method.tried[2].t_next, 0.3);
  EXPECT_EQ(loop.method.tried[2].limit, loop.method.tried[2].t_next);
  EXPECT_EQ(loop.method.tried[3].t_next, 4 * 0.1);
  EXPECT_EQ(loop.method.tried[3].limit, std::numeric_limits<double>::infinity());
  ASSERT_EQ(loop.watcher.times.size(), 11u);
  EXPECT_EQ(loop.watcher.times[3], 3 * 0.1) << "states stand on the grid";
  EXPECT_NEAR(loop.q.vdot[1][0], 0.5, 1e-15) << "made anew behind the jump, 1 N on 2 kg";
}

TEST(TimeLoop, AMethodWithoutAccelerationsOfBeforeGoesOnBehindAJump) {
  Loop loop("t < 0.3 ? 0 : 1");
  loop.method.remembers = false;
  EXPECT_EQ(loop.run_fixed(0.1, 0, {}, {0.3}), TransientResult::End::done);
  EXPECT_EQ(loop.method.starts, 1);
  EXPECT_EQ(loop.q.vdot[1][0], 0);
}

TEST(TimeLoop, AMethodOfTheKindThatRestartsDoesSoAtEveryBreakpoint) {
  Loop loop("t");
  loop.restarts = true;
  EXPECT_EQ(loop.run_controlled(0.1, {{0.5, true, false}, {1, false, false}}), TransientResult::End::done);
  EXPECT_EQ(loop.method.starts, 2);
}

TEST(TimeLoop, AMethodThatAsksForItStartsAnewBeforeTheNextAttempt) {
  Loop loop;
  loop.method.outcome = [&](const Step& step) {
    loop.method.must_start = step.t_next > 0.35 && loop.method.starts == 1;
    return Outcome::converged;
  };
  EXPECT_EQ(loop.run_fixed(0.1), TransientResult::End::done);
  EXPECT_EQ(loop.method.starts, 2);
}

TEST(TimeLoop, VelocitiesAreProjectedAtTheEndOfTheStepThatReachesTheTime) {
  Loop loop;
  EXPECT_EQ(loop.run_fixed(0.1, 0, {0.05, 0.3, 0.31}), TransientResult::End::done);
  EXPECT_EQ(loop.method.projections, 3);
}

TEST(Stops, AreAscendingAndOneWhereTheyCoincide) {
  const std::vector<double> breakpoints{0.7, 0.2, 0.2 + 1e-15, 1.5, 0};
  const std::vector<double> projections{0.2, 1};
  const std::vector<Stop> stops = analyses::find_stops(breakpoints, projections, 0, 1);
  ASSERT_EQ(stops.size(), 3u);
  EXPECT_EQ(stops[0].t, 0.2);
  EXPECT_TRUE(stops[0].breakpoint && stops[0].projection);
  EXPECT_EQ(stops[1].t, 0.7);
  EXPECT_EQ(stops[2].t, 1);
  EXPECT_TRUE(stops[2].projection);
}

}  // namespace
}  // namespace polhode::support
