// SPDX-License-Identifier: BSD-3-Clause
// Decompositions of dense matrices whose sizes are known at run time only. They are Eigen's, which are templates of some
// ten thousand lines: compiled here once, and not by each part that needs one. All allocate but those of six rows.
//
// Matrices have at least one row and one column. Numbers that are not finite give results that are not finite.
// Thresholds of rank are relative to the largest pivot or singular value.
#pragma once
#include <vector>

#include "polhode/math/types.hpp"

namespace polhode::math {

// A = Q R without pivoting: the first `columns` columns of Q, orthonormal; at most A's rows.
MatrixX orthonormal_columns(const MatrixX& A, Eigen::Index columns);
// A^T B.
MatrixX transposed_product(const MatrixX& A, const MatrixX& B);
// A P = Q R with the largest column first: the columns of Q that span the range of A, in the rank that Eigen's own
// threshold finds.
MatrixX orthonormal_range(const MatrixX& A);
// By the same decomposition: the columns of Q behind the rank, a basis of the directions d with A^T d = 0.
MatrixX orthonormal_complement(const MatrixX& A, double threshold);
Eigen::Index rank(const MatrixX& A, double threshold);
// P: the columns of A in the order in which they were chosen.
std::vector<int> pivot_order(const MatrixX& A);
// By singular values: an orthonormal basis, in columns, of the directions d with A d = 0.
MatrixX null_space(const MatrixX& A, double threshold);

// A x = B for any regular square A, by LU with pivots in columns.
MatrixX solve(const MatrixX& A, const MatrixX& B);
// A x = B in place of B for a symmetric positive definite A. False, and B as it was, if the least pivot of L D L^T is
// not above `least`.
bool solve_definite(const MatrixX& A, double least, MatrixX& B);
// Whether the pivots of a symmetric matrix's Cholesky factor (roots of those of L D L^T) are all above `least`.
bool is_definite(const MatrixX& A, double least);
// The X with the least norms for which A X - B is least, as X = pseudo_inverse(A) B, in the rank that Eigen's own
// threshold finds.
MatrixX pseudo_inverse(const MatrixX& A);
// W with A = W W^T for a symmetric A that is positive semidefinite but for round-off.
MatrixX semidefinite_root(const MatrixX& A);

// Of a symmetric matrix, by its lower triangle: eigenvalues in ascending order, orthonormal eigenvectors in columns.
struct SymmetricEigen {
  VectorX values;
  MatrixX vectors;
};
SymmetricEigen symmetric_eigen(const MatrixX& A);
// The smallest eigenvalue of a symmetric matrix that is scaled to a unit diagonal, which keeps the sign and takes the
// units out; rows whose diagonal is not positive stay as they are.
double least_scaled_eigenvalue(const Mat6& A);
// (M + K+)^-1 of symmetric matrices, M positive definite: K+ is K without its negative eigenvalues relative to M.
Mat6 inverse_of_sum(const Mat6& M, const Mat6& K);
// M^-1 of a symmetric positive definite matrix.
Mat6 definite_inverse(const Mat6& M);
// Of any square matrix: eigenvalues in no order, those of conjugate pairs side by side; eigenvectors of length one.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const MatrixX& A);

}  // namespace polhode::math
