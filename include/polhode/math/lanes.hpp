// SPDX-License-Identifier: BSD-3-Clause
// Several numbers side by side in one vector register: a scalar type for kernels that treat a few elements at a time.
//
// All operations act lane by lane with the rounding of a double, so a result does not depend on its neighbors.
// Eigen's fixed-size matrices take it as their scalar (NumTraits at the end), so that a kernel is one template for
// doubles and for lanes, and its formulas stand once. No function here allocates.
#pragma once
#include <Eigen/Core>
#include <array>
#include <cmath>

#include "polhode/math/registers.hpp"

namespace polhode::math {

// A register of doubles: four with AVX2 (two registers without it), eight with AVX-512.
struct Lanes {
#ifdef __AVX512F__
  static constexpr int count = 8;
#else
  static constexpr int count = 4;
#endif
  // GCC's and Clang's vectors: operators act lane by lane, without intrinsics of one processor.
  typedef double Register __attribute__((vector_size(count * sizeof(double))));
  Register v;

  // Lanes are not set.
  Lanes() = default;
  // The same number in all lanes. (a - 0 compiles to one broadcast; a braced list would not.)
  Lanes(double a) : v(a - Register{}) {}
  explicit Lanes(Register r) : v(r) {}
  // One lane; for gathering and scattering, slow inside of kernels.
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double a) { v[lane] = a; }

  // Arithmetic of doubles, lane by lane.
  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
  Lanes operator-() const { return Lanes(-v); }
  Lanes& operator+=(Lanes b) {
    v += b.v;
    return *this;
  }
  Lanes& operator-=(Lanes b) {
    v -= b.v;
    return *this;
  }
  Lanes& operator*=(Lanes b) {
    v *= b.v;
    return *this;
  }
  Lanes& operator/=(Lanes b) {
    v /= b.v;
    return *this;
  }
};

// f of each lane.
// Slow: one call a lane.
template <class F>
Lanes each(F f, Lanes a) {
  Lanes r;
  for (int i = 0; i < Lanes::count; ++i) r.set(i, f(a[i]));
  return r;
}
// f of the two numbers in each lane.
template <class F>
Lanes each(F f, Lanes a, Lanes b) {
  Lanes r;
  for (int i = 0; i < Lanes::count; ++i) r.set(i, f(a[i], b[i]));
  return r;
}
// Found by name lookup where a kernel writes `using std::sqrt; sqrt(s)`.
inline Lanes sqrt(Lanes a) {
  return each([](double x) { return std::sqrt(x); }, a);
}
// The greater of both.
inline Lanes larger(Lanes a, Lanes b) { return Lanes(a.v > b.v ? a.v : b.v); }
inline double larger(double a, double b) { return a > b ? a : b; }
// `value` where a >= bound, else 0.
inline Lanes where_reached(Lanes a, Lanes bound, Lanes value) {
  return Lanes(a.v >= bound.v ? value.v : Lanes::Register{});
}
inline double where_reached(double a, double bound, double value) { return a >= bound ? value : 0; }
// Whether every lane is below the bound: kernels take a branch for all lanes or for none.
inline bool all_below(Lanes a, double bound) {
  bool below = true;
  for (int i = 0; i < Lanes::count; ++i) below = below && a[i] < bound;
  return below;
}
// The same question of a scalar kernel.
inline bool all_below(double a, double bound) { return a < bound; }

// Adds six numbers of each lane to six that stand together, at to[lane] + offset.
// A block of 6 numbers by `count` lanes is turned around in registers and added in runs of four and two, instead of one
// number at a time. `to` has one address a lane; runs of different lanes may be the same place, and are added in turn.
inline void add_columns_of_six(const Lanes* from, const std::array<double*, Lanes::count>& to, int offset) {
  const auto add = [](double* at, auto numbers) { store(load<decltype(numbers)>(at) + numbers, at); };
  for (int lane = 0; lane < Lanes::count; lane += 4) {
    // The first four: a square of four lanes by four numbers, transposed by pairs.
    const auto four = [&](int k) {
      return load<Four>(reinterpret_cast<const char*>(&from[k].v) + sizeof(double) * lane);
    };
    const Four a = four(0);
    const Four b = four(1);
    const Four c = four(2);
    const Four d = four(3);
    const Four ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Four ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Four cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Four cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    double* const* const at = to.data() + lane;
    add(at[0] + offset, __builtin_shufflevector(ab02, cd02, 0, 1, 4, 5));
    add(at[1] + offset, __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5));
    add(at[2] + offset, __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7));
    add(at[3] + offset, __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7));
  }
  const Lanes::Register e = from[4].v;
  const Lanes::Register f = from[5].v;
  for (int lane = 0; lane < Lanes::count; ++lane) add(to[lane] + offset + 4, Two{e[lane], f[lane]});
}

}  // namespace polhode::math

// Costs are those of a double: they only steer how Eigen unrolls and evaluates products.
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
