// SPDX-License-Identifier: BSD-3-Clause
// Fixed-size vectors and matrices, and the map from a vector to its cross product matrix.
#pragma once
#include <Eigen/Core>

namespace polhode::math {

// Stored by columns, as all matrices here; Mat<n> is a column.
template <int R, int C = 1>
using Mat = Eigen::Matrix<double, R, C>;
// Vectors of space, and pairs (translation, rotation) in this order.
using Vec3 = Mat<3>;
using Vec6 = Mat<6>;
using Mat3 = Mat<3, 3>;
using Mat6 = Mat<6, 6>;
// Of sizes known at run time only; not inside of elements.
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

// The same for any scalar type.
template <class S>
using Vec3Of = Eigen::Matrix<S, 3, 1>;
template <class S>
using Mat3Of = Eigen::Matrix<S, 3, 3>;

// The skew-symmetric matrix of a: tilde(a) b = a x b (BCA12 eq. 10).
template <class S>
Mat3Of<S> tilde_of(const Vec3Of<S>& a) {
  Mat3Of<S> m;
  m << S(0), -a[2], a[1], a[2], S(0), -a[0], -a[1], a[0], S(0);
  return m;
}
// For doubles, so that expressions of Eigen convert.
inline Mat3 tilde(const Vec3& a) { return tilde_of<double>(a); }

// tilde(a) M, and M tilde(a), without forming tilde(a).
// Eighteen products instead of 27.
template <class S>
Mat3Of<S> cross_left_of(const Vec3Of<S>& a, const Mat3Of<S>& M) {
  Mat3Of<S> r;
  r.row(0) = a[1] * M.row(2) - a[2] * M.row(1);
  r.row(1) = a[2] * M.row(0) - a[0] * M.row(2);
  r.row(2) = a[0] * M.row(1) - a[1] * M.row(0);
  return r;
}
template <class S>
Mat3Of<S> cross_right_of(const Mat3Of<S>& M, const Vec3Of<S>& a) {
  Mat3Of<S> r;
  r.col(0) = a[2] * M.col(1) - a[1] * M.col(2);
  r.col(1) = a[0] * M.col(2) - a[2] * M.col(0);
  r.col(2) = a[1] * M.col(0) - a[0] * M.col(1);
  return r;
}
// The same for doubles.
inline Mat3 cross_left(const Vec3& a, const Mat3& M) { return cross_left_of<double>(a, M); }
inline Mat3 cross_right(const Mat3& M, const Vec3& a) { return cross_right_of<double>(M, a); }

}  // namespace polhode::math
