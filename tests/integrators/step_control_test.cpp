// SPDX-License-Identifier: BSD-3-Clause
// Steps under control: the arithmetic of the controller, the estimate against the true local error, the order of steps
// that change at random.
#include "polhode/integrators/step_control.hpp"

#include <gtest/gtest.h>

#include <random>

#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::IntegratorSettings;
using integrators::StepControl;
using integrators::StepControlSettings;

StepControlSettings tolerance(double value) {
  StepControlSettings settings;
  settings.tolerance = value;
  return settings;
}

std::unique_ptr<StepControl> controller(double initial, double max, double min) {
  return integrators::make_step_control(tolerance(1e-3), integrators::controlled_alpha, {initial, min, max});
}

constexpr double far = 100;  // s, to the next stop

TEST(StepControl, EndsOnStopsAndSharesTheLastEightSteps) {
  const auto control = controller(0.4, 10, 1e-6);
  EXPECT_EQ(control->propose(3.3), 0.4);
  EXPECT_FALSE(control->reaches_stop());
  EXPECT_EQ(control->propose(2.9), 2.9 / 8);
  EXPECT_FALSE(control->reaches_stop());
  EXPECT_EQ(control->propose(0.6), 0.3);
  EXPECT_FALSE(control->reaches_stop());
  EXPECT_EQ(control->propose(0.4 + 1e-12), 0.4 + 1e-12);
  EXPECT_TRUE(control->reaches_stop());
  EXPECT_EQ(control->propose(0.3), 0.3);
  EXPECT_TRUE(control->reaches_stop());
  control->accepted(0.12);
  EXPECT_EQ(control->propose(far), 0.4) << "a step that was cut by a stop does not cut the next one";
}

TEST(StepControl, ABoundHoldsForProposalsAndIsForgottenWithoutLoss) {
  for (const bool elementary : {false, true}) {
    const auto rule = elementary ? integrators::controlled_rosenbrock(4) : integrators::controlled_alpha;
    const auto control = integrators::make_step_control(tolerance(1e-3), rule, {0.4, 1e-6, 10});
    control->bound(0.1);
    EXPECT_EQ(control->propose(far), 0.1);
    EXPECT_FALSE(control->reaches_stop());
    control->accepted(0.12);
    EXPECT_EQ(control->propose(far), 0.1);
    EXPECT_EQ(control->propose(0.1), 0.1);
    EXPECT_TRUE(control->reaches_stop());
    control->accepted(0.12);
    control->bound(HUGE_VAL);
    EXPECT_GE(control->propose(far), 0.4);
    control->bound(1e-9);
    EXPECT_EQ(control->propose(far), 1e-6) << "the least step";
  }
}

TEST(StepControl, KeepsGrowsShrinksAndRepeats) {
  EXPECT_NEAR(integrators::allowed_error(1e-3), 0.1 * std::pow(1e-3, 1.5), 1e-20);
  const auto control = controller(0.1, 10, 1e-6);
  control->propose(far);
  control->accepted(1e-6);
  EXPECT_EQ(control->propose(far), 0.2) << "no more than doubled";
  control->accepted(0.12);
  EXPECT_EQ(control->propose(far), 0.2) << "the dead band";
  control->rejected(8);
  EXPECT_NEAR(control->propose(far), 0.05, 1e-15) << "aims at an eighth of what is allowed";
  control->accepted(1e-6);
  EXPECT_NEAR(control->propose(far), 0.05, 1e-15) << "no growth right after a repeated step";
  control->failed();
  EXPECT_NEAR(control->propose(far), 0.05 / 4, 1e-15);
  control->rejected(std::nan(""));
  EXPECT_NEAR(control->propose(far), 0.05 / 20, 1e-15);
}

TEST(StepControl, GrowsSlowlyOnceTheFirstStepsHaveGrownUp) {
  const integrators::StepRule rule = integrators::controlled_alpha;
  const auto control = integrators::make_step_control(tolerance(1e-3), rule, {0.1, 1e-6, 1e3});
  control->propose(far);
  control->accepted(1e-6);
  EXPECT_EQ(control->propose(far), 0.2) << "the first steps double";
  control->accepted(0.12);
  EXPECT_EQ(control->propose(far), 0.2) << "as long as its error allows";
  control->accepted(1e-6);
  EXPECT_EQ(control->propose(far), 0.2 * rule.later_growth);
  control->restart(far);
  const double behind = control->propose(far);
  control->accepted(1e-6);
  EXPECT_EQ(control->propose(far), 2 * behind) << "as at first";
}

TEST(StepControl, RespectsItsLimits) {
  const auto control = controller(0.1, 0.15, 0.01);
  control->propose(far);
  control->accepted(0);
  EXPECT_EQ(control->propose(far), 0.15);
  control->rejected(1e3);
  EXPECT_FALSE(control->gave_up());
  control->propose(far);
  control->rejected(1e3);
  EXPECT_EQ(control->propose(far), 0.01);
  EXPECT_FALSE(control->gave_up()) << "the least step has not been tried";
  control->rejected(1e3);
  EXPECT_TRUE(control->gave_up());
}

// Matrices that have the step in them serve on where the next one would be nearly the same.
TEST(StepControl, ElementaryRuleMayKeepSteps) {
  integrators::StepRule rule = integrators::controlled_rosenbrock(4);
  const auto next = [&rule](double factor) {
    const auto control = integrators::make_step_control(tolerance(1e-3), rule, {0.1, 1e-6, 10});
    control->propose(100);
    control->accepted(std::pow(rule.safety / factor, 4));
    return control->propose(100) / 0.1;
  };
  for (const double factor : {0.85, 0.95, 1.1, 1.3}) EXPECT_NEAR(next(factor), factor, 1e-12);
  rule.kept_below = 1.2;
  EXPECT_NEAR(next(0.85), 0.85, 1e-12);
  EXPECT_EQ(next(0.95), 1);
  EXPECT_EQ(next(1.1), 1);
  EXPECT_NEAR(next(1.3), 1.3, 1e-12);
}

TEST(StepControl, ElementaryRuleFollowsTheErrorWithinItsFactors) {
  const integrators::StepRule rule = integrators::controlled_rosenbrock(4);
  const auto control = integrators::make_step_control(tolerance(1e-3), rule, {0.1, 1e-6, 10});
  control->propose(far);
  control->accepted(std::pow(0.5, 4));
  const double grown = control->propose(far);
  EXPECT_NEAR(grown, 0.1 * 0.84 * 2, 1e-15);
  control->rejected(std::pow(2.0, 4));
  const double cut = control->propose(far);
  EXPECT_NEAR(cut, grown * 0.84 / 2, 1e-15);
  control->accepted(1e-12);
  EXPECT_EQ(control->propose(far), cut) << "no growth right after a repeated step";
  control->failed();
  EXPECT_NEAR(control->propose(far), 0.2 * cut, 1e-15);
}

TEST(StepControl, OwnStepsAreTheLibrarysAndAFailureIsFinal) {
  const integrators::StepRule rule{.kind = integrators::StepRule::Kind::own};
  const auto control = integrators::make_step_control(tolerance(1e-3), rule, {0, 1e-6, 10});
  EXPECT_EQ(control->propose(0.3), 0.3);
  control->accepted(100);
  EXPECT_FALSE(control->gave_up());
  control->failed();
  EXPECT_TRUE(control->gave_up());
}

TEST(StepSizes, ComeFromTheDeckOrFromTheDurationByTheRuleOfTheMethod) {
  const integrators::StepSizes sizes = step_sizes(tolerance(1e-3), integrators::controlled_alpha, 10, 0.01);
  EXPECT_EQ(sizes.max, 10.0 / 200);
  EXPECT_EQ(sizes.min, 1e-10 * 10);
  EXPECT_EQ(sizes.initial, 0.01 / 20) << "a part of the way to the first stop";
  EXPECT_EQ(step_sizes(tolerance(1e-3), integrators::controlled_rosenbrock(4), 10, 10).max, 2);
  StepControlSettings given = tolerance(1e-3);
  given.initial = 1;
  EXPECT_EQ(step_sizes(given, integrators::controlled_alpha, 10, 0.01).max, 1) << "not below the first step";
}

// ---- on the heavy top

IntegratorSettings perturbed(const std::string& name, double rho) {
  IntegratorSettings settings = method(name, rho);
  settings.initial = IntegratorSettings::Initial::perturbed;
  return settings;
}

double rms(const assembly::System& system, const State& a, const State& b) {
  double sum = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i) {
    sum += ((a.x[i] - b.x[i]) / system.length()).squaredNorm();
    sum += math::so3::log((a.quat[i].conjugate() * b.quat[i]).normalized()).squaredNorm();
  }
  return std::sqrt(sum / system.free_unknowns());
}

class ControlledMethod : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControlledMethod, testing::ValuesIn(methods),
                         [](const auto& name) { return name.param; });

// The estimate against a sixteenth of the step from the same state.
TEST_P(ControlledMethod, EstimateMeetsTheTrueLocalError) {
  const Machine machine(heavy_top());
  const IntegratorSettings settings = perturbed(GetParam(), 0.9);
  for (const bool changing : {false, true}) {
    const double h = 1e-3;
    State q = consistent_start(machine.system);
    constexpr double any = 1e30;  // tolerance
    Stepper stepper(machine.system, settings, to_round_off(), any);
    Stepper fine(machine.system, settings, to_round_off(), any);
    start(machine.system, settings, h, stepper, q);
    std::vector<double> ratios;
    for (int n = 1; n <= 150; ++n) {
      const double step = changing && n / 10 % 2 == 1 ? h / 2 : h;
      const State before = q;
      ASSERT_TRUE(stepper.attempt(q, step, q.t + step));
      const double estimate = stepper.local_error().of_step;
      stepper.accept(q);
      if (n < 50 || n % 10 == 0) continue;
      State exact = before;
      for (int i = 1; i <= 16; ++i) {
        ASSERT_TRUE(fine.attempt(exact, step / 16, before.t + i * step / 16));
        fine.accept(exact);
      }
      ratios.push_back(estimate / rms(machine.system, exact, q));
    }
    std::sort(ratios.begin(), ratios.end());
    const double median = ratios[ratios.size() / 2];
    EXPECT_GE(median, 0.8) << (changing ? "changing" : "equal") << " steps";
    EXPECT_LE(median, 1.25) << (changing ? "changing" : "equal") << " steps";
    EXPECT_GE(ratios.front(), 0.5);
    EXPECT_LE(ratios.back(), 2);
  }
}

struct MeanErrors {
  double x = 0;
  double R = 0;
  double v = 0;
  double lambda = 0;
};

constexpr double changes_until = 0.3;

// Errors at the ends of the steps, root of the mean square over time, against `exact`, whose states are closer
// together. (The largest ones of multipliers belong to the wildest changes of a random sequence, and vary from one to
// the next.)
MeanErrors mean_errors(const assembly::System& system, const IntegratorSettings& settings,
                       const std::vector<State>& exact, const std::vector<double>& steps) {
  State q = consistent_start(system);
  State reference = q;
  Stepper stepper(system, settings, to_round_off(), 1e30);
  start(system, settings, steps.front(), stepper, q);
  MeanErrors e;
  std::size_t at = 1;
  for (const double h : steps) {
    if (q.t + h > changes_until) break;
    if (!stepper.attempt(q, h, q.t + h)) throw std::runtime_error("failed");
    stepper.accept(q);
    while (exact[at].t < q.t) ++at;
    analyses::interpolate(system, exact[at - 1], exact[at], q.t, reference);
    e.x += h * (q.x[1] - reference.x[1]).squaredNorm();
    e.R += h * math::so3::log((q.quat[1].conjugate() * reference.quat[1]).normalized()).squaredNorm();
    e.v += h * (q.v[1] - reference.v[1]).squaredNorm();
    e.lambda += h * (q.lambda - reference.lambda).squaredNorm();
  }
  for (double* sum : {&e.x, &e.R, &e.v, &e.lambda}) *sum = std::sqrt(*sum / q.t);
  return e;
}

std::vector<double> random_steps(double h) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-1, 1);
  std::vector<double> steps;
  for (double t = 0; t < changes_until; t += steps.back()) steps.push_back(h * std::pow(2, exponent(random)));
  return steps;
}

std::vector<double> one_change(double h) {
  std::vector<double> steps(static_cast<std::size_t>(std::lround(changes_until / 2 / h)), h);
  steps.insert(steps.end(), 2 * steps.size(), h / 2);
  return steps;
}

class ChangingSteps : public testing::TestWithParam<std::tuple<std::string, double>> {};
INSTANTIATE_TEST_SUITE_P(Methods, ChangingSteps,
                         testing::Combine(testing::ValuesIn(methods), testing::Values(0.9, 0.6)), [](const auto& p) {
                           return std::get<0>(p.param) + (std::get<1>(p.param) == 0.9 ? "_09" : "_06");
                         });

TEST_P(ChangingSteps, KeepOrderTwoInEverything) {
  const auto& [name, rho] = GetParam();
  const Machine machine(heavy_top());
  const IntegratorSettings settings = perturbed(name, rho);
  std::vector<State> exact;
  const double fine = 2e-5;
  State q = consistent_start(machine.system);
  exact.push_back(q);
  run(machine.system, q, settings, to_round_off(), fine, static_cast<int>(std::lround(changes_until / fine)) + 1,
      [&](const State& now, const Stepper&) { exact.push_back(now); });
  for (const auto& [what, steps] :
       {std::pair{"random within a factor of 4", &random_steps}, {"one change", &one_change}}) {
    const MeanErrors coarse = mean_errors(machine.system, settings, exact, steps(1e-3));
    const MeanErrors small = mean_errors(machine.system, settings, exact, steps(2.5e-4));
    const auto order = [](double a, double b) { return std::log(a / b) / std::log(4.0); };
    EXPECT_GE(order(coarse.x, small.x), 1.8) << what << ": x " << coarse.x << " " << small.x;
    EXPECT_GE(order(coarse.R, small.R), 1.8) << what << ": R " << coarse.R << " " << small.R;
    EXPECT_GE(order(coarse.v, small.v), 1.8) << what << ": v " << coarse.v << " " << small.v;
    EXPECT_GE(order(coarse.lambda, small.lambda), 1.8) << what << ": lambda " << coarse.lambda << " " << small.lambda;
  }
}

}  // namespace
}  // namespace polhode::support
