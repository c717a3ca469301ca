// SPDX-License-Identifier: BSD-3-Clause
// Order two against exact and independent solutions, and what the parameters promise.
#include <gtest/gtest.h>

#include <numbers>

#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::AlphaParameters;

class Order : public testing::TestWithParam<std::string> {};

TEST(AlphaParameters, AreThoseOfChungAndHulbertAndOfHilberHughesAndTaylor) {
  for (const double rho : {0.0, 0.3, 0.9, 1.0}) {
    const AlphaParameters p = AlphaParameters::chung_hulbert(rho);
    EXPECT_NEAR(p.gamma, 0.5 + p.alpha_f - p.alpha_m, 1e-15);                   // order two
    EXPECT_NEAR(p.beta, 0.25 * std::pow(1 - p.alpha_m + p.alpha_f, 2), 1e-15);  // least damping of low frequencies
    EXPECT_NEAR(p.alpha_f / (1 - p.alpha_f), rho, 1e-15);                       // spectral radius at infinity
    EXPECT_NEAR((1 + p.alpha_m) / (2 - p.alpha_m), rho, 1e-15);
  }
  const AlphaParameters p = AlphaParameters::hht(0.05);
  EXPECT_EQ(p.alpha_m, 0);
  EXPECT_EQ(p.alpha_f, 0.05);
  EXPECT_EQ(p.gamma, 0.55);
  EXPECT_NEAR(p.beta, 1.05 * 1.05 / 4, 1e-16);
  integrators::IntegratorSettings settings;
  EXPECT_EQ(AlphaParameters::of(settings).alpha_f, AlphaParameters::chung_hulbert(0.9).alpha_f);
}

// Euler's equations and the quaternion's by the classical Runge-Kutta method.
struct FreeRotation {
  math::so3::Quaternion q;
  Vec3 Omega;
};
FreeRotation runge_kutta(const Mat3& J, FreeRotation start, double duration, int steps) {
  using Rate = std::pair<Eigen::Vector4d, Vec3>;
  const auto rate = [&](const Rate& y) -> Rate {
    const math::so3::Quaternion q(y.first);
    const math::so3::Quaternion w(0, y.second[0], y.second[1], y.second[2]);
    return {0.5 * (q * w).coeffs(), J.inverse() * (J * y.second).cross(y.second)};
  };
  const auto plus = [](const Rate& a, double s, const Rate& b) -> Rate {
    return {a.first + s * b.first, a.second + s * b.second};
  };
  const double h = duration / steps;
  Rate y{start.q.coeffs(), start.Omega};
  for (int n = 0; n < steps; ++n) {
    const Rate a = rate(y);
    const Rate b = rate(plus(y, h / 2, a));
    const Rate c = rate(plus(y, h / 2, b));
    const Rate d = rate(plus(y, h, c));
    y = plus(plus(plus(plus(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return {math::so3::Quaternion(y.first).normalized(), y.second};
}

// A body thrown freely, its node off the centre of mass: the centre of mass flies a parabola, the rotation is Euler's.
TEST_P(Order, OfAThrownBodyIsTwo) {
  const Vec3 c(0.2, -0.1, 0.3);
  const Vec3 Omega(1, 3, -2);
  const Vec3 velocity(0.5, 1, 2);
  const Vec3 gravity(0, 0, -9.81);
  const Vec3 J(1.0, 0.6, 0.8);
  ModelMaker m;
  m.model.gravity = gravity;
  model::NodeEntry& node = m.node("stone", Vec3(1, 2, 3));
  node.velocity = velocity - Omega.cross(c);  // the centre of mass has `velocity`
  node.angular_velocity = Omega;
  m.body("stone", "stone", 1.7, J, c);
  const Machine machine(std::move(m.model));
  const State start = consistent_start(machine.system);
  const double duration = 0.6;
  const FreeRotation exact = runge_kutta(J.asDiagonal(), {math::so3::Quaternion::Identity(), Omega}, duration, 2000);
  const Vec3 centre = Vec3(1, 2, 3) + c + duration * velocity + duration * duration / 2 * gravity;

  std::array<double, 3> x{};
  std::array<double, 3> R{};
  std::array<double, 3> v{};
  for (int level = 0; level < 3; ++level) {
    const int steps = 60 << level;
    const State end = run(machine.system, start, method(GetParam()), to_round_off(), duration / steps, steps);
    x[level] = (end.x[1] + end.R[1] * c - centre).norm();
    R[level] = math::so3::log(exact.q.conjugate() * end.quat[1]).norm();
    v[level] = (end.v[1].tail<3>() - exact.Omega).norm();
  }
  for (const auto& error : {x, R, v})
    for (int level = 0; level < 2; ++level) {
      EXPECT_LE(error[level], 2e-2);
      EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2, 0.12) << error[level] << " " << error[level + 1];
    }
}

// One beam element, its root clamped, swings along its axis: x = u_0/omega sin(omega t), omega^2 = (EA/L) / (m L/3).
TEST_P(Order, OfALinearOscillatorIsTwo) {
  model::Model model = cantilever(1);
  model.entries.resize(1);  // no load
  model.nodes[1].velocity = Vec3(0.01, 0, 0);
  const Machine machine(std::move(model));
  const State start = consistent_start(machine.system);
  const double omega = std::sqrt(1e4 / 2 / (1.5 * 2 / 3));
  const double duration = 3.25 * 2 * std::numbers::pi / omega;
  const double exact = 0.01 / omega * std::sin(omega * duration);
  std::array<double, 3> error{};
  for (int level = 0; level < 3; ++level) {
    const int steps = 200 << level;
    const State end = run(machine.system, start, method(GetParam()), to_round_off(), duration / steps, steps);
    error[level] = std::hypot(end.x[2][0] - 2 - exact, (end.v[2][0] - 0.01 * std::cos(omega * duration)) / omega);
  }
  EXPECT_LE(error[0], 0.05 * 0.01 / omega);
  for (int level = 0; level < 2; ++level)
    EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2, 0.1) << error[level] << " " << error[level + 1];
}

// rho_infinity = 1 damps nothing: the amplitude of the oscillator stays; less than one makes it fall, the more the
// larger the step.
TEST_P(Order, DampingIsWhatRhoInfinitySays) {
  model::Model model = cantilever(1);
  model.entries.resize(1);
  model.nodes[1].velocity = Vec3(0.01, 0, 0);
  const Machine machine(std::move(model));
  const State start = consistent_start(machine.system);
  const auto energy_after = [&](double rho, double h) {
    return machine.system.energies(run(machine.system, start, method(GetParam(), rho), to_round_off(), h, 200))
               .total() /
           machine.system.energies(start).total();
  };
  const double omega = std::sqrt(1e4 / 2 / (1.5 * 2 / 3));
  EXPECT_NEAR(energy_after(1, 0.5 / omega), 1, 0.05);
  EXPECT_LT(energy_after(0.5, 0.5 / omega), 0.9);
  EXPECT_LT(energy_after(0.5, 2 / omega), energy_after(0.5, 0.5 / omega));
  EXPECT_LT(energy_after(0, 100 / omega), 1e-20);
}

INSTANTIATE_TEST_SUITE_P(Methods, Order, testing::ValuesIn(methods), [](const auto& name) { return name.param; });

}  // namespace
}  // namespace polhode::support
