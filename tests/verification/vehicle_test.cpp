// SPDX-License-Identifier: BSD-3-Clause
// The vehicle of 14 bodies over a bump (Negrut et al. 2003): methods of two families agree on its height, constraints
// hold, and it comes to rest on its tyres.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/results/output_times.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/sundials/sundials.hpp"
#include "polhode/io/deck/deck.hpp"
#include "support/places.hpp"
#include "verification/measured.hpp"

namespace polhode::verification {
namespace {

const std::string vehicle_name = "vehicle over a bump";
constexpr std::size_t chassis = 1;  // the first node of the deck

// Heights of the chassis every hundredth of a second, and what has to hold at the end of each step.
class Ride final : public analyses::Observer {
 public:
  explicit Ride(const assembly::System& system) : system_(&system), r_(system.make_residual()) {
    settings_.interval = 0.01;
  }
  std::vector<double> heights;
  model::State last;
  analyses::Progress progress;
  // violation of the constraints: m or without unit, and per s
  double phi = 0;
  double rates = 0;
  // of the chassis: motion out of the plane of symmetry, change of speed
  double aside = 0;
  double speeding = 0;

  void observe(const model::State& q, const integrators::StepRecord& step, const analyses::Progress& p, bool) override {
    last = q;
    progress = p;
    system_->set_residual(q, r_, {false, false, true});
    model::VectorX Bv(system_->rows());
    model::VectorX phi_t(Bv.size());
    model::VectorX gamma(Bv.size());
    system_->set_rates(q, Bv, phi_t, gamma);
    phi = std::max(phi, r_.phi.lpNorm<Eigen::Infinity>());
    rates = std::max(rates, (Bv + phi_t).lpNorm<Eigen::Infinity>());
    aside = std::max({aside, std::abs(q.x[chassis].y()), std::abs(q.v[chassis][3]), std::abs(q.v[chassis][5])});
    if (p.step == 0) return;
    model::State between;
    while (const auto t = times_.next(step.previous->t, q.t)) {
      if (*t != q.t) analyses::interpolate(*system_, *step.previous, q, *t, between);
      heights.push_back((*t == q.t ? q : between).x[chassis].z());
    }
  }
  void warn(const std::string& message) override { ADD_FAILURE() << message; }
  // Of the tyres together; all other forces cancel.
  double upward_force() {
    system_->set_residual(last, r_, {false, true, false});
    double sum = 0;
    for (const auto& force : r_.force) sum -= force[2];
    return sum;
  }

 private:
  const assembly::System* system_;
  assembly::Residual r_;
  results::OutputSettings settings_;
  results::OutputTimes times_{settings_};
};

class Vehicle : public testing::Test {
 public:
  Ride ride(const std::string& method, const std::string& tolerance, const std::string& duration) {
    const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/vehicle_over_bump.yaml",
                                        {"analysis.integrator.method=" + method, "analysis.step.tolerance=" + tolerance,
                                         "analysis.duration=" + duration});
    model::Problems problems;
    model_ = deck.model;
    system_ = assembly::System::make(model_, problems);
    Ride result(*system_);
    model::State q = system_->initial_state();
    const auto done =
        run_transient(*system_, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, result, problems);
    EXPECT_EQ(done.end, analyses::TransientResult::End::done);
    return result;
  }

 private:
  model::Model model_;
  std::optional<assembly::System> system_;
};

// Over the front bump and the swing after it.
TEST_F(Vehicle, MethodsAgreeOnItsHeightAndConstraintsHold) {
  const Ride a = ride("rosenbrock4", "1.0e-4", "1");
  expect_at_most(vehicle_name, "`rosenbrock4`, constraints of positions", a.phi, 1e-10);
  expect_at_most(vehicle_name, "`rosenbrock4`, constraints of velocities", a.rates, 1e-10);
  EXPECT_LE(a.aside, 1e-9);
  EXPECT_GT(a.heights[60] - a.heights[49], 0.005);  // there is a bump
  ASSERT_EQ(a.heights.size(), 100u);
  std::vector<std::pair<const char*, const char*>> others{{"lie_alpha", "1.0e-4"}};
  if (integrators::has_sundials()) others.push_back({"bdf", "1.0e-6"});
  for (const auto& [method, tolerance] : others) {
    const Ride b = ride(method, tolerance, "1");
    ASSERT_EQ(b.heights.size(), 100u);
    double most = 0;
    for (std::size_t i = 0; i < a.heights.size(); ++i) most = std::max(most, std::abs(a.heights[i] - b.heights[i]));
    expect_at_most(vehicle_name,
                   std::string("height of the chassis up to 1 s, `rosenbrock4` at 1e-4 against `") + method + "` at " +
                       tolerance + " [m]",
                   most, 1e-4);
  }
}

TEST_F(Vehicle, SettlesOnItsTyres) {
  Ride ride_to_the_end = ride("rosenbrock4", "1.0e-3", "5");
  const double mass = 2086.52 + 9.072 + 4 * (5.813 + 23.965 + 19.45 + 14.705 + 18.8 + 37.6);
  expect_at_most(vehicle_name, "force of the tyres by the weight, less 1, at 5 s",
                 std::abs(ride_to_the_end.upward_force() / (9.81 * mass) - 1), 1e-4);
  // 0.99762942 m is the height of the vehicle at rest, 20 s after a start without speed.
  expect_at_most(vehicle_name, "height at 5 s against the equilibrium [m]",
                 std::abs(ride_to_the_end.last.x[chassis].z() - 0.99762942), 5e-6);
  expect_at_most(vehicle_name, "speed of the chassis upwards at 5 s [m/s]",
                 std::abs(ride_to_the_end.last.v[chassis][2]), 1e-4);
}

}  // namespace
}  // namespace polhode::verification
