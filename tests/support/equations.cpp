// SPDX-License-Identifier: BSD-3-Clause
#include "support/equations.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace polhode::support {

using math::MatrixX;
using math::VectorX;

VectorX least_squares(const MatrixX& A, const VectorX& b) { return Eigen::ColPivHouseholderQR<MatrixX>(A).solve(b); }

VectorX least_norm(const MatrixX& A, const VectorX& b) {
  return A.transpose() * Eigen::LDLT<MatrixX>(A * A.transpose()).solve(b);
}

double least_eigenvalue(const MatrixX& A) { return math::symmetric_eigen(A).values[0]; }

}  // namespace polhode::support
