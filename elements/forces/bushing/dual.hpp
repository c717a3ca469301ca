// SPDX-License-Identifier: BSD-3-Clause
// Numbers with derivatives by seven others (forward automatic differentiation), and triples of numbers. Eigen has both,
// as expression templates whose types grow with each formula: these compile in a tenth of the time.
#pragma once
#include <array>
#include <cmath>

#include "polhode/math/types.hpp"

namespace polhode::elements {

// A value, and its derivatives by the seven invariants of bushing_step.cpp.
struct Dual {
  double value = 0;
  math::Mat<7> slope = math::Mat<7>::Zero();
};
inline Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
// slope = p a' + q b'.
inline math::Mat<7> combined(double p, const math::Mat<7>& a, double q, const math::Mat<7>& b) {
  math::Mat<7> slope;
  for (int i = 0; i < 7; ++i) slope[i] = p * a[i] + q * b[i];
  return slope;
}
inline Dual operator*(const Dual& a, const Dual& b) {
  return {a.value * b.value, combined(b.value, a.slope, a.value, b.slope)};
}
inline Dual operator/(const Dual& a, const Dual& b) {
  const double ratio = a.value / b.value;
  return {ratio, combined(1 / b.value, a.slope, -ratio / b.value, b.slope)};
}
inline Dual operator+(double a, const Dual& b) { return {a + b.value, b.slope}; }
inline Dual operator+(const Dual& a, double b) { return {a.value + b, a.slope}; }
inline Dual operator-(const Dual& a, double b) { return {a.value - b, a.slope}; }
inline Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
inline Dual operator*(const Dual& a, double b) { return b * a; }
inline Dual operator/(const Dual& a, double b) { return (1 / b) * a; }
inline Dual operator-(double a, const Dual& b) { return a + -1.0 * b; }
inline Dual operator/(double a, const Dual& b) { return {a / b.value, (-a / (b.value * b.value)) * b.slope}; }
inline bool operator<(const Dual& a, double b) { return a.value < b; }
inline Dual sqrt(const Dual& x) {
  const double root = std::sqrt(x.value);
  return {root, (0.5 / root) * x.slope};
}
inline Dual asin(const Dual& x) { return {std::asin(x.value), (1 / std::sqrt(1 - x.value * x.value)) * x.slope}; }

// Three numbers with or without derivatives.
template <class T>
using Triple = std::array<T, 3>;
template <class A, class B>
auto operator+(const Triple<A>& a, const Triple<B>& b) {
  return Triple<decltype(a[0] + b[0])>{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class A, class B>
auto operator*(const Triple<A>& a, const B& b) {
  return Triple<decltype(a[0] * b)>{a[0] * b, a[1] * b, a[2] * b};
}
template <class A, class B>
auto dot(const Triple<A>& a, const Triple<B>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
// The seven invariants, or the multipliers of their rows.
template <class T>
using Invariants = std::array<T, 7>;

}  // namespace polhode::elements
