// SPDX-License-Identifier: BSD-3-Clause
// The stiff double pendulum of Negrut et al. (2003), from rest: counts of steps, and an error that follows the
// tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/analyses/transient/transient.hpp"
#include "polhode/io/deck/deck.hpp"
#include "support/places.hpp"
#include "verification/measured.hpp"

namespace polhode::verification {
namespace {

const std::string pendulum_name = "double pendulum with stiff spring-dampers";

// theta_1 and its rate, at the ends of steps and at chosen times.
struct Pendulum final : analyses::Observer {
  std::vector<double> time;
  std::vector<double> angle;
  std::vector<double> rate;
  std::vector<double> acceleration;
  analyses::Progress progress;
  double largest = 0;  // violation of the constraints, of positions and velocities
  const assembly::System* system = nullptr;

  static double angle_of(const model::State& q) {  // 2 pi at the start
    return 2 * std::numbers::pi + 2 * std::atan2(q.quat[1].z(), q.quat[1].w());
  }
  void observe(const model::State& q, const integrators::StepRecord&, const analyses::Progress& p, bool) override {
    time.push_back(q.t);
    angle.push_back(angle_of(q));
    rate.push_back(q.v[1][5]);
    acceleration.push_back(q.vdot[1][5]);
    progress = p;
    assembly::Residual r = system->make_residual();
    system->set_residual(q, r, {false, false, true});
    model::VectorX Bv(system->rows());
    model::VectorX phi_t(Bv.size());
    model::VectorX gamma(Bv.size());
    system->set_rates(q, Bv, phi_t, gamma);
    largest = std::max({largest, r.phi.lpNorm<Eigen::Infinity>(), (Bv + phi_t).lpNorm<Eigen::Infinity>()});
  }
  void warn(const std::string& message) override { ADD_FAILURE() << message; }

  double rate_at(double t) const {
    const auto i = static_cast<std::size_t>(std::upper_bound(time.begin() + 1, time.end() - 1, t) - time.begin());
    const double h = time[i] - time[i - 1];
    const double s = (t - time[i - 1]) / h;
    return rate[i - 1] + s * s * (3 - 2 * s) * (rate[i] - rate[i - 1]) +
           h * s * (1 - s) * ((1 - s) * acceleration[i - 1] - s * acceleration[i]);
  }
  // By Hermite, from angles and rates.
  double angle_at(double t) const {
    const auto i = static_cast<std::size_t>(std::upper_bound(time.begin() + 1, time.end() - 1, t) - time.begin());
    const double h = time[i] - time[i - 1];
    const double s = (t - time[i - 1]) / h;
    return angle[i - 1] + s * s * (3 - 2 * s) * (angle[i] - angle[i - 1]) +
           h * s * (1 - s) * ((1 - s) * rate[i - 1] - s * rate[i]);
  }
};

Pendulum pendulum_run(const std::string& step, const std::string& coordinates) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/double_pendulum_stiff.yaml",
                                      {"analysis.step=" + step, "analysis.integrator.coordinates=" + coordinates});
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  Pendulum pendulum;
  pendulum.system = &*system;
  model::State q = system->initial_state();
  const auto result =
      run_transient(*system, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, pendulum, problems);
  EXPECT_EQ(result.end, analyses::TransientResult::End::done);
  return pendulum;
}

std::string controlled(double tolerance) {
  char text[100];
  std::snprintf(text, sizeof text, "{tolerance: %.3e, initial: 1.0e-6, safety: 0.84, growth: 10}", tolerance);
  return text;
}

TEST(DoublePendulum, StepsAreThoseOfThePaperAndTheErrorFollowsTheTolerance) {
  const std::vector<double> tolerances{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
  const std::vector<double> published{29, 49, 85, 148, 264, 467};
  const Pendulum exact = pendulum_run(controlled(1.5e-8), "partition");
  EXPECT_NEAR(exact.angle.back(), 4.60188053, 3e-8);
  EXPECT_NEAR(exact.rate.back(), -1.395156, 1e-6);
  EXPECT_NEAR(exact.angle_at(0.592127), 4.3071, 1e-4);
  EXPECT_NEAR(exact.rate_at(0.795548), 2.2020, 1e-4);
  for (const char* coordinates : {"partition", "weighted"}) {
    const std::string name = pendulum_name + ", " + coordinates;
    std::vector<double> errors;
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
      const Pendulum p = pendulum_run(controlled(tolerances[i]), coordinates);
      double most = 0;
      for (std::size_t k = 0; k < p.time.size(); ++k)
        most = std::max(most, std::abs(p.angle[k] - exact.angle_at(p.time[k])));
      errors.push_back(most);
      char what[80];
      std::snprintf(what, sizeof what, "steps at %.0e by those published", tolerances[i]);
      expect_between(name, what, static_cast<double>(p.progress.step) / published[i], 0.85, 1.15, 3);
      std::snprintf(what, sizeof what, "largest error of theta_1 at %.0e by the tolerance", tolerances[i]);
      expect_between(name, what, most / tolerances[i], 1, 5);
      EXPECT_NEAR(p.angle.back(), 4.60188053, 3 * tolerances[i]);
      EXPECT_LE(p.largest, 1e-10);
    }
    expect_between(name, "slope of log error over log tolerance", observed_order(tolerances, errors), 0.95, 1.05, 3);
  }
}

}  // namespace
}  // namespace polhode::verification
