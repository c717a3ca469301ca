// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic and functions of jets: each carries value, first and second derivative by time through exactly.
//
// One argument:  f(x)' = f_x x',  f(x)'' = f_xx x'^2 + f_x x''.
// Limits are from the right: where values tie, the derivatives say which is greater an instant later.
#pragma once
#include <cmath>
#include <compare>
#include <numbers>

#include "polhode/model/expression.hpp"

namespace polhode::model::jet {

// Constant in time.
inline bool rests(const Jet& x) { return x.first == 0 && x.second == 0; }
inline bool is_finite(const Jet& x) {
  return std::isfinite(x.value) && std::isfinite(x.first) && std::isfinite(x.second);
}

// The value alone, as a constant.
inline Jet hold(const Jet& x) { return {x.value, 0, 0}; }
inline Jet negate(const Jet& x) { return {-x.value, -x.first, -x.second}; }
inline Jet add(const Jet& a, const Jet& b) { return {a.value + b.value, a.first + b.first, a.second + b.second}; }
inline Jet subtract(const Jet& a, const Jet& b) { return {a.value - b.value, a.first - b.first, a.second - b.second}; }
inline Jet multiply(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}
// q b = a differentiated twice: q' = (a' - q b')/b, q'' = (a'' - 2 q' b' - q b'')/b.
inline Jet divide(const Jet& a, const Jet& b) {
  if (rests(b)) return {a.value / b.value, a.first / b.value, a.second / b.value};
  const double q = a.value / b.value;
  const double q1 = (a.first - q * b.first) / b.value;
  return {q, q1, (a.second - 2 * q1 * b.first - q * b.second) / b.value};
}
inline Jet square(const Jet& x) {
  return {x.value * x.value, 2 * x.value * x.first, 2 * (x.first * x.first + x.value * x.second)};
}

// An argument at rest leaves no derivative, also where those of f are infinite: sqrt(0) is a constant.
inline Jet chain(const Jet& x, double f, double f_x, double f_xx) {
  if (rests(x)) return {f, 0, 0};
  return {f, f_x * x.first, f_xx * x.first * x.first + f_x * x.second};
}

inline Jet sin(const Jet& x) {
  const double s = std::sin(x.value);
  const double c = std::cos(x.value);
  return chain(x, s, c, -s);
}
inline Jet cos(const Jet& x) {
  const double s = std::sin(x.value);
  const double c = std::cos(x.value);
  return chain(x, c, -s, -c);
}
inline Jet tan(const Jet& x) {
  const double f = std::tan(x.value);
  const double f_x = 1 + f * f;
  return chain(x, f, f_x, 2 * f * f_x);
}
// (1 - x)(1 + x) instead of 1 - x^2 keeps the digits near the ends.
inline Jet asin(const Jet& x) {
  const double f_x = 1 / std::sqrt((1 - x.value) * (1 + x.value));
  return chain(x, std::asin(x.value), f_x, x.value * f_x * f_x * f_x);
}
inline Jet acos(const Jet& x) {
  const double f_x = -1 / std::sqrt((1 - x.value) * (1 + x.value));
  return chain(x, std::acos(x.value), f_x, x.value * f_x * f_x * f_x);
}
inline Jet atan(const Jet& x) {
  const double f_x = 1 / (1 + x.value * x.value);
  return chain(x, std::atan(x.value), f_x, -2 * x.value * f_x * f_x);
}
inline Jet sinh(const Jet& x) { return chain(x, std::sinh(x.value), std::cosh(x.value), std::sinh(x.value)); }
inline Jet cosh(const Jet& x) { return chain(x, std::cosh(x.value), std::sinh(x.value), std::cosh(x.value)); }
inline Jet tanh(const Jet& x) {
  const double f = std::tanh(x.value);
  const double c = 1 / std::cosh(x.value);
  return chain(x, f, c * c, -2 * f * c * c);
}
inline Jet asinh(const Jet& x) {
  const double f_x = 1 / std::hypot(1.0, x.value);
  return chain(x, std::asinh(x.value), f_x, -x.value * f_x * f_x * f_x);
}
inline Jet acosh(const Jet& x) {
  const double f_x = 1 / std::sqrt((x.value - 1) * (x.value + 1));
  return chain(x, std::acosh(x.value), f_x, -x.value * f_x * f_x * f_x);
}
inline Jet atanh(const Jet& x) {
  const double f_x = 1 / ((1 - x.value) * (1 + x.value));
  return chain(x, std::atanh(x.value), f_x, 2 * x.value * f_x * f_x);
}
inline Jet exp(const Jet& x) {
  const double f = std::exp(x.value);
  return chain(x, f, f, f);
}
inline Jet log(const Jet& x) { return chain(x, std::log(x.value), 1 / x.value, -1 / (x.value * x.value)); }
inline Jet log2(const Jet& x) {
  const double f_x = std::numbers::log2e / x.value;
  return chain(x, std::log2(x.value), f_x, -f_x / x.value);
}
inline Jet log10(const Jet& x) {
  const double f_x = std::numbers::log10e / x.value;
  return chain(x, std::log10(x.value), f_x, -f_x / x.value);
}
inline Jet sqrt(const Jet& x) {
  const double f = std::sqrt(x.value);
  return chain(x, f, 0.5 / f, -0.25 / (f * x.value));
}
inline Jet cbrt(const Jet& x) {
  const double f = std::cbrt(x.value);
  const double f_x = 1 / (3 * f * f);
  return chain(x, f, f_x, -2 * f_x / (3 * x.value));
}

inline Jet atan2(const Jet& y, const Jet& x) {
  const double f = std::atan2(y.value, x.value);
  if (rests(x) && rests(y)) return {f, 0, 0};
  const double rr = x.value * x.value + y.value * y.value;
  const double f1 = (x.value * y.first - y.value * x.first) / rr;
  const double half_rr1 = x.value * x.first + y.value * y.first;
  return {f, f1, (x.value * y.second - y.value * x.second - 2 * half_rr1 * f1) / rr};
}

// A point that leaves the origin does so along its velocity v and acceleration a: |v| t + (v . a)/|v| t^2/2.
inline Jet hypot(const Jet& x, const Jet& y) {
  const double f = std::hypot(x.value, y.value);
  const double speed = std::hypot(x.first, y.first);
  if (f == 0 && speed == 0) return {0, 0, std::hypot(x.second, y.second)};
  if (f == 0) return {0, speed, (x.first * x.second + y.first * y.second) / speed};
  const double f1 = (x.value * x.first + y.value * y.first) / f;
  return {f, f1, (speed * speed + x.value * x.second + y.value * y.second - f1 * f1) / f};
}

// x^y. Factors that are zero win over infinite ones: t^1 and t^0 have finite derivatives at t = 0, and 0^y is constant.
inline Jet power(const Jet& x, const Jet& y) {
  const double n = y.value;
  const double f = std::pow(x.value, n);
  if (rests(x) && (rests(y) || x.value == 0)) return {f, 0, 0};
  const auto times_power = [&](double factor, double exponent) {
    return factor == 0 ? 0 : factor * std::pow(x.value, exponent);
  };
  const Jet by_base = chain(x, f, times_power(n, n - 1), times_power(n * (n - 1), n - 2));
  if (rests(y)) return by_base;
  const double log_x = std::log(x.value);
  const double f_y = f == 0 ? 0 : f * log_x;
  const double f_yy = f == 0 ? 0 : f_y * log_x;
  const Jet by_exponent = chain(y, f, f_y, f_yy);
  const double p = std::pow(x.value, n - 1);
  const double mixed = x.first == 0 || p == 0 ? 0 : 2 * p * (1 + n * log_x) * x.first * y.first;
  return {f, by_base.first + by_exponent.first, by_base.second + by_exponent.second + mixed};
}

// The order of a and b an instant later; `literal` looks at the values alone.
inline std::partial_ordering order(const Jet& a, const Jet& b, bool literal) {
  if (literal || a.value != b.value) return a.value <=> b.value;
  if (a.first != b.first) return a.first <=> b.first;
  return a.second <=> b.second;
}
inline int sign(const Jet& x, bool literal) {
  const auto side = order(x, Jet{}, literal);
  return side > 0 ? 1 : side < 0 ? -1 : 0;
}

// The whole number below x, taken an instant later where x is whole just now.
inline double floor(const Jet& x, bool literal) {
  const double n = std::floor(x.value);
  return x.value == n && sign({0, x.first, x.second}, literal) < 0 ? n - 1 : n;
}

// The nearest whole number; a half goes up, or where x goes an instant later.
inline double rint(const Jet& x, bool literal) {
  const double n = std::floor(x.value);
  return sign({x.value - n - 0.5, x.first, x.second}, literal) >= 0 ? n + 1 : n;
}

}  // namespace polhode::model::jet
