// SPDX-License-Identifier: BSD-3-Clause
// Several numbers side by side in one vector register: a scalar type for kernels that treat a few elements at a time.
//
// All operations act lane by lane with the rounding of a double, so a result does not depend on its neighbours.
#pragma once
#include <Eigen/Core>
#include <cmath>

namespace polhode::math {

struct Lanes {
  static constexpr int count = 4;
  typedef double Register __attribute__((vector_size(count * sizeof(double))));
  Register v;

  Lanes() = default;
  Lanes(double a) : v{a, a, a, a} {}
  explicit Lanes(Register r) : v(r) {}
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double a) { v[lane] = a; }

  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
  Lanes operator-() const { return Lanes(-v); }
  Lanes& operator+=(Lanes b) { return v += b.v, *this; }
  Lanes& operator-=(Lanes b) { return v -= b.v, *this; }
  Lanes& operator*=(Lanes b) { return v *= b.v, *this; }
  Lanes& operator/=(Lanes b) { return v /= b.v, *this; }
};

// f of each lane.
template <class F>
Lanes each(F f, Lanes a) {
  Lanes r;
  for (int i = 0; i < Lanes::count; ++i) r.set(i, f(a[i]));
  return r;
}
template <class F>
Lanes each(F f, Lanes a, Lanes b) {
  Lanes r;
  for (int i = 0; i < Lanes::count; ++i) r.set(i, f(a[i], b[i]));
  return r;
}
inline Lanes sqrt(Lanes a) {
  return each([](double x) { return std::sqrt(x); }, a);
}
inline bool all_below(Lanes a, double bound) { return a[0] < bound && a[1] < bound && a[2] < bound && a[3] < bound; }
inline bool all_below(double a, double bound) { return a < bound; }

}  // namespace polhode::math

template <>
struct Eigen::NumTraits<polhode::math::Lanes> : Eigen::GenericNumTraits<double> {
  typedef polhode::math::Lanes Real, NonInteger, Nested, Literal;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
