// SPDX-License-Identifier: BSD-3-Clause
// Products and the inverse of dense 6x6 blocks, column-major, in vector registers of four and two numbers.
#pragma once
#include <cmath>
#include <cstring>
#include <utility>

namespace polhode::assembly::block6 {

// Six numbers: one register of four doubles and one of two. GCC's and clang's vector types keep arithmetic element by
// element, in the order that is written, so that results do not depend on the processor.
struct Column {
  typedef double Four __attribute__((vector_size(32)));
  typedef double Two __attribute__((vector_size(16)));
  Four low;
  Two high;
  static Column load(const double* p) {
    Column c;
    std::memcpy(&c.low, p, sizeof c.low);
    std::memcpy(&c.high, p + 4, sizeof c.high);
    return c;
  }
  void store(double* p) const {
    std::memcpy(p, &low, sizeof low);
    std::memcpy(p + 4, &high, sizeof high);
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
};

// A block kept in registers while it is multiplied: twelve of the sixteen that AVX2 has.
struct Block {
  Column column[6];
  explicit Block(const double* p) {
    for (int j = 0; j < 6; ++j) column[j] = Column::load(p + 6 * j);
  }
  void store(double* p) const {
    for (int j = 0; j < 6; ++j) column[j].store(p + 6 * j);
  }
};

// C = A B
inline void multiply(const double* A, const double* B, double* C) {
  const Block a(A);
  for (int j = 0; j < 6; ++j) {
    Column sum = Column::zero();
    for (int k = 0; k < 6; ++k) sum.add(a.column[k], B[6 * j + k]);
    sum.store(C + 6 * j);
  }
}

// C -= A B
inline void subtract_product(const double* A, const double* B, double* C) {
  const Block a(A);
  for (int j = 0; j < 6; ++j) {
    Column sum = Column::load(C + 6 * j);
    for (int k = 0; k < 6; ++k) sum.subtract(a.column[k], B[6 * j + k]);
    sum.store(C + 6 * j);
  }
}

// y -= A x
inline void subtract_product_of_vector(const double* A, const double* x, double* y) {
  Column sum = Column::load(y);
  for (int k = 0; k < 6; ++k) sum.subtract(Column::load(A + 6 * k), x[k]);
  sum.store(y);
}

// x = A x
inline void multiply_vector(const double* A, double* x) {
  Column sum = Column::zero();
  for (int k = 0; k < 6; ++k) sum.add(Column::load(A + 6 * k), x[k]);
  sum.store(x);
}

// max |A_ij|; NaN are ignored where a comparison with them decides.
inline double largest_entry(const double* A) {
  Column largest = Column::zero();
  for (int j = 0; j < 6; ++j) {
    const Column c = Column::load(A + 6 * j);
    const Column::Four low = c.low < 0 ? -c.low : c.low;
    const Column::Two high = c.high < 0 ? -c.high : c.high;
    largest.low = low > largest.low ? low : largest.low;
    largest.high = high > largest.high ? high : largest.high;
  }
  double all[6];
  double result = 0;
  largest.store(all);
  for (const double value : all) result = value > result ? value : result;
  return result;
}

// Components by constant index: a variable one would spill the column to memory.
template <int i>
double get(const Column& c) {
  if constexpr (i < 4)
    return c.low[i];
  else
    return c.high[i - 4];
}
template <int i>
void set(Column& c, double value) {
  if constexpr (i < 4)
    c.low[i] = value;
  else
    c.high[i - 4] = value;
}

// Gauss-Jordan elimination of a block kept in registers; all indices but that of a pivot out of place are constants.
class Inverter {
 public:
  explicit Inverter(const double* A) : a_(A) {}
  bool run() { return step<0>() && step<1>() && step<2>() && step<3>() && step<4>() && step<5>(); }
  // Written back with the exchanges undone, last first.
  void store(double* A) {
    a_.store(A);
    for (int k = 5; k >= 0; --k)  // row exchanges of the matrix are column exchanges of its inverse
      if (swapped_[k] != k)
        for (int i = 0; i < 6; ++i) std::swap(A[6 * k + i], A[6 * swapped_[k] + i]);
  }
  // pivots
  double smallest = 1e300;
  double largest = 0;

 private:
  // Eliminates with the largest entry of column k in the rows k ... 5 as the pivot. False if it is zero or not finite.
  template <int k>
  bool step() {
    int p = k;
    double pivot = get<k>(a_.column[k]);
    double magnitude = std::abs(pivot);
    const auto look = [&]<int i>() {
      if constexpr (i > k) {
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
    // Column k of the inverse of the elementary matrix: -a_ik / pivot, and 1 / pivot on the diagonal.
    const double reciprocal = 1 / pivot;
    Column eliminate = Column::zero();
    eliminate.subtract(a_.column[k], reciprocal);
    set<k>(eliminate, 0);
    for (int j = 0; j < 6; ++j) {
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
    double A[36];
    a_.store(A);
    for (int j = 0; j < 6; ++j) std::swap(A[6 * j + k], A[6 * j + p]);
    a_ = Block(A);
  }

  Block a_;
  int swapped_[6];
};

// Inverts A in place. Sets the smallest and the largest pivot; false if one is zero or not finite.
[[gnu::always_inline]] inline bool invert(double* A, double& smallest, double& largest) {
  Inverter inverter(A);
  if (!inverter.run()) return false;
  inverter.store(A);
  smallest = inverter.smallest;
  largest = inverter.largest;
  return true;
}

}  // namespace polhode::assembly::block6
