// SPDX-License-Identifier: BSD-3-Clause
// Products and the inverse of dense 6x6 blocks, column-major, in vector registers of four and two numbers.
#pragma once
#include <cmath>
#include <cstring>
#include <utility>

namespace polhode::assembly::block6 {

struct Column {  // six numbers
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
  void add(const Column& a, double s) { low += a.low * s, high += a.high * s; }
  void subtract(const Column& a, double s) { low -= a.low * s, high -= a.high * s; }
};

struct Block {  // a block kept in registers while it is multiplied
  Column column[6];
  explicit Block(const double* p) {
    for (int j = 0; j < 6; ++j) column[j] = Column::load(p + 6 * j);
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

inline double largest_entry(const double* A) {
  double largest = 0;
  for (int i = 0; i < 36; ++i) largest = std::fmax(largest, std::fabs(A[i]));
  return largest;
}

// Inverts A in place by Gauss-Jordan elimination with row pivots among the first `size` rows and columns (the rest is the
// identity). Sets the smallest and the largest pivot; false if one is zero or not finite.
inline bool invert(double* A, int size, double& smallest, double& largest) {
  int swapped[6];
  smallest = INFINITY, largest = 0;
  for (int k = 0; k < size; ++k) {
    int p = k;
    for (int i = k + 1; i < size; ++i)
      if (std::fabs(A[6 * k + i]) > std::fabs(A[6 * k + p])) p = i;
    const double pivot = A[6 * k + p], magnitude = std::fabs(pivot);
    if (!(magnitude > 0) || !std::isfinite(magnitude)) return false;
    smallest = std::fmin(smallest, magnitude), largest = std::fmax(largest, magnitude);
    swapped[k] = p;
    if (p != k)
      for (int j = 0; j < size; ++j) std::swap(A[6 * j + k], A[6 * j + p]);
    // Column k becomes that of the inverse of the elementary matrix: -a_ik / pivot, and 1 / pivot on the diagonal.
    const double reciprocal = 1 / pivot;
    Column column = Column::load(A + 6 * k);
    Column negative = Column::zero();
    negative.subtract(column, reciprocal);
    negative.store(A + 6 * k);
    A[6 * k + k] = 0;
    const Column eliminate = Column::load(A + 6 * k);  // zero in row k
    for (int j = 0; j < size; ++j) {
      if (j == k) continue;
      const double factor = A[6 * j + k];
      Column target = Column::load(A + 6 * j);
      target.add(eliminate, factor);
      target.store(A + 6 * j);
      A[6 * j + k] = factor * reciprocal;
    }
    A[6 * k + k] = reciprocal;
  }
  for (int k = size - 1; k >= 0; --k)  // row exchanges of the matrix are column exchanges of its inverse
    if (swapped[k] != k)
      for (int i = 0; i < size; ++i) std::swap(A[6 * k + i], A[6 * swapped[k] + i]);
  return true;
}

}  // namespace polhode::assembly::block6
