// SPDX-License-Identifier: BSD-3-Clause
// Motions that were found are taken out of what comes next.
#include "analyses/modal/deflation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "polhode/math/dense.hpp"

namespace polhode::analyses {
namespace {

using math::MatrixX;
using math::VectorX;

MatrixX random_matrix(unsigned seed, Eigen::Index rows, Eigen::Index columns) {
  std::mt19937 random(seed);
  std::normal_distribution<double> number;
  MatrixX X(rows, columns);
  for (double& x : X.reshaped()) x = number(random);
  return X;
}

MatrixX random_mass(unsigned seed, Eigen::Index size) {
  const MatrixX X = random_matrix(seed, size, size);
  return X.transpose() * X + MatrixX::Identity(size, size);
}

MassDeflation deflation_of(const MatrixX& M) {
  return {M.rows(), [&M](const double* y, double* My) {
            Eigen::Map<VectorX>(My, M.rows()) = M * Eigen::Map<const VectorX>(y, M.rows());
          }};
}

void take_out(const auto& deflation, VectorX& y) { deflation.take_out(Eigen::Map<VectorX>(y.data(), y.size())); }

TEST(MassDeflation, MakesShapesOrthonormalInTheMass) {
  const MatrixX M = random_mass(1, 7);
  const MatrixX X = random_matrix(2, 7, 4);
  MassDeflation found = deflation_of(M);
  for (const auto column : X.colwise()) found.add(column);
  ASSERT_EQ(found.count(), 4);
  const MatrixX& Y = found.shapes();
  EXPECT_LE((Y.transpose() * M * Y - MatrixX::Identity(4, 4)).norm(), 1e-12);
}

TEST(MassDeflation, TakesFoundMotionsOutAndLeavesOthers) {
  const MatrixX M = random_mass(3, 6);
  const MatrixX K = random_mass(4, 6);
  // K x = omega^2 M x with M = W W^T: W^-1 K W^-T and its eigenvectors W^T x.
  const MatrixX W = math::semidefinite_root(M);
  const MatrixX half = math::solve(W, K).transpose();
  const MatrixX shapes = math::solve(W.transpose(), math::symmetric_eigen(math::solve(W, half)).vectors);
  MassDeflation found = deflation_of(M);
  found.add(3 * shapes.col(0));
  found.add(shapes.col(2));
  VectorX mixed = shapes.col(0) + 2 * shapes.col(1);
  take_out(found, mixed);
  EXPECT_LE((mixed - 2 * shapes.col(1)).norm(), 1e-12);
}

// Iteration with K^-1 M meets the lowest motion; without it the next one, and so on, equal frequencies included.
TEST(MassDeflation, IterationFindsOneMotionAfterTheOther) {
  const MatrixX M = MatrixX::Identity(4, 4);
  const MatrixX Q = math::orthonormal_columns(random_matrix(5, 4, 4), 4);
  const MatrixX K = Q * Eigen::Vector4d(1, 1, 4, 9).asDiagonal() * Q.transpose();
  const MatrixX inverse = math::solve(K, M);
  MassDeflation found = deflation_of(M);
  std::vector<double> squares;
  for (int motion = 0; motion < 4; ++motion) {
    VectorX y = random_matrix(6 + static_cast<unsigned>(motion), 4, 1);
    for (int i = 0; i < 200; ++i) {
      y = inverse * y;
      take_out(found, y);
      y.normalize();
    }
    squares.push_back(y.dot(K * y));
    found.add(y);
  }
  EXPECT_NEAR(squares[0], 1, 1e-9);
  EXPECT_NEAR(squares[1], 1, 1e-9);
  EXPECT_NEAR(squares[2], 4, 1e-9);
  EXPECT_NEAR(squares[3], 9, 1e-9);
}

TEST(OrthogonalDeflation, DropsWhatDependsOnTheOthers) {
  const MatrixX X = random_matrix(7, 5, 2);
  OrthogonalDeflation found(5);
  EXPECT_TRUE(found.add(X.col(0)));
  EXPECT_TRUE(found.add(X.col(1)));
  EXPECT_FALSE(found.add(2 * X.col(0) - X.col(1)));
  ASSERT_EQ(found.count(), 2);
  EXPECT_LE((found.basis().transpose() * found.basis() - MatrixX::Identity(2, 2)).norm(), 1e-14);
  VectorX z = X.col(0) + X.col(1);
  take_out(found, z);
  EXPECT_LE(z.norm(), 1e-13);
}

TEST(ReachOf, IsTheDistanceOfTheLastOneWanted) {
  EXPECT_EQ(reach_of({3, 1, 2}, 2), 2);
  EXPECT_TRUE(std::isinf(reach_of({3, 1}, 3)));
  EXPECT_TRUE(std::isinf(reach_of({}, 1)));
}

}  // namespace
}  // namespace polhode::analyses
