// SPDX-License-Identifier: BSD-3-Clause
// Laws of what is done with symmetric matrices and with eigenvalues: units, congruence, shifts, interlacing, pivots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/math/dense.hpp"

namespace polhode::math {
namespace {

MatrixX drawn_matrix(Eigen::Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixX A(size, size);
  for (double& a : A.reshaped()) a = uniform(random);
  return A;
}
MatrixX drawn_symmetric(Eigen::Index size, unsigned seed) {
  const MatrixX A = drawn_matrix(size, seed);
  return A + A.transpose();
}
// Eigenvalues of 0.5 at least.
MatrixX drawn_definite(Eigen::Index size, unsigned seed) {
  const MatrixX A = drawn_matrix(size, seed);
  return A * A.transpose() + 0.5 * MatrixX::Identity(size, size);
}
double least_of(const MatrixX& A) { return symmetric_eigen(A).values[0]; }

TEST(SymmetricEigen, ReadsTheLowerTriangleAlone) {
  const MatrixX A = drawn_symmetric(6, 1);
  MatrixX half = A;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(1e3);
  EXPECT_EQ(symmetric_eigen(half).values, symmetric_eigen(A).values);
  EXPECT_EQ(symmetric_eigen(half).vectors, symmetric_eigen(A).vectors);
}

TEST(SymmetricEigen, AShiftMovesTheValuesAndRotationsDoNot) {
  const MatrixX A = drawn_symmetric(7, 2);
  const VectorX values = symmetric_eigen(A).values;
  EXPECT_NEAR(values.sum(), A.trace(), 1e-13);
  EXPECT_NEAR(values.squaredNorm(), A.squaredNorm(), 1e-12);
  const VectorX shifted = symmetric_eigen(A + 3 * MatrixX::Identity(7, 7)).values;
  EXPECT_LE((shifted - values - VectorX::Constant(7, 3)).norm(), 1e-13);
  const MatrixX Q = orthonormal_columns(drawn_matrix(7, 3), 7);
  EXPECT_LE((symmetric_eigen(Q.transpose() * A * Q).values - values).norm(), 1e-13);
}

// Cauchy: of a part without one row and column, values lie between those of the whole.
TEST(SymmetricEigen, ValuesOfAPartInterlace) {
  const MatrixX A = drawn_symmetric(8, 4);
  const VectorX whole = symmetric_eigen(A).values;
  const VectorX part = symmetric_eigen(A.topLeftCorner(7, 7)).values;
  for (int i = 0; i < 7; ++i) {
    EXPECT_GE(part[i], whole[i] - 1e-13);
    EXPECT_LE(part[i], whole[i + 1] + 1e-13);
  }
}

TEST(SymmetricEigen, VectorsOfEqualValuesAreOrthonormalToo) {
  const VectorX diagonal = (VectorX(5) << 2, -1, 2, 2, -1).finished();
  const MatrixX Q = orthonormal_columns(drawn_matrix(5, 5), 5);
  const auto [values, vectors] = symmetric_eigen(Q * diagonal.asDiagonal() * Q.transpose());
  EXPECT_LE((vectors.transpose() * vectors - MatrixX::Identity(5, 5)).norm(), 1e-14);
  EXPECT_LE((values - (VectorX(5) << -1, -1, 2, 2, 2).finished()).norm(), 1e-14);
}

TEST(LeastScaledEigenvalue, IsTheSameInAnyUnits) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Mat6 A = seed == 1 ? drawn_definite(6, seed) : MatrixX(drawn_definite(6, seed) - MatrixX::Identity(6, 6));
    const Vec6 units = (Vec6() << 1000, 1000, 1000, 1e-3, 1, 7).finished();
    const Mat6 converted = units.asDiagonal() * A * units.asDiagonal();
    EXPECT_NEAR(least_scaled_eigenvalue(converted), least_scaled_eigenvalue(A), 1e-12) << seed;
  }
}

// By Sylvester's law of inertia; and the mean of the values of a unit diagonal is 1.
TEST(LeastScaledEigenvalue, HasTheSignOfTheLeastEigenvalueAndIsAtMostOne) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Mat6 A = drawn_definite(6, seed) - 0.1 * seed * MatrixX::Identity(6, 6);
    if (A.diagonal().minCoeff() <= 0 || std::abs(least_of(A)) < 1e-9) continue;
    EXPECT_EQ(least_scaled_eigenvalue(A) > 0, least_of(A) > 0) << seed;
    EXPECT_LE(least_scaled_eigenvalue(A), 1 + 1e-14);
  }
  EXPECT_DOUBLE_EQ(least_scaled_eigenvalue(Vec6(1, 1e6, 1e-6, 3, 4, 5).asDiagonal()), 1);
}

TEST(LeastScaledEigenvalue, LeavesRowsWithoutAPositiveDiagonalAsTheyAre) {
  EXPECT_DOUBLE_EQ(least_scaled_eigenvalue(Vec6(4, 9, 1, 1, 2, -3).asDiagonal()), -3);
  EXPECT_NEAR(least_scaled_eigenvalue(Vec6(4, 9, 0, 1, 2, 3).asDiagonal()), 0, 1e-15);
}

TEST(InverseOfSum, IsTheInverseOfTheSumWhereNothingIsNegative) {
  const Mat6 M = drawn_definite(6, 1);
  const MatrixX part = drawn_matrix(6, 2).leftCols(3);
  for (const Mat6& K : {Mat6(drawn_definite(6, 3)), Mat6(part * part.transpose()), Mat6(Mat6::Zero())})
    EXPECT_LE(((M + K) * inverse_of_sum(M, K) - Mat6::Identity()).norm(), 1e-12);
}

TEST(InverseOfSum, OfWhatTheLastThreeHaveAloneIsThatOfAllButForALittleElsewhere) {
  const Mat6 M = drawn_definite(6, 10);
  Mat6 K = Mat6::Zero();
  K.bottomRightCorner<3, 3>() = drawn_symmetric(3, 11);
  const Mat6 alone = inverse_of_sum(M, K);
  K(0, 0) = 1e-300;
  EXPECT_LE((alone - inverse_of_sum(M, K)).norm(), 1e-13 * alone.norm());
}

// K = sum k_i (M x_i)(M x_i)^T with x_i^T M x_j = delta_ij: only the positive k_i count.
TEST(InverseOfSum, LeavesOutWhatIsNegativeRelativeToTheMass) {
  const Mat6 M = drawn_definite(6, 4);
  const Mat6 root = semidefinite_root(M);
  const Mat6 Q = orthonormal_columns(drawn_matrix(6, 5), 6);
  const Mat6 MX = root * Q;
  const Vec6 k(-3, 2, -0.1, 0.5, 7, -40);
  const Mat6 K = MX * k.asDiagonal() * MX.transpose();
  const Mat6 positive = MX * k.cwiseMax(0).asDiagonal() * MX.transpose();
  const Mat6 inverse = inverse_of_sum(M, K);
  EXPECT_LE(((M + positive) * inverse - Mat6::Identity()).norm(), 1e-11);
  EXPECT_LE((inverse_of_sum(M, -positive) * M - Mat6::Identity()).norm(), 1e-11);
}

TEST(InverseOfSum, GoesWithAnyChoiceOfCoordinates) {
  const Mat6 M = drawn_definite(6, 6);
  const Mat6 K = drawn_symmetric(6, 7);
  const Mat6 T = drawn_matrix(6, 8) + 2 * MatrixX::Identity(6, 6);
  const Mat6 there = inverse_of_sum(T.transpose() * M * T, T.transpose() * K * T);
  const Mat6 here = inverse_of_sum(M, K);
  EXPECT_LE((T * there * T.transpose() - here).norm(), 1e-11 * here.norm());
}

TEST(InverseOfSum, IsDefiniteAndNeverAboveTheInverseOfTheMass) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Mat6 M = drawn_definite(6, seed);
    const Mat6 inverse = inverse_of_sum(M, 5 * drawn_symmetric(6, seed + 100));
    EXPECT_LE((inverse - inverse.transpose()).norm(), 1e-14 * inverse.norm());
    EXPECT_GT(least_of(inverse), 0) << seed;
    EXPECT_GE(least_of(definite_inverse(M) - inverse), -1e-12) << seed;
  }
}

TEST(DefiniteInverse, InvertsInAnyUnits) {
  const Vec6 units = (Vec6() << 1e6, 1e6, 1e6, 1e-3, 1e-3, 1e-3).finished();
  const Mat6 M = drawn_definite(6, 9);
  const Mat6 inverse = definite_inverse(M);
  EXPECT_LE((M * inverse - Mat6::Identity()).norm(), 1e-13);
  EXPECT_LE((definite_inverse(inverse) - M).norm(), 1e-12 * M.norm());
  const Mat6 converted = definite_inverse(units.asDiagonal() * M * units.asDiagonal());
  EXPECT_LE((units.asDiagonal() * converted * units.asDiagonal() - inverse).norm(), 1e-12 * inverse.norm());
}

TEST(SemidefiniteRoot, CutsWhatRoundOffMadeNegative) {
  const VectorX diagonal = (VectorX(4) << 1, 100, -1e-17, 4).finished();
  const MatrixX W = semidefinite_root(diagonal.asDiagonal());
  EXPECT_TRUE(W.allFinite());
  EXPECT_LE((W * W.transpose() - MatrixX(diagonal.cwiseMax(0).asDiagonal())).norm(), 1e-14);
}

TEST(SolveDefinite, ComparesThePivotsOfTheFactorsWithTheLeastOne) {
  const MatrixX A = Eigen::Vector2d(9, 4).asDiagonal();
  MatrixX X = MatrixX::Ones(2, 1);
  EXPECT_FALSE(solve_definite(A, 4.01, X));
  EXPECT_TRUE(solve_definite(A, 3.99, X));
  EXPECT_LE((X - Eigen::Vector2d(1.0 / 9, 0.25)).norm(), 1e-16);
  EXPECT_TRUE(is_definite(A, 1.99)) << "roots of the pivots";
  EXPECT_FALSE(is_definite(A, 2.01));
  const MatrixX indefinite = (MatrixX(2, 2) << 1, 2, 2, 1).finished();
  EXPECT_FALSE(solve_definite(indefinite, 0, X));
  EXPECT_FALSE(is_definite(indefinite, 0));
}

TEST(Solve, DividesByNoSmallPivotThatAnotherRowAvoids) {
  const MatrixX A = (MatrixX(2, 2) << 1e-20, 1, 1, 1).finished();
  const MatrixX x = solve(A, Eigen::Vector2d(1, 2));
  EXPECT_LE((x - Eigen::Vector2d(1, 1)).norm(), 1e-15);
  const MatrixX B = drawn_matrix(6, 10);
  EXPECT_LE((solve(B, MatrixX::Identity(6, 6)) * B - MatrixX::Identity(6, 6)).norm(), 1e-12);
}

TEST(GeneralEigen, ConjugatePairsStandSideBySide) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Eigen::VectorXcd values = general_eigen(drawn_matrix(9, seed)).values;
    for (int i = 0; i < 9; ++i)
      if (values[i].imag() != 0) {
        ASSERT_LT(i, 8);
        EXPECT_EQ(values[i + 1], std::conj(values[i])) << seed;
        ++i;
      }
  }
}

TEST(GeneralEigen, OfARotationAreTheTurnAndItsAxis) {
  const double angle = 0.7;
  const MatrixX R =
      (MatrixX(3, 3) << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1).finished();
  const auto [values, vectors] = general_eigen(R);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::abs(values[i]), 1, 1e-15);
    EXPECT_NEAR(std::min(std::abs(std::arg(values[i])), std::abs(std::abs(std::arg(values[i])) - angle)), 0, 1e-15);
    EXPECT_NEAR(vectors.col(i).norm(), 1, 1e-14);
  }
  EXPECT_NEAR(std::abs(values.prod() - 1.0), 0, 1e-14) << "the determinant";
}

// One eigenvector for two equal values: no error, and still of length one.
TEST(GeneralEigen, OfAMatrixWithoutABasisOfEigenvectorsAreFinite) {
  const MatrixX A = (MatrixX(2, 2) << 1, 1, 0, 1).finished();
  const auto [values, vectors] = general_eigen(A);
  EXPECT_NEAR(std::abs(values[0] - 1.0) + std::abs(values[1] - 1.0), 0, 1e-7);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(vectors.col(i).norm(), 1, 1e-14);
  EXPECT_LE((A * vectors - vectors * values.asDiagonal()).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::math
