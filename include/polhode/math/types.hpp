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

}  // namespace polhode::math
