// SPDX-License-Identifier: BSD-3-Clause
// Products of 3x3 matrices in lanes, sums of products with one rounding where the processor has it.
#pragma once
#include "polhode/math/lanes.hpp"
#include "polhode/math/types.hpp"

namespace polhode::elements::spectral {

using LanesMatrix = math::Mat3Of<math::Lanes>;
using LanesVector = math::Vec3Of<math::Lanes>;

// R += A B, R -= A B, A B. A and B are matrices or transposes of matrices.
template <class Left, class Right>
inline void add_product(const Left& A, const Right& B, LanesMatrix& R) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) R(i, j) = R(i, j) + A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
}
template <class Left, class Right>
inline void subtract_product(const Left& A, const Right& B, LanesMatrix& R) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) R(i, j) = R(i, j) - A(i, 0) * B(0, j) - A(i, 1) * B(1, j) - A(i, 2) * B(2, j);
}
template <class Left, class Right>
inline LanesMatrix product(const Left& A, const Right& B) {
  LanesMatrix R;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) R(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return R;
}
// a b^T.
inline LanesMatrix outer(const LanesVector& a, const LanesVector& b) {
  LanesMatrix R;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) R(i, j).v = a[i].v * b[j].v;
  return R;
}
inline void add_outer(const LanesVector& a, const LanesVector& b, LanesMatrix& R) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) R(i, j).v += a[i].v * b[j].v;
}
// R += tilde(a).
inline void add_tilde(const LanesVector& a, LanesMatrix& R) {
  R(0, 1) -= a[2];
  R(0, 2) += a[1];
  R(1, 0) += a[2];
  R(1, 2) -= a[0];
  R(2, 0) -= a[1];
  R(2, 1) += a[0];
}

}  // namespace polhode::elements::spectral
