// SPDX-License-Identifier: BSD-3-Clause
// Products and the inverse of dense blocks of up to six rows and columns, column-major, in vector registers of four and
// two numbers.
//
// A block of n rows has columns of a width of its own: four numbers up to four rows (Narrow), six else (Column). What
// is beyond its rows is zero and stays zero; it has exactly as many columns as it has unknowns.
#pragma once
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "polhode/assembly/linear/block_order.hpp"
#include "polhode/math/prefetch.hpp"
#include "polhode/math/registers.hpp"

namespace polhode::assembly::block6 {

using math::Four;
using math::Two;

// Six numbers: one register of four doubles and one of two.
struct Column {
  static constexpr int width = 6;
  Four low;
  Two high;
  static Column load(const double* p) { return {math::load<Four>(p), math::load<Two>(p + 4)}; }
  void store(double* p) const {
    math::store(low, p);
    math::store(high, p + 4);
  }
  static Column zero() { return {Four{}, Two{}}; }
  void add(const Column& a, double s) {
    low += a.low * s;
    high += a.high * s;
  }
  void subtract(const Column& a, double s) {
    low -= a.low * s;
    high -= a.high * s;
  }
  // Each number becomes that of the larger magnitude, without its sign; NaN are passed over.
  void keep_larger(const Column& a) {
    const Four l = a.low < 0 ? -a.low : a.low;
    const Two h = a.high < 0 ? -a.high : a.high;
    low = l > low ? l : low;
    high = h > high ? h : high;
  }
  double largest() const {
    const Two half = Two{low[0], low[1]} > Two{low[2], low[3]} ? Two{low[0], low[1]} : Two{low[2], low[3]};
    const Two all = half > high ? half : high;
    return all[0] > all[1] ? all[0] : all[1];
  }
};

// Of a block, whatever its size.
inline void prefetch(const double* block) { math::prefetch(block, Column::width * Column::width); }

// Four numbers.
struct Narrow {
  static constexpr int width = 4;
  Four low;
  static Narrow load(const double* p) { return {math::load<Four>(p)}; }
  void store(double* p) const { math::store(low, p); }
  static Narrow zero() { return {Four{}}; }
  void add(const Narrow& a, double s) { low += a.low * s; }
  void subtract(const Narrow& a, double s) { low -= a.low * s; }
  void keep_larger(const Narrow& a) {
    const Four l = a.low < 0 ? -a.low : a.low;
    low = l > low ? l : low;
  }
  double largest() const {
    const Two half = Two{low[0], low[1]} > Two{low[2], low[3]} ? Two{low[0], low[1]} : Two{low[2], low[3]};
    return half[0] > half[1] ? half[0] : half[1];
  }
};

// Of blocks with so many rows, and from one of their columns to the next.
template <int rows>
using ColumnOf = std::conditional_t<(rows <= Narrow::width), Narrow, Column>;
inline constexpr int width_of(int rows) { return BlockOrder::stride(rows); }

// A block kept in registers while it is multiplied: at most twelve of the sixteen that AVX2 has.
template <class C = Column, int columns = 6>
struct Block {
  C column[columns];
  explicit Block(const double* p) {
    for (int j = 0; j < columns; ++j) column[j] = C::load(p + C::width * j);
  }
  void store(double* p) const {
    for (int j = 0; j < columns; ++j) column[j].store(p + C::width * j);
  }
};

// Inlined, so that numbers of columns that the caller knows are known here.
// P = A B, where B is square of the size `inner`. Written to `product`, which may be A.
template <class C = Column, int inner = 6>
[[gnu::always_inline]] inline void multiply(const double* A, const double* B, double* product) {
  const Block<C, inner> a(A);
  for (int j = 0; j < inner; ++j) {
    C sum = C::zero();
    for (int k = 0; k < inner; ++k) sum.add(a.column[k], B[width_of(inner) * j + k]);
    sum.store(product + C::width * j);
  }
}

// Calls f(columns), with a constant where all six are there: the loops of f are unrolled then.
template <class F>
[[gnu::always_inline]] inline void with_columns(int columns, const F& f) {
  if (columns == Column::width)
    f(std::integral_constant<int, Column::width>());
  else
    f(columns);
}

// R -= A B, where B has `inner` rows and so many columns.
template <class C = Column, int inner = 6, class Columns = std::integral_constant<int, 6>>
[[gnu::always_inline]] inline void subtract_product(const double* A, const double* B, double* R, Columns columns = {}) {
  const Block<C, inner> a(A);
  for (int j = 0; j < columns; ++j) {
    C sum = C::load(R + C::width * j);
    for (int k = 0; k < inner; ++k) sum.subtract(a.column[k], B[width_of(inner) * j + k]);
    sum.store(R + C::width * j);
  }
}

// y -= A x, x of so many numbers.
template <class C = Column, class Columns = std::integral_constant<int, 6>>
[[gnu::always_inline]] inline void subtract_product_of_vector(const double* A, const double* x, double* y,
                                                              Columns columns = {}) {
  C sum = C::load(y);
  for (int k = 0; k < columns; ++k) sum.subtract(C::load(A + C::width * k), x[k]);
  sum.store(y);
}

// x = A x, A square.
template <int size = 6>
[[gnu::always_inline]] inline void multiply_vector(const double* A, double* x) {
  using C = ColumnOf<size>;
  C sum = C::zero();
  for (int k = 0; k < size; ++k) sum.add(C::load(A + C::width * k), x[k]);
  sum.store(x);
}

// max |A_ij|; NaN are ignored.
template <class C = Column>
[[gnu::always_inline]] inline double largest_entry(const double* A, int columns = 6) {
  C largest = C::zero();
  for (int j = 0; j < columns; ++j) largest.keep_larger(C::load(A + C::width * j));
  return largest.largest();
}

// Most blocks are decided by their first column.
template <class C = Column>
[[gnu::always_inline]] inline bool is_zero(const double* A, int columns = 6) {
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < C::width; ++i)
      if (A[C::width * j + i] != 0) return false;
  return true;
}

// Components by constant index: a variable one would spill the column to memory.
template <int i, class C>
double get(const C& c) {
  if constexpr (i < 4)
    return c.low[i];
  else
    return c.high[i - 4];
}
template <int i, class C>
void set(C& c, double value) {
  if constexpr (i < 4)
    c.low[i] = value;
  else
    c.high[i - 4] = value;
}

// Gauss-Jordan elimination of a block kept in registers; all indices but that of a pivot out of place are constants.
template <int size>
class Inverter {
  using C = ColumnOf<size>;

 public:
  explicit Inverter(const double* A) : a_(A) {}
  // Most of the work: in the place of the call.
  [[gnu::always_inline]] bool run() { return steps(std::make_integer_sequence<int, size>{}); }
  // Written back with the exchanges undone, last first.
  void store(double* A) {
    a_.store(A);
    for (int k = size - 1; k >= 0; --k)  // row exchanges of the matrix are column exchanges of its inverse
      if (swapped_[k] != k)
        for (int i = 0; i < C::width; ++i) std::swap(A[C::width * k + i], A[C::width * swapped_[k] + i]);
  }
  // pivots
  double smallest = 1e300;
  double largest = 0;

 private:
  template <int... k>
  [[gnu::always_inline]] bool steps(std::integer_sequence<int, k...>) {
    return (step<k>() && ...);
  }
  // Eliminates with the largest entry of column k in the rows from k on as the pivot. False if it is zero or not finite.
  template <int k>
  [[gnu::always_inline]] bool step() {
    int p = k;
    double pivot = get<k>(a_.column[k]);
    double magnitude = std::abs(pivot);
    const auto look = [&]<int i>() {
      if constexpr (i > k && i < size) {
        const double value = std::abs(get<i>(a_.column[k]));
        if (value > magnitude) {
          magnitude = value;
          p = i;
        }
      }
    };
    look.template operator()<1>();
    look.template operator()<2>();
    look.template operator()<3>();
    look.template operator()<4>();
    look.template operator()<5>();
    if (!(magnitude > 0) || !(magnitude < 1e300)) return false;
    if (p != k) {
      exchange_rows(k, p);
      pivot = get<k>(a_.column[k]);
    }
    swapped_[k] = p;
    smallest = magnitude < smallest ? magnitude : smallest;
    largest = magnitude > largest ? magnitude : largest;
    // Column k of the inverse of the elementary matrix: -a_ik / pivot, and 1 / pivot on the diagonal. Its row k is
    // without meaning until that is set, as row k of the other columns is.
    const double reciprocal = 1 / pivot;
    C eliminate = C::zero();
    eliminate.subtract(a_.column[k], reciprocal);
    for (int j = 0; j < size; ++j) {
      if (j == k) continue;
      const double factor = get<k>(a_.column[j]);
      a_.column[j].add(eliminate, factor);
      set<k>(a_.column[j], factor * reciprocal);
    }
    set<k>(eliminate, reciprocal);
    a_.column[k] = eliminate;
    return true;
  }
  // Rare, so that it may go through memory.
  void exchange_rows(int k, int p) {
    double A[C::width * size];
    a_.store(A);
    for (int j = 0; j < size; ++j) std::swap(A[C::width * j + k], A[C::width * j + p]);
    a_ = Block<C, size>(A);
  }

  Block<C, size> a_;
  int swapped_[size];
};

// Inverts A in place. Sets the smallest and the largest pivot; false if one is zero or not finite.
template <int size = 6>
[[gnu::always_inline]] inline bool invert(double* A, double& smallest, double& largest) {
  Inverter<size> inverter(A);
  const bool good = inverter.run();
  if (!good) return false;
  inverter.store(A);
  smallest = inverter.smallest;
  largest = inverter.largest;
  return true;
}

// Whether A is regular once its rows and columns are scaled, as of masses and inertias of different size: by the largest
// entry of its inverse.
[[gnu::noinline, gnu::cold]] inline bool is_regular_when_scaled(const double* A, const double* inverse,
                                                                double singular) {
  constexpr int width = Column::width;
  double row[width] = {};
  double column[width] = {};
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) row[i] = std::max(row[i], std::abs(A[width * j + i]));
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) column[j] = std::max(column[j], std::abs(A[width * j + i]) / row[i]);
  double largest = 0;
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) largest = std::max(largest, column[i] * std::abs(inverse[width * j + i]) * row[j]);
  return largest * singular < 1;
}

}  // namespace polhode::assembly::block6
