// SPDX-License-Identifier: BSD-3-Clause
// What a transient counts, step by step: attempts, energies, impulses of drives.
#include "analyses/transient/step_counts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "analyses/transient/drive_impulses.hpp"
#include "analyses/transient/energy_balance.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using analyses::EnergyBalance;
using analyses::Progress;
using analyses::StepCounts;

// A step of the heavy top that is done: of 8 ms, which some of are subdivided.
class BookedSteps : public testing::Test {
 protected:
  BookedSteps() {
    EXPECT_TRUE(method_->start(q_, {}));
    progress.shortest = 1;
  }
  void advance(double h) { ASSERT_TRUE(step.advance(q_, {.h = h, .t_next = q_.t + h})); }

 private:
  const Machine machine_{heavy_top()};
  const integrators::IntegratorSettings settings_ = method("lie_alpha");
  const integrators::NewtonSettings newton_ = to_round_off();
  std::unique_ptr<integrators::Integrator> method_ = integrators::make_integrator(
      {.system = machine_.system, .settings = settings_, .newton = newton_, .control = nullptr, .duration = 1});
  State q_ = consistent_start(machine_.system);

 protected:
  integrators::StepAttempts step{*method_, 4};
  StepCounts counts;
  Progress progress;
};

TEST_F(BookedSteps, TotalsAreTheSumsOfTheReportsOfAllParts) {
  long iterations = 0;
  long factorizations = 0;
  long wasted = 0;
  long halved = 0;
  double shortest = 1;
  for (int n = 0; n < 30; ++n) {
    advance(8e-3);
    counts.add_wasted(step.wasted_iterations());
    wasted += counts.wasted();
    halved += step.reports().size() > 1;
    for (const integrators::StepReport& report : step.reports()) {
      iterations += report.iterations;
      factorizations += report.factorizations;
      shortest = std::min(shortest, report.h);
    }
    counts.book_step(step, progress);
    counts.forget_wasted();
    EXPECT_EQ(counts.wasted(), 0);
  }
  EXPECT_EQ(progress.step, 30);
  EXPECT_EQ(progress.iterations, iterations);
  EXPECT_EQ(progress.factorizations, factorizations);
  EXPECT_EQ(progress.wasted, wasted);
  EXPECT_EQ(progress.halved, halved);
  EXPECT_GT(halved, 0) << "or nothing was seen";
  EXPECT_EQ(progress.shortest, shortest);
  EXPECT_EQ(progress.longest, 8e-3);
}

TEST_F(BookedSteps, RejectedAttemptsGoIntoTheReportOfTheStepThatFollowsThem) {
  counts.add_rejected(true);
  counts.add_rejected(true);
  EXPECT_FALSE(counts.had_trouble()) << "errors that are too large are no trouble of the method";
  counts.add_rejected(false);
  EXPECT_TRUE(counts.had_trouble());
  advance(1e-3);
  counts.book_step(step, progress);
  EXPECT_EQ(step.last_report().rejected_for_error, 2);
  EXPECT_EQ(step.last_report().rejected_by_newton, 1);
  EXPECT_FALSE(counts.had_trouble()) << "since the last accepted step";
  advance(1e-3);
  counts.book_step(step, progress);
  EXPECT_EQ(step.last_report().rejected_for_error, 0);
  EXPECT_EQ(progress.rejected_for_error, 2);
  EXPECT_EQ(progress.rejected_by_newton, 1);
}

struct EnergySample {
  model::Energies energies;
  double work;
};
// Of a motion that loses nothing but what `leak` says, J a step.
std::vector<EnergySample> motion_of_energy(unsigned seed, double leak) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> change(-1, 1);
  std::vector<EnergySample> all{{{20, 3, -5}, 2}};
  for (int n = 0; n < 40; ++n) {
    EnergySample next = all.back();
    const double strain = change(random);
    const double gravity = change(random);
    const double work = change(random);
    next.energies.strain += strain;
    next.energies.gravity += gravity;
    next.energies.kinetic += work - strain - gravity - leak;
    next.work += work;
    all.push_back(next);
  }
  return all;
}
// `unit` J, energies of gravity and work counted from elsewhere, looked at in every `every`-th state.
EnergyBalance balance_of(const std::vector<EnergySample>& motion, double unit = 1, double aside = 0, int every = 1) {
  EnergyBalance balance;
  const auto energies = [&](const EnergySample& s) {
    return model::Energies{unit * s.energies.kinetic, unit * s.energies.strain, unit * (s.energies.gravity + aside)};
  };
  const auto work = [&](const EnergySample& s) { return unit * (s.work + 3 * aside); };
  balance.begin(energies(motion.front()), work(motion.front()), 1e-12 * unit);
  for (std::size_t n = 1; n < motion.size(); ++n) {
    balance.add_work(work(motion[n]));
    if (n % static_cast<std::size_t>(every) == 0) balance.add(energies(motion[n]), work(motion[n]), false);
  }
  return balance;
}

TEST(EnergyBalance, OfAMotionThatLosesNothingIsNeverAboveWhatWasGiven) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const int every : {1, 2, 5}) {
      const EnergyBalance balance = balance_of(motion_of_energy(seed, 0), 1, 0, every);
      EXPECT_NEAR(balance.unexplained(), 0, 1e-12) << seed;
      EXPECT_LE(balance.present(), balance.given()) << seed;
      EXPECT_LE(balance.excess(), 1e-12) << seed;
      EXPECT_NEAR(balance.overcounted(), 0, 1e-12);
    }
}

TEST(EnergyBalance, WhatLeaksIsUnexplainedHoweverOftenTheMotionIsLookedAt) {
  for (const double leak : {0.25, -0.25})
    for (const int every : {1, 2, 4, 40})
      EXPECT_NEAR(balance_of(motion_of_energy(3, leak), 1, 0, every).unexplained(), -40 * leak, 1e-11) << every;
}

// Dampers give nothing, whatever they seem to take from a solution that grows.
TEST(EnergyBalance, WhatDampersTakeIsNotPutIn) {
  EnergyBalance balance;
  balance.begin({90, 10, 0}, 0, 1e-12);
  for (int n = 1; n <= 3; ++n) {
    const double work = -1e6 * n;
    balance.add_work(work);
    balance.add({300.0 * n, 0, -5}, work, false);
    EXPECT_EQ(balance.put_in(), 105);
    EXPECT_EQ(balance.excess(), 300 * n - 105);
  }
}

// Where heights and work are counted from does not matter, nor the unit.
TEST(EnergyBalance, DoesNotDependOnTheZerosOfGravityAndWorkAndGoesWithTheUnit) {
  const std::vector<EnergySample> motion = motion_of_energy(4, 0.1);
  const EnergyBalance one = balance_of(motion);
  for (const double unit : {1.0, 1e-6, 1e9})
    for (const double aside : {0.0, 100.0}) {
      const EnergyBalance other = balance_of(motion, unit, aside);
      EXPECT_NEAR(other.unexplained() / unit, one.unexplained(), 1e-10);
      EXPECT_NEAR(other.given() / unit, one.given(), 1e-10);
      EXPECT_NEAR(other.put_in() / unit, one.put_in(), 1e-10);
      EXPECT_NEAR(other.present() / unit, one.present(), 1e-10);
      EXPECT_NEAR(other.scale() / unit, one.scale(), 1e-10);
      EXPECT_NEAR(other.overcounted() / unit, one.overcounted(), 1e-10);
    }
}

TEST(EnergyBalance, ScaleIsThatOfRoundOffWhereNothingHappens) {
  EnergyBalance balance;
  balance.begin({0, 0, 5}, 0, 1e-9);
  balance.add({0, 0, 5}, 0, false);
  EXPECT_EQ(balance.scale(), 1e-9);
  EXPECT_EQ(balance.round_off(), 1e-9);
}

struct ImpulseListener final : analyses::Observer {
  void observe(const State&, const integrators::StepRecord&, const Progress&, bool) override {}
  void warn(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> warnings;
};

// Of a slide that a function of time drives, under a load that jumps at 0.3 s.
struct Impulses {
  explicit Impulses(std::string_view drive, double duration = 1) {
    ModelMaker m = support::pump(drive);
    m.add(Family::force, "load", "push",
          {{"node", value("slide")}, {"force", value(Vec3(0, 8, 5))}, {"history", expression("t < 0.3 ? 0 : 1")}});
    const Machine machine(std::move(m.model));
    State q = machine.system.initial_state();
    times = analyses::find_impulses(machine.system, q, duration, listener);
  }
  ImpulseListener listener;
  std::vector<double> times;
};

TEST(DriveImpulses, JumpsOfValuesAndOfRatesCountAndOnlyThoseOfValuesAreWarnings) {
  const Impulses kink("t < 0.25 ? 0 : (t - 0.25)/8");
  EXPECT_EQ(kink.times, std::vector<double>{0.25});
  EXPECT_TRUE(kink.listener.warnings.empty());
  const Impulses jump("t < 0.25 ? 0 : 0.125");
  EXPECT_EQ(jump.times, std::vector<double>{0.25});
  EXPECT_EQ(jump.listener.warnings.size(), 1u);
}

TEST(DriveImpulses, SmoothPiecesAndLoadsThatJumpHaveNone) {
  EXPECT_TRUE(Impulses("t < 0.25 ? 0 : (t - 0.25)^2").times.empty()) << "a jump of the acceleration alone";
  EXPECT_TRUE(Impulses("0.2*sin(3*t)").times.empty());
  EXPECT_TRUE(Impulses("0.1").times.empty());
}

TEST(DriveImpulses, AreThoseWithinTheDurationInTheirOrder) {
  const std::string_view steps = "(t < 0.75 ? 0 : t - 0.75) + (t < 0.5 ? 0 : 0.5 - t) + (t < 2 ? 0 : 1)";
  EXPECT_EQ(Impulses(steps, 1).times, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(Impulses(steps, 0.6).times, std::vector<double>{0.5});
  const Impulses all(steps, 3);
  EXPECT_EQ(all.times, (std::vector<double>{0.5, 0.75, 2}));
  EXPECT_EQ(all.listener.warnings.size(), 1u) << "of the jump by 1 m";
}

}  // namespace
}  // namespace polhode::support
