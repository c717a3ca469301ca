// SPDX-License-Identifier: BSD-3-Clause
// Right factors of the generalized-alpha methods: derivatives of accelerations, velocities and turns of nodes by what the
// iteration matrix has as its unknown.
#include "polhode/integrators/generalized_alpha/scheme.hpp"

#include <gtest/gtest.h>

#include "polhode/integrators/generalized_alpha/settings.hpp"
#include "support/bench.hpp"
#include "support/structure.hpp"

namespace polhode::support {
namespace {

using integrators::Factors;
using integrators::Scheme;

constexpr double step_of_scheme = 0.05;

struct SchemeCase {
  std::string name;
  std::string method;
  integrators::Frame frame = integrators::Frame::body;
};

class AnyScheme : public testing::TestWithParam<SchemeCase> {
 protected:
  // At its second iterate, where velocities follow other increments than the prediction's.
  std::unique_ptr<Scheme> predicted(State& next) const { return predicted(next, math::IndexLots(old_.x.size())); }
  std::unique_ptr<Scheme> predicted(State& next, const math::IndexLots& nodes) const {
    IntegratorSettings settings = settings_of(GetParam().method);
    if (GetParam().method == "lie_alpha") settings.own = integrators::LieAlphaSettings{GetParam().frame};
    std::unique_ptr<Scheme> scheme = integrators::make_scheme(settings, nodes);
    next = old_;
    scheme->predict(old_, next, step_of_scheme, NewtonSettings::Predictor::extrapolate);
    scheme->update(old_, next, first_, first_);
    return scheme;
  }

  void SetUp() override { fill(3); }
  void TearDown() override { math::set_number_of_threads(1); }
  void fill(std::size_t nodes) {
    std::mt19937 random(5);
    old_.resize(nodes, 0, 0);
    first_.assign(nodes, Vec6::Zero());
    x_ = first_;
    old_.memory.assign(2 * nodes, Vec6::Zero());
    old_.last_step = step_of_scheme;
    for (std::size_t i = 1; i < nodes; ++i) {
      const auto some = [&](double size) {
        Vec6 y;
        y << random_vector(random, size), random_vector(random, size);
        return y;
      };
      old_.set_rotation(i, math::so3::exp_quaternion(some(2).tail<3>()));
      old_.v[i] = some(12);
      old_.vdot[i] = some(40);
      old_.memory[i] = some(40);
      old_.memory[nodes + i] = some(40);
      first_[i] = some(0.1);
      x_[i] = some(1);
    }
  }

  State old_;
  std::vector<Vec6> first_;
  std::vector<Vec6> x_;
};

INSTANTIATE_TEST_SUITE_P(Methods, AnyScheme,
                         testing::Values(SchemeCase{"body", "lie_alpha"},
                                         SchemeCase{"spatial", "lie_alpha", integrators::Frame::spatial},
                                         SchemeCase{"crv", "ul_crv"}, SchemeCase{"vector", "ul_rotation_vector"}),
                         [](const auto& p) { return p.param.name; });

// Rounding depends on how a loop is compiled: a thread alone has to run the one that several run.
TEST_P(AnyScheme, HasTheSameBitsForAnyNumberOfThreads) {
  constexpr std::size_t nodes = 300;
  fill(nodes);
  std::vector<int> lot(nodes);
  for (std::size_t i = 0; i < nodes; ++i) lot[i] = static_cast<int>(i < 200 ? i / 50 : i % 5);
  const math::IndexLots lots(lot, math::places_of(std::vector<double>(5, 1)));
  std::vector<State> states;
  std::vector<std::vector<Mat3>> factors;
  for (const int threads : {1, 2}) {
    math::set_number_of_threads(threads);
    State& next = states.emplace_back();
    const std::unique_ptr<Scheme> scheme = predicted(next, lots);
    const Factors made = scheme->factors(next);
    std::vector<Mat3>& all = factors.emplace_back();
    for (const auto& some : {made.rot_m, made.rot_c, made.rot_k, made.rot_b})
      all.insert(all.end(), some.begin(), some.end());
    scheme->finish(old_, next);
  }
  EXPECT_EQ(factors[0], factors[1]);
  EXPECT_EQ(states[0].v, states[1].v);
  EXPECT_EQ(states[0].vdot, states[1].vdot);
  EXPECT_EQ(states[0].memory, states[1].memory);
  for (std::size_t i = 0; i < nodes; ++i) {
    EXPECT_EQ(states[0].x[i], states[1].x[i]) << i;
    EXPECT_EQ(states[0].quat[i].coeffs(), states[1].quat[i].coeffs()) << i;
  }
}

TEST_P(AnyScheme, FactorsAreDerivativesByTheUnknown) {
  State here;
  const std::unique_ptr<Scheme> scheme = predicted(here);
  const Factors f = scheme->factors(here);
  const auto moved_by = [&](double d) {
    State next;
    const std::unique_ptr<Scheme> other = predicted(next);
    other->factors(next);
    std::vector<Vec6> dx(x_);
    for (Vec6& one : dx) one *= d;
    other->to_increments(dx);
    other->update(old_, next, dx, dx);
    return next;
  };
  std::vector<Vec6> turns(x_);
  scheme->to_increments(turns);
  const std::vector<Vec6> increments(turns);
  turns = x_;
  scheme->to_turns(here, turns);
  for (std::size_t i = 1; i < 3; ++i) {
    const auto times = [&](double scalar, std::span<const Mat3> rotations) {
      Vec6 y = scalar * x_[i];
      if (!rotations.empty()) y.tail<3>() = rotations[i] * x_[i].tail<3>();
      return y;
    };
    const Vec6 by_v = derivative([&](double d) -> Vec6 { return moved_by(d).v[i]; });
    const Vec6 by_vdot = derivative([&](double d) -> Vec6 { return moved_by(d).vdot[i]; });
    const Vec6 by_q = derivative([&](double d) -> Vec6 {
      const State next = moved_by(d);
      Vec6 q;
      q << next.x[i], math::so3::log(Mat3(here.R[i].transpose() * next.R[i]));
      return q;
    });
    const Vec6 by_increment = derivative([&](double d) -> Vec6 {
      State next;
      const std::unique_ptr<Scheme> other = predicted(next);
      std::vector<Vec6> dx(increments);
      for (Vec6& one : dx) one *= d;
      other->update(old_, next, dx, dx);
      return other->increment()[i];
    });
    EXPECT_LE((times(f.c, f.rot_c) - by_v).norm(), 1e-7 * by_v.norm());
    EXPECT_LE((times(f.m, f.rot_m) - by_vdot).norm(), 1e-7 * by_vdot.norm());
    EXPECT_LE((times(f.k, f.rot_k) - by_q).norm(), 1e-8 * by_q.norm());
    EXPECT_LE((times(f.b, f.rot_b) - by_q).norm(), 1e-8 * by_q.norm());
    EXPECT_LE((turns[i] - by_q).norm(), 1e-8 * by_q.norm());
    EXPECT_LE((increments[i] - by_increment).norm(), 1e-9 * by_increment.norm());
    // Rotations of the step are large enough for the factors to differ.
    EXPECT_GT(Vec3(scheme->increment()[i].tail<3>()).norm(), 0.3);
  }
}

}  // namespace
}  // namespace polhode::support
