// SPDX-License-Identifier: BSD-3-Clause
// Attempts at steps of a method that fails as the test says: what is tried, what is kept, and what is counted.
#include "polhode/integrators/step_attempts.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace polhode::support {
namespace {

using integrators::Outcome;
using integrators::State;
using integrators::Step;
using integrators::StepAttempts;
using integrators::StepReport;

// Counts time. Attempts of a size above `largest` fail after seven solves, others succeed after two; each accepted step
// does work of its own size.
class TimeKeeper final : public integrators::Integrator {
 public:
  explicit TimeKeeper(double largest) : largest_(largest) {}
  std::function<Outcome(const State&, const Step&)> outcome;  // where it is given, in the place of `largest`
  std::vector<Step> tried;

  bool start(State&, const integrators::Start&) override { return true; }
  const StepReport& attempt(const State& q, const Step& step) override {
    tried.push_back(step);
    report_ = {};
    report_.t = step.t_next;
    report_.h = step.h;
    report_.outcome = outcome ? outcome(q, step) : step.h <= largest_ ? Outcome::converged : Outcome::not_converged;
    report_.iterations = report_.succeeded() ? 2 : 7;
    next_ = q;
    next_.t = step.t_next;
    return report_;
  }
  void accept(State& q) override {
    before_ = q;
    q = next_;
    work_ = report_.h;
  }
  const StepReport& report() const override { return report_; }
  const State& previous() const override { return before_; }
  std::optional<double> external_work(double before) const override { return before + work_; }
  double pivot_ratio() const override { return 1; }
  void save(const State&, std::vector<double>&) override {}
  bool load(const State&, std::span<const double>) override { return true; }

 private:
  double largest_;
  double work_ = 0;
  StepReport report_;
  State next_;
  State before_;
};

State state_at(double t) {
  State q;
  q.resize(2, 0, 0);
  q.t = t;
  return q;
}

TEST(StepAttempts, AStepThatSucceedsIsTriedOnce) {
  TimeKeeper keeper(1);
  StepAttempts attempts(keeper, 4);
  State q = state_at(2);
  ASSERT_TRUE(attempts.advance(q, {.h = 0.5, .t_next = 2.5}));
  EXPECT_EQ(q.t, 2.5);
  EXPECT_EQ(keeper.tried.size(), 1u);
  EXPECT_EQ(attempts.reports().size(), 1u);
  EXPECT_EQ(attempts.wasted_iterations(), 0);
  EXPECT_EQ(attempts.previous().t, 2);
  EXPECT_EQ(attempts.external_work(10), 10.5);
}

// Parts cover the step, and all together do its work.
TEST(StepAttempts, AStepIsHalvedUntilItsPartsSucceed) {
  for (const int level : {1, 2, 3, 4}) {
    TimeKeeper keeper(0.8 / (1 << level));
    StepAttempts attempts(keeper, 4);
    State q = state_at(1);
    ASSERT_TRUE(attempts.advance(q, {.h = 0.8, .t_next = 1.8})) << level;
    EXPECT_EQ(q.t, 1.8);
    ASSERT_EQ(attempts.reports().size(), std::size_t{1} << level);
    double t = 1;
    for (const StepReport& report : attempts.reports()) {
      EXPECT_EQ(report.h, 0.8 / (1 << level));
      EXPECT_NEAR(report.t, t + report.h, 1e-15);
      EXPECT_TRUE(report.succeeded());
      t = report.t;
    }
    EXPECT_EQ(t, 1.8) << "the last part ends where the step does, to the last bit";
    EXPECT_EQ(attempts.wasted_iterations(), 7 * level) << "each level fails at its first part";
    EXPECT_EQ(attempts.previous().t, 1) << "of the whole step";
    EXPECT_NEAR(*attempts.external_work(3), 3.8, 1e-14);
  }
}

TEST(StepAttempts, AStepThatFailsInAnyPartsLeavesTheStateAsItWas) {
  TimeKeeper keeper(0);
  StepAttempts attempts(keeper, 3);
  State q = state_at(1);
  q.x[1] = model::Vec3(1, 2, 3);
  EXPECT_FALSE(attempts.advance(q, {.h = 0.8, .t_next = 1.8}));
  EXPECT_EQ(q.t, 1);
  EXPECT_EQ(q.x[1], model::Vec3(1, 2, 3));
  EXPECT_EQ(keeper.tried.size(), 4u);
  EXPECT_EQ(attempts.wasted_iterations(), 4 * 7);
  ASSERT_EQ(attempts.reports().size(), 1u);
  EXPECT_EQ(attempts.last_report().h, 0.1) << "of the last attempt";
}

// What was made before the failure is thrown away, and starts again from the begin of the step.
TEST(StepAttempts, PartsBeforeOneThatFailsAreWasted) {
  TimeKeeper keeper(1);
  keeper.outcome = [](const State& q, const Step& step) {
    return step.h > 0.2 && q.t + step.h > 0.55 ? Outcome::diverged : Outcome::converged;
  };
  StepAttempts attempts(keeper, 4);
  State q = state_at(0);
  ASSERT_TRUE(attempts.advance(q, {.h = 1, .t_next = 1}));
  // 1; 1/2, 1/2; 1/4, 1/4, 1/4; eight times 1/8
  EXPECT_EQ(keeper.tried.size(), 1u + 2 + 3 + 8);
  EXPECT_EQ(attempts.wasted_iterations(), 7 + (2 + 7) + (2 + 2 + 7));
  EXPECT_EQ(attempts.reports().size(), 8u);
  EXPECT_EQ(attempts.previous().t, 0);
}

TEST(StepAttempts, WithoutHalvingsAFailureIsFinal) {
  TimeKeeper keeper(0.5);
  StepAttempts attempts(keeper, 0);
  State q = state_at(0);
  EXPECT_FALSE(attempts.advance(q, {.h = 1, .t_next = 1}));
  EXPECT_EQ(keeper.tried.size(), 1u);
  EXPECT_EQ(attempts.last_report().outcome, Outcome::not_converged);
  ASSERT_TRUE(attempts.advance(q, {.h = 0.5, .t_next = 0.5}));
  EXPECT_EQ(attempts.wasted_iterations(), 0) << "of the last step alone";
}

TEST(StepAttempts, AnEndThatIsAskedForIsNoFailureOfTheMethod) {
  TimeKeeper keeper(0);
  StepAttempts attempts(keeper, 4);
  int asked = 0;
  State q = state_at(0);
  EXPECT_FALSE(attempts.advance(q, {.h = 1, .t_next = 1, .stop = [&asked] { return ++asked >= 2; }}));
  EXPECT_EQ(attempts.last_report().outcome, Outcome::interrupted);
  EXPECT_EQ(keeper.tried.size(), 2u) << "the whole step, and the first of two halves";
  EXPECT_EQ(q.t, 0);
}

TEST(StepAttempts, PartsKnowTheLimitOfTheirStep) {
  TimeKeeper keeper(0.3);
  StepAttempts attempts(keeper, 4);
  State q = state_at(0);
  ASSERT_TRUE(attempts.advance(q, {.h = 1, .t_next = 1, .limit = 1.25}));
  for (const Step& step : keeper.tried) EXPECT_EQ(step.limit, 1.25);
}

}  // namespace
}  // namespace polhode::support
