// SPDX-License-Identifier: BSD-3-Clause
// Fixed-size vectors and matrices, and the map from a vector to its cross product matrix.
#pragma once
#include <Eigen/Core>

namespace polhode::math {

template <int R, int C = 1>
using Mat = Eigen::Matrix<double, R, C>;
using Vec3 = Mat<3>;
using Vec6 = Mat<6>;
using Mat3 = Mat<3, 3>;
using Mat6 = Mat<6, 6>;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

// The skew-symmetric matrix of a: tilde(a) b = a x b (BCA12 eq. 10).
inline Mat3 tilde(const Vec3& a) {
  Mat3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// tilde(a) M, and M tilde(a), without forming tilde(a).
inline Mat3 cross_left(const Vec3& a, const Mat3& M) {
  Mat3 r;
  r.row(0) = a[1] * M.row(2) - a[2] * M.row(1);
  r.row(1) = a[2] * M.row(0) - a[0] * M.row(2);
  r.row(2) = a[0] * M.row(1) - a[1] * M.row(0);
  return r;
}
inline Mat3 cross_right(const Mat3& M, const Vec3& a) {
  Mat3 r;
  r.col(0) = a[2] * M.col(1) - a[1] * M.col(2);
  r.col(1) = a[0] * M.col(2) - a[2] * M.col(0);
  r.col(2) = a[1] * M.col(0) - a[0] * M.col(1);
  return r;
}

}  // namespace polhode::math
