// SPDX-License-Identifier: BSD-3-Clause
// Rotations against power series of matrices in quadruple precision, at angles from zero over the change of formula to
// pi and beyond.
#include "polhode/math/so3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/quad.hpp"

namespace polhode::math::so3 {
namespace {

using support::coefficient;
using support::distance;
using support::power_series;
using support::Quad;

constexpr double eps = std::numeric_limits<double>::epsilon();
using std::numbers::pi;
const std::vector<double> angles{0,        1e-300,    1e-160,    1e-12,      1e-8, 1e-4,     0.01, 0.3,
                                 0.999,    1 - 1e-15, 1,         1.001,      1.4,  1.999999, 2,    2.5,
                                 pi - 0.1, pi - 1e-4, pi - 1e-8, pi - 1e-12, pi,   4,        6};
const std::vector<Vec3> axes{Vec3::UnitX(), -Vec3::UnitZ(), Vec3(1, 2, -2) / 3, Vec3(-0.6, 1e-9, 0.8),
                             Vec3(-1, -1, -1) / std::sqrt(3.0)};

template <class Claim>
void for_all_rotations(const Claim& claim) {
  for (const double angle : angles)
    for (const Vec3& axis : axes) {
      SCOPED_TRACE(testing::Message() << "angle " << angle << ", axis " << axis.transpose());
      claim(angle, Vec3(angle * axis));
    }
}

void expect_relative(double value, Quad exact, double tolerance, const char* what) {
  const double error = static_cast<double>((Quad(value) - exact) / exact);
  EXPECT_LE(std::abs(error), tolerance) << what;
}

TEST(So3, ExponentialIsThePowerSeries) {
  for_all_rotations([](double, const Vec3& psi) {
    EXPECT_LE(distance(exp(psi), power_series(psi, 1, 0)), 8 * eps);
    EXPECT_LE(distance(exp_quaternion(psi).toRotationMatrix(), power_series(psi, 1, 0)), 8 * eps);
  });
}

TEST(So3, QuaternionOfAnExponentialIsUnit) {
  for_all_rotations([](double angle, const Vec3& psi) {
    const Quaternion q = exp_quaternion(psi);
    EXPECT_NEAR(q.norm(), 1, 4 * eps);
    EXPECT_NEAR(q.w(), std::cos(angle / 2), 4 * eps);
  });
}

TEST(So3, TangentIsThePowerSeries) {
  for_all_rotations(
      [](double, const Vec3& psi) { EXPECT_LE(distance(tangent(psi), power_series(psi, -1, 1)), 8 * eps); });
}

TEST(So3, TangentGoesWithTheExponentialByHalfTheAngle) {
  for_all_rotations([](double, const Vec3& psi) {
    const auto [b, c] = exp_and_tangent(psi).tangent;
    const Mat3 P = tilde(psi);
    EXPECT_LE(distance(Mat3::Identity() - b * P + c * P * P, power_series(psi, -1, 1)), 8 * eps);
  });
}

TEST(So3, TangentInverseTimesTangentIsTheIdentity) {
  for_all_rotations([](double angle, const Vec3& psi) {
    const double growth = angle > 5 ? 50 : 4;  // T^-1 is singular at 2 pi
    EXPECT_LE((tangent_inverse(psi) * tangent(psi) - Mat3::Identity()).cwiseAbs().maxCoeff(), growth * 4 * eps);
  });
}

// Rdot = R Omega~ with Omega = T(psi) psidot, by fourth-order differences of exp.
TEST(So3, TangentIsTheDerivativeOfTheExponential) {
  const Vec3 rate(0.3, -0.7, 0.5);
  const double d = 1e-3;
  for_all_rotations([&](double, const Vec3& psi) {
    const auto turn = [&](double t) { return exp(psi + t * rate); };
    const Mat3 Rdot = (8 * (turn(d) - turn(-d)) - (turn(2 * d) - turn(-2 * d))) / (12 * d);
    EXPECT_LE((Rdot - exp(psi) * tilde(tangent(psi) * rate)).cwiseAbs().maxCoeff(), 1e-11);
  });
}

TEST(So3, LogarithmInvertsTheExponentialUpToPi) {
  for_all_rotations([](double angle, const Vec3& psi) {
    if (angle > pi) return;
    const Vec3 back = log(exp_quaternion(psi));
    const double sign = angle > pi - 1e-14 && back.dot(psi) < 0 ? -1 : 1;  // at pi both axes are right
    EXPECT_LE((sign * back - psi).norm(), 6 * eps * angle);
    EXPECT_LE(log(exp_quaternion(psi)).norm(), pi * (1 + 2 * eps));
  });
}

// A rotation matrix holds an angle near zero to eps only; near pi the logarithm must lose no digits.
TEST(So3, LogarithmOfAMatrixKeepsAllDigitsUpToPi) {
  for_all_rotations([](double angle, const Vec3& psi) {
    if (angle > pi) return;
    const Vec3 back = log(exp(psi));
    const double sign = angle > pi - 1e-14 && back.dot(psi) < 0 ? -1 : 1;
    EXPECT_LE((sign * back - psi).norm(), 12 * eps * std::max(angle, 0.1));
  });
}

TEST(So3, LogarithmAtPiIsExactForTheAxes) {
  for (int i = 0; i < 3; ++i) {
    Mat3 R = -Mat3::Identity();
    R(i, i) = 1;
    EXPECT_NEAR(log(R).norm(), pi, eps);
    EXPECT_NEAR(std::abs(log(R)[i]), pi, eps);
  }
}

TEST(So3, LogarithmTakesEitherSignOfAQuaternion) {
  for_all_rotations([](double angle, const Vec3& psi) {
    if (angle >= pi) return;
    const Quaternion q = exp_quaternion(psi);
    EXPECT_EQ(log(Quaternion(-q.w(), -q.x(), -q.y(), -q.z())), log(q));
  });
}

// The loss of digits of the closed forms right above the change of formula is bounded for each by its own factor.
TEST(So3, CoefficientsAreThoseOfTheSeries) {
  for (const double angle : angles) {
    const double s = angle * angle;
    SCOPED_TRACE(testing::Message() << "angle " << angle);
    const Coefficients k = coefficients(s);
    const bool series = s < 1;
    expect_relative(k.b, coefficient(s, 2, 0), 4 * eps, "b");
    expect_relative(k.c, coefficient(s, 3, 0), (series ? 4 : 16) * eps, "c");
    expect_relative(k.b1, coefficient(s, 2, 1), (series ? 4 : 64) * eps, "b1");
    expect_relative(k.c1, coefficient(s, 3, 1), (series ? 4 : 400) * eps, "c1");
    expect_relative(k.b2, coefficient(s, 2, 2), (series ? 4 : 4e3) * eps, "b2");
    expect_relative(k.c2, coefficient(s, 3, 2), (series ? 4 : 4e4) * eps, "c2");
    EXPECT_EQ(tangent_coefficients(s).b, k.b);
    EXPECT_EQ(tangent_coefficients(s).c, k.c);
  }
}

TEST(So3, InverseAndHalfwayCoefficientsHoldTheirDefinitions) {
  for (const double angle : angles) {
    if (angle < 1e-100) continue;
    SCOPED_TRACE(testing::Message() << "angle " << angle);
    const double s = angle * angle;
    const Quad b = coefficient(s, 2, 0);
    const Quad b1 = coefficient(s, 2, 1);
    const Quad b2 = coefficient(s, 2, 2);
    const double loss = angle > 5 ? 50 : 1;
    expect_relative(inverse_coefficients(s).eta, -b1 / b, loss * (s < 1 ? 8 : 100) * eps, "eta");
    expect_relative(inverse_coefficients(s).eta1, -b2 / b + b1 * b1 / (b * b), loss * (s < 1 ? 32 : 2e4) * eps, "eta1");
    const double tau = std::tan(angle / 4) / angle;
    EXPECT_NEAR(halfway_coefficients(s).tau, tau, loss * 8 * eps * tau);
    const double cosine = std::cos(angle / 4);
    if (angle > 1e-3) {
      const double tau1 = (0.25 / (cosine * cosine) - tau) / (2 * s);
      EXPECT_NEAR(halfway_coefficients(s).tau1, tau1, (1e-12 + 4 * eps / s) * std::abs(tau1) / std::min(1.0, s));
    } else {
      EXPECT_NEAR(halfway_coefficients(s).tau1, 1.0 / 192, 1e-8);  // tan x = x + x^3/3: tau = 1/4 + s/192
    }
  }
}

// The variation of R_1 exp(psi/2) between two frames, by its definition.
TEST(So3, HalfwayVariationIsThatOfTheMidFrame) {
  const Vec3 turn(0.4, -0.2, 0.7);
  const double d = 1e-3;
  for (const double angle : {1e-8, 1e-3, 0.5, 2.0, 3.0}) {
    const Vec3 psi = angle * axes[2];
    const auto mid = [&](double t) {  // only the second frame turns
      return exp(Vec3(0.5 * log(exp_quaternion(psi) * exp_quaternion(t * turn))));
    };
    const Mat3 rate = mid(0).transpose() * (8 * (mid(d) - mid(-d)) - (mid(2 * d) - mid(-2 * d))) / (12 * d);
    const Mat3 A = 0.5 * (Mat3::Identity() + halfway_coefficients(angle * angle).tau * tilde(psi));
    EXPECT_LE((rate - tilde(A * turn)).cwiseAbs().maxCoeff(), 1e-11) << angle;
  }
}

TEST(So3, CrossProductsOfMatricesAreProductsWithTilde) {
  const Vec3 a(0.3, -1.1, 0.7);
  Mat3 M;
  M << 1, 2, 3, -4, 5, 6, 7, -8, 9;
  EXPECT_LE((cross_left(a, M) - tilde(a) * M).norm(), 8 * eps * M.norm());
  EXPECT_LE((cross_right(M, a) - M * tilde(a)).norm(), 8 * eps * M.norm());
}

}  // namespace
}  // namespace polhode::math::so3
