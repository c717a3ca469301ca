// SPDX-License-Identifier: BSD-3-Clause
// Both charts of SO(3): tangent operators against derivatives of mu, their derivatives against differences, BCA12 eqs.
// (81), (82).
#include "polhode/math/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/quad.hpp"

namespace polhode::math {
namespace {

using std::numbers::pi;
const Vec3 axis = Vec3(1, 2, -2) / 3;
const Vec3 rate(0.3, -0.7, 0.5);
const Vec3 other(-0.4, 0.1, 0.9);

// |c| from zero over the change of formula to beyond half a turn.
template <class Claim>
void for_both_charts(const Claim& claim) {
  for (const Chart chart : {Chart::rotation_vector, Chart::conformal_rotation_vector})
    for (const double size : {0.0, 1e-12, 1e-8, 1e-4, 0.1, 0.999, 1.001, 2.0, 2.9, pi, 4.0, 5.0}) {
      SCOPED_TRACE(
          testing::Message() << (chart == Chart::rotation_vector ? "rotation vector" : "conformal rotation vector")
                             << ", size " << size);
      claim(chart, Vec3(size * axis));
    }
}

// Derivative at 0 by fourth-order differences.
template <class Function>
auto derivative(const Function& f) {
  constexpr double d = 1e-3;
  const auto a = f(d);
  const auto b = f(-d);
  const auto c = f(2 * d);
  const auto e = f(-2 * d);
  return ((8 * (a - b) - (c - e)) / (12 * d)).eval();
}

// Derivative of a function of a vector, column by column.
template <class Function>
Mat3 gradient(const Function& f, const Vec3& at) {
  Mat3 G;
  for (int i = 0; i < 3; ++i) G.col(i) = derivative([&](double t) -> Vec3 { return f(at + t * Vec3::Unit(i)); });
  return G;
}

TEST(Chart, RotationVectorIsTheExponential) {
  for (const double angle : {0.0, 1e-8, 0.5, 2.0, pi, 5.0}) {
    const Vec3 c = angle * axis;
    const ChartPoint point(Chart::rotation_vector, c);
    EXPECT_LE(support::distance(point.rotation().toRotationMatrix(), support::power_series(c, 1, 0)), 2e-15);
    EXPECT_LE(support::distance(point.tangent(), support::power_series(c, -1, 1)), 2e-15);
  }
}

// BCA12 eqs. (81), (82): the rotation by phi about n with c = 4 tan(phi/4) n.
TEST(Chart, ConformalRotationVectorIsFourTangentsOfAQuarterOfTheAngle) {
  for (const double angle : {1e-8, 1e-3, 0.5, 2.0, 3.1, pi, 5.0}) {
    const Vec3 c = 4 * std::tan(angle / 4) * axis;
    const double c0 = 2 - c.squaredNorm() / 8;
    const ChartPoint point(Chart::conformal_rotation_vector, c);
    EXPECT_LE(support::distance(point.rotation().toRotationMatrix(), support::power_series(angle * axis, 1, 0)), 4e-15);
    EXPECT_NEAR(point.rotation().norm(), 1, 1e-15);
    const Mat3 R =
        ((c0 * c0 + 8 * c0 - 16) * Mat3::Identity() + 2 * c * c.transpose() + 2 * c0 * tilde(c)) / std::pow(4 - c0, 2);
    EXPECT_LE((point.rotation().toRotationMatrix() - R).cwiseAbs().maxCoeff(), 1e-14);
    const Mat3 T = 2 / std::pow(4 - c0, 2) * (c0 * Mat3::Identity() + 0.25 * c * c.transpose() - tilde(c));  // eq. (82)
    EXPECT_LE((point.tangent() - T).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(Chart, TangentIsTheDerivativeOfMu) {
  for_both_charts([](Chart chart, const Vec3& c) {
    const auto turn = [&](double t) -> Mat3 { return ChartPoint(chart, c + t * rate).rotation().toRotationMatrix(); };
    const Mat3 Omega = turn(0).transpose() * derivative(turn);
    const ChartPoint point(chart, c);
    EXPECT_LE((Omega - tilde(point.tangent() * rate)).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((point.apply(rate) - point.tangent() * rate).norm(), 1e-15);
  });
}

TEST(Chart, ConvectiveTermIsTheRateOfTheTangent) {
  for_both_charts([](Chart chart, const Vec3& c) {
    const auto T_times_rate = [&](double t) -> Vec3 { return ChartPoint(chart, c + t * rate).apply(rate); };
    EXPECT_LE((ChartPoint(chart, c).convective(rate) - derivative(T_times_rate)).norm(), 1e-11);
  });
}

TEST(Chart, DerivativesMatchDifferences) {
  for_both_charts([](Chart chart, const Vec3& c) {
    const ChartPoint point(chart, c);
    const Mat3 by_point = gradient([&](const Vec3& z) { return ChartPoint(chart, z).apply(other); }, c);
    EXPECT_LE((point.derivative_of_apply(other) - by_point).cwiseAbs().maxCoeff(), 1e-11);
    const Mat3 convective = gradient([&](const Vec3& z) { return ChartPoint(chart, z).convective(rate); }, c);
    EXPECT_LE((point.convective_by_point(rate) - convective).cwiseAbs().maxCoeff(), 1e-11);
    const Mat3 by_rate = gradient([&](const Vec3& u) { return ChartPoint(chart, c).convective(u); }, rate);
    EXPECT_LE((point.convective_by_rate(rate) - by_rate).cwiseAbs().maxCoeff(), 1e-11);
  });
}

}  // namespace
}  // namespace polhode::math
