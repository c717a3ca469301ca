// SPDX-License-Identifier: BSD-3-Clause
// Steps of the generalized-alpha family apart from any run: what an attempt leaves alone, what it estimates, and what
// the parameters say of an oscillator.
#include "polhode/integrators/generalized_alpha/alpha_step.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "integrators/moving_models.hpp"
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"
#include "polhode/math/dense.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::AlphaParameters;
using integrators::AlphaStep;
using integrators::Outcome;
using integrators::StepReport;

// (q, h v, h^2 a) of qdotdot = -omega^2 q from one step to the next, z = (omega h)^2.
MatrixX amplification(const AlphaParameters& p, double z) {
  MatrixX now(3, 3);
  MatrixX before(3, 3);
  now << 1, 0, -p.beta,                       // position
      0, 1, -p.gamma,                         // velocity
      z * (1 - p.alpha_f), 0, 1 - p.alpha_m;  // accelerations
  before << 1, 1, 0.5 - p.beta,               //
      0, 1, 1 - p.gamma,                      //
      -z * p.alpha_f, 0, -p.alpha_m;
  return math::solve(now, before);
}
double spectral_radius(const MatrixX& A) { return math::general_eigen(A).values.cwiseAbs().maxCoeff(); }

TEST(AlphaParameters, NoFrequencyGrowsAndInfiniteOnesAreDampedByRho) {
  for (const double rho : {0.0, 0.3, 0.6, 0.9, 1.0}) {
    const AlphaParameters p = AlphaParameters::chung_hulbert(rho);
    for (double z = 1e-6; z < 1e8; z *= 3) EXPECT_LE(spectral_radius(amplification(p, z)), 1 + 1e-6) << rho << " " << z;
    // A triple root where rho = 0, which is as far from its limit as the cube root of 1/z
    EXPECT_NEAR(spectral_radius(amplification(p, 1e8)), rho, 1e-2) << rho;
  }
  for (const double a : {0.0, 0.05, 0.2, 1.0 / 3})
    for (double z = 1e-6; z < 1e8; z *= 3)
      EXPECT_LE(spectral_radius(amplification(AlphaParameters::hht(a), z)), 1 + 1e-6) << a << " " << z;
}

// Of the root that is near exp(i omega h): its error falls with the third power of the step.
TEST(AlphaParameters, RootsOfAnOscillatorHaveOrderTwo) {
  const auto error = [](const AlphaParameters& p, double h) {
    const std::complex<double> exact = std::polar(1.0, h);
    double least = 1;
    for (const std::complex<double>& root : math::general_eigen(amplification(p, h * h)).values)
      least = std::min(least, std::abs(root - exact));
    return least;
  };
  for (const AlphaParameters& p : {AlphaParameters::chung_hulbert(0.8), AlphaParameters::chung_hulbert(0.2),
                                   AlphaParameters::chung_hulbert(1), AlphaParameters::hht(0.1)})
    EXPECT_NEAR(error(p, 0.02) / error(p, 0.01), 8, 0.3);
}

// q = t^3/6, of which a_n is the second derivative at t_n + a_shift h.
TEST(AlphaParameters, ErrorOfOneStepIsThatOfACubicMotion) {
  for (const AlphaParameters& p :
       {AlphaParameters::chung_hulbert(0.9), AlphaParameters::chung_hulbert(0), AlphaParameters::hht(0.3)}) {
    const double h = 0.5;
    const double t = 2;
    const double a_before = t + p.a_shift() * h;
    const double a_now = a_before + h;
    const double end = t * t * t / 6 + h * t * t / 2 + h * h * ((0.5 - p.beta) * a_before + p.beta * a_now);
    const double exact = (t + h) * (t + h) * (t + h) / 6;
    EXPECT_NEAR(exact - end, h * h * h * p.position_error(), 1e-14);
    const double speed = t * t / 2 + h * ((1 - p.gamma) * a_before + p.gamma * a_now);
    EXPECT_NEAR(speed, (t + h) * (t + h) / 2, 1e-14) << "velocities have no error of this order";
    EXPECT_NEAR(p.beta_prime(h) * p.beta * h * h * (1 - p.alpha_f), 1 - p.alpha_m, 1e-14);
    EXPECT_NEAR(p.gamma_prime(h) * p.beta * h, p.gamma, 1e-14);
  }
}

integrators::StepControlSettings control_with(double tolerance) {
  integrators::StepControlSettings settings;
  settings.tolerance = tolerance;
  return settings;
}

bool same_bits(const State& a, const State& b) {
  bool same = a.t == b.t && a.lambda == b.lambda && a.memory == b.memory && a.last_step == b.last_step;
  for (std::size_t i = 0; i < a.x.size(); ++i)
    same = same && a.x[i] == b.x[i] && a.quat[i].coeffs() == b.quat[i].coeffs() && a.v[i] == b.v[i] &&
           a.vdot[i] == b.vdot[i];
  return same;
}

class AlphaStepOf : public testing::TestWithParam<std::string> {
 protected:
  AlphaStepOf() { integrators::Scheme::start(q); }
  StepReport attempt(AlphaStep& step, double h, State& next) const {
    StepReport report;
    step.attempt(q, {.h = h, .t_next = q.t + h}, next, report);
    return report;
  }
  // Through steps of h, each accepted.
  void go_on(AlphaStep& step, double h, int steps) {
    for (int n = 0; n < steps; ++n) {
      State next = q;
      ASSERT_TRUE(attempt(step, h, next).succeeded());
      q = next;
      step.accepted();
    }
  }
  const Machine machine{driven_top()};
  const assembly::System& system = machine.system;
  const integrators::StepControlSettings anything = control_with(1e30);
  State q = moving_state(system, 4);
};
INSTANTIATE_TEST_SUITE_P(Methods, AlphaStepOf, testing::ValuesIn(methods), [](const auto& p) { return p.param; });

TEST_P(AlphaStepOf, AttemptsLeaveTheirStateAndEachOtherAlone) {
  AlphaStep step(system, method(GetParam()), to_round_off(), &anything);
  go_on(step, 1e-3, 5);
  const State before = q;
  State first = q;
  State second = q;
  State again = q;
  ASSERT_TRUE(attempt(step, 1e-3, first).succeeded());
  ASSERT_TRUE(attempt(step, 1e-3, again).succeeded());
  EXPECT_TRUE(same_bits(first, again)) << "the same attempt, twice";
  ASSERT_TRUE(attempt(step, 3e-4, second).succeeded());
  EXPECT_TRUE(same_bits(q, before)) << "also where it is re-based to another step size";
  EXPECT_FALSE(same_bits(first, second));
}

TEST_P(AlphaStepOf, EstimatedErrorsAreOfOrderThreeAndInaccurateAboveOne) {
  AlphaStep step(system, method(GetParam()), to_round_off(), &anything);
  const auto error = [&](double h) {
    State next = q;
    const StepReport report = attempt(step, h, next);
    EXPECT_EQ(report.outcome == Outcome::inaccurate, report.error > 1);
    return report.error * integrators::allowed_error(1e30);
  };
  const double ratio = error(1e-3) / error(5e-4);
  EXPECT_GE(ratio, 6.5) << ratio;
  EXPECT_LE(ratio, 9.5) << ratio;
  const integrators::StepControlSettings nothing = control_with(1e-12);
  AlphaStep strict(system, method(GetParam()), to_round_off(), &nothing);
  State next = q;
  const StepReport report = attempt(strict, 1e-3, next);
  EXPECT_GT(report.error, 1);
  EXPECT_EQ(report.outcome, Outcome::inaccurate);
  EXPECT_EQ(strict.worst_rows(3).size(), 3u);
  EXPECT_EQ(strict.worst_rows(1000).size(), static_cast<std::size_t>(system.free_unknowns()));
}

TEST_P(AlphaStepOf, FixedStepsAreNotEstimated) {
  AlphaStep step(system, method(GetParam()), to_round_off(), nullptr);
  State next = q;
  const StepReport report = attempt(step, 1e-3, next);
  EXPECT_TRUE(report.succeeded());
  EXPECT_EQ(report.error, 0);
  EXPECT_TRUE(step.worst_rows(5).empty());
}

TEST_P(AlphaStepOf, ProjectedVelocitiesMeetTheConstraintsAndTheResidualIsGone) {
  AlphaStep step(system, method(GetParam()), to_round_off(), nullptr);
  go_on(step, 2e-3, 5);
  const auto violation = [&] {
    VectorX Bv(system.rows());
    VectorX phi_t(system.rows());
    VectorX gamma(system.rows());
    system.set_rates(q, Bv, phi_t, gamma);
    return (Bv + phi_t).norm();
  };
  const State before = q;
  step.project_velocities(q);
  EXPECT_LE(violation(), 1e-12);
  EXPECT_EQ(step.residual(), nullptr) << "it was of other velocities";
  const std::vector<Vec6> once = q.v;
  step.project_velocities(q);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_LE((q.v[i] - once[i]).norm(), 1e-12) << "twice is once";
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(q.x[i], before.x[i]);
}

TEST_P(AlphaStepOf, DataOfOtherSizesIsRefused) {
  AlphaStep step(system, method(GetParam()), to_round_off(), &anything);
  const std::size_t numbers = 6 * system.nodes();
  // The first number counts driven rows, the one behind them steps whose errors follow.
  EXPECT_TRUE(step.load(std::vector<double>(2 + numbers, 0.0)));
  EXPECT_TRUE(step.load(std::vector<double>{0, 0})) << "of a step that has none";
  EXPECT_TRUE(step.load(std::vector<double>{2, 0, 1, 0})) << "of two rows";
  EXPECT_FALSE(step.load(std::vector<double>{0})) << "no number of errors";
  EXPECT_FALSE(step.load(std::vector<double>{0, 1, 0, 1})) << "the errors are missing";
  EXPECT_FALSE(step.load(std::vector<double>{}));
  EXPECT_FALSE(step.load(std::vector<double>{2, 0})) << "a row is missing";
  EXPECT_FALSE(step.load(std::vector<double>{1, 1e6})) << "no row of the model";
  EXPECT_FALSE(step.load(std::vector<double>{-1}));
  EXPECT_FALSE(step.load(std::vector<double>(numbers, 0.0)));
  EXPECT_FALSE(step.load(std::vector<double>(numbers + 7, 0.0)));
}

}  // namespace
}  // namespace polhode::support
