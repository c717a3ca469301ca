// SPDX-License-Identifier: BSD-3-Clause
// When an iteration matrix is made anew, from sequences of increments that are known.
#include "polhode/integrators/generalized_alpha/reused_jacobian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace polhode::support {
namespace {

using integrators::IncrementContraction;
using integrators::MatrixWear;
using integrators::ReusedJacobian;

class Contraction : public testing::TestWithParam<double> {
 protected:
  // By a matrix of an earlier step, from an increment of `first` on.
  IncrementContraction after(int solves, double first = 1e4) const {
    IncrementContraction c;
    c.renew(false);
    c.begin_step();
    for (int k = 0; k < solves; ++k) c.add(first * std::pow(GetParam(), k), false);
    return c;
  }
};
INSTANTIATE_TEST_SUITE_P(Rates, Contraction, testing::Values(0.02, 0.15, 0.3, 0.45),
                         [](const auto& p) { return std::to_string(static_cast<int>(100 * p.param)); });

TEST_P(Contraction, IsTheRatioOfAGeometricSequence) {
  for (const int solves : {2, 3, 6}) {
    EXPECT_NEAR(after(solves).rate(), GetParam(), 1e-12);
    EXPECT_EQ(after(solves).solves(), solves);
  }
}

TEST_P(Contraction, CountsTheSolvesToGoByTheGeometricSeries) {
  const IncrementContraction c = after(3);
  for (const double to_go : {1.5, 30.0, 4e3, 7e8}) {
    double error = to_go;
    int solves = 0;
    for (; error > 1; error *= GetParam()) ++solves;
    EXPECT_TRUE(c.takes_more_than(solves - 1, to_go)) << to_go;
    EXPECT_FALSE(c.takes_more_than(solves, to_go)) << to_go;
  }
}

// What is left after an increment is the sum of those to come, by a rate that is not taken for better than a tenth.
TEST_P(Contraction, EndsWhereTheIncrementsToComeAreATenth) {
  const IncrementContraction c = after(2);
  const double rate = std::max(GetParam(), 0.1);
  double rest = 0;
  double next = rate;
  for (; next > 1e-18; next *= rate) rest += next;
  EXPECT_TRUE(c.ends_with(0.999 * 0.1 / rest));
  EXPECT_FALSE(c.ends_with(1.001 * 0.1 / rest));
}

TEST_P(Contraction, IsExpectedOfTheNextMatrixOfAStep) {
  IncrementContraction c;
  c.renew(false);
  c.add(1, true);
  c.add(GetParam(), true);
  c.renew(false);  // that of another step: nothing of its own is known of it
  c.begin_step();
  c.add(5, false);
  EXPECT_FALSE(c.takes_more_than(2, 0.99 / std::pow(GetParam(), 2)));
  EXPECT_TRUE(c.takes_more_than(2, 1.01 / std::pow(GetParam(), 2)));
}

TEST(Contraction, SlowerThanHalvingNeverEndsByItself) {
  IncrementContraction c;
  c.renew(false);
  c.add(1, false);
  c.add(0.5, false);
  EXPECT_FALSE(c.ends_with(1e-30));
}

TEST(Contraction, AnotherStepForgetsIncrementsAndKeepsTheRate) {
  IncrementContraction c;
  c.renew(false);
  c.add(1, false);
  c.add(0.2, false);
  c.begin_step();
  EXPECT_FALSE(c.any());
  c.add(1e6, false);
  EXPECT_DOUBLE_EQ(c.rate(), 0.2) << "the first increment of a step has none before it";
}

TEST(MatrixWear, OfMatricesThatDoNotLastPausesByOneThreeSevenFifteen) {
  MatrixWear wear;
  std::vector<int> pauses;
  for (int round = 0; round < 6; ++round) {
    wear.restart(3);
    EXPECT_TRUE(wear.add(4, true)) << "the first step with an old matrix needed one of its own";
    int pause = 0;
    while (wear.wants_new_for_step()) ++pause;
    pauses.push_back(pause);
  }
  EXPECT_EQ(pauses, (std::vector<int>{1, 3, 7, 15, 15, 15}));
}

TEST(MatrixWear, TwoSolvesMoreThanWithANewOneAreEnough) {
  for (const std::vector<int>& solves : {std::vector{5}, {4, 3, 4}, {3, 3, 3, 5}, {2, 4, 2, 4}}) {
    MatrixWear wear;
    wear.restart(3);
    for (std::size_t i = 0; i < solves.size(); ++i)
      EXPECT_EQ(wear.add(solves[i], false), i + 1 == solves.size()) << "step " << i << " of " << solves.size();
    EXPECT_EQ(wear.wants_new_for_step(), solves.size() == 1) << "a pause follows only where the first step failed";
  }
}

TEST(MatrixWear, MatricesThatLastShortenTheNextPause) {
  const auto pause_after = [](int good_steps) {
    MatrixWear wear;
    const auto fail = [&] {
      wear.restart(3);
      wear.add(9, true);
      int pause = 0;
      while (wear.wants_new_for_step()) ++pause;
      return pause;
    };
    for (int i = 0; i < 3; ++i) fail();
    wear.restart(3);
    for (int i = 0; i < good_steps; ++i) EXPECT_FALSE(wear.add(3, false));
    return fail();
  };
  EXPECT_EQ(pause_after(0), 15);
  EXPECT_EQ(pause_after(2), 7);
  EXPECT_EQ(pause_after(4), 1);
  EXPECT_EQ(pause_after(9), 1);
}

// A linear problem whose error is multiplied by `rate` in each solve with an old matrix, and gone with a new one but
// for `rest`.
struct LinearSteps {
  double rate;
  double rest = 1e-3;
  double start = 50;  // increment of the first solve, in units of what is allowed
  double h = 0.1;
  int revision = 0;

  struct Cost {
    int solves = 0;
    int matrices = 0;
  };
  Cost step(ReusedJacobian& jacobian) const {
    Cost cost;
    double error = start;
    jacobian.begin_step(h, revision);
    while (cost.solves < 40) {
      bool fresh = false;
      if (jacobian.wants_new(error)) {
        jacobian.made();
        ++cost.matrices;
        fresh = true;
      }
      const double after = error * (fresh ? rest : rate);
      const double increment = error - after;
      error = after;
      jacobian.solved(increment);
      ++cost.solves;
      if (jacobian.accepts(increment)) break;
    }
    jacobian.finish_step(true, cost.solves);
    return cost;
  }
};

TEST(ReusedJacobian, FullNewtonMakesOneForEachSolve) {
  ReusedJacobian jacobian(false);
  for (int n = 0; n < 5; ++n) {
    const LinearSteps::Cost cost = LinearSteps{.rate = 0.01}.step(jacobian);
    EXPECT_EQ(cost.matrices, cost.solves);
    EXPECT_FALSE(jacobian.should_begin_anew());
    EXPECT_FALSE(jacobian.is_old());
  }
}

TEST(ReusedJacobian, AMatrixThatContractsWellServesAllSteps) {
  ReusedJacobian jacobian(true);
  int matrices = 0;
  for (int n = 0; n < 100; ++n) matrices += LinearSteps{.rate = 1e-3}.step(jacobian).matrices;
  EXPECT_EQ(matrices, 1);
}

// The rule is there to cost no more than full Newton, a matrix counted as a solve and a half.
TEST(ReusedJacobian, CostsNoMoreThanFullNewtonWhateverTheRate) {
  for (const double rate : {1e-3, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99}) {
    const LinearSteps problem{.rate = rate};
    const auto cost_of_run = [&](bool reuses) {
      ReusedJacobian jacobian(reuses);
      double sum = 0;
      for (int n = 0; n < 200; ++n) {
        const LinearSteps::Cost cost = problem.step(jacobian);
        sum += cost.solves + 1.5 * cost.matrices;
      }
      return sum;
    };
    EXPECT_LE(cost_of_run(true), 1.25 * cost_of_run(false)) << rate;
  }
}

// When it accepts, what is left is below what is allowed.
TEST(ReusedJacobian, AcceptsNoIncrementThatLeavesMoreThanIsAllowed) {
  for (const double rate : {1e-3, 0.03, 0.1, 0.3, 0.45})
    for (const double increment : {0.01, 0.2, 0.9, 1.5, 20.0}) {
      ReusedJacobian jacobian(true);
      jacobian.begin_step(0.1, 0);
      jacobian.made();
      jacobian.solved(increment / (rate * rate));
      jacobian.solved(increment / rate);
      jacobian.solved(increment);
      const double left = increment * rate / (1 - rate);
      EXPECT_TRUE(left <= 0.1 || !jacobian.accepts(increment)) << rate << " " << increment;
      EXPECT_TRUE(jacobian.accepts(1e-3));
    }
}

TEST(ReusedJacobian, IsMadeAnewForAnotherStepSizeOrOtherConstraints) {
  const auto matrices = [](double h, int revision, bool succeeded) {
    ReusedJacobian jacobian(true);
    const LinearSteps first{.rate = 1e-3};
    first.step(jacobian);
    if (!succeeded) {
      jacobian.begin_step(first.h, first.revision);
      jacobian.finish_step(false, 20);
    }
    return LinearSteps{.rate = 1e-3, .h = h, .revision = revision}.step(jacobian).matrices;
  };
  EXPECT_EQ(matrices(0.1, 0, true), 0);
  EXPECT_EQ(matrices(0.119, 0, true), 0);
  EXPECT_EQ(matrices(0.081, 0, true), 0);
  EXPECT_EQ(matrices(0.121, 0, true), 1);
  EXPECT_EQ(matrices(0.079, 0, true), 1);
  EXPECT_EQ(matrices(0.1, 1, true), 1);
  EXPECT_EQ(matrices(0.1, 0, false), 1);
}

TEST(ReusedJacobian, ADivergingStepBeginsAnewOnceAndWithFullNewton) {
  ReusedJacobian jacobian(true);
  LinearSteps{.rate = 1e-3}.step(jacobian);
  jacobian.begin_step(0.1, 0);
  ASSERT_FALSE(jacobian.wants_new(10));
  jacobian.solved(10);
  EXPECT_FALSE(jacobian.should_begin_anew()) << "one increment says nothing";
  jacobian.solved(11);
  EXPECT_TRUE(jacobian.should_begin_anew());
  jacobian.begin_anew();
  for (int k = 0; k < 4; ++k) {
    EXPECT_TRUE(jacobian.wants_new(10));
    jacobian.made();
    jacobian.solved(10);
    EXPECT_FALSE(jacobian.should_begin_anew());
  }
}

}  // namespace
}  // namespace polhode::support
