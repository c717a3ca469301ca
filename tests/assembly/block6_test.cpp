// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of blocks of up to six rows in registers against Eigen's, and what the inverse says of its pivots.
#include "assembly/linear/block6.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "polhode/math/types.hpp"

namespace polhode::assembly {
namespace {

using math::Mat6;
using math::Vec6;

Mat6 random_block(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Mat6 A;
  for (double& a : A.reshaped()) a = uniform(random);
  return A;
}

struct InverseOfBlock {
  explicit InverseOfBlock(const Mat6& block) : A(block), regular(block6::invert(A.data(), smallest, largest)) {}
  Mat6 A;
  double smallest = -1;
  double largest = -1;
  bool regular;
};

TEST(Block6, ProductsAreThoseOfMatrices) {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const Mat6 A = random_block(random);
    const Mat6 B = random_block(random);
    const Mat6 C = random_block(random);
    Mat6 product = C;
    block6::multiply(A.data(), B.data(), product.data());
    EXPECT_LE((product - A * B).norm(), 1e-14);
    Mat6 rest = C;
    block6::subtract_product(A.data(), B.data(), rest.data());
    EXPECT_LE((rest - (C - A * B)).norm(), 1e-14);
    const Vec6 x = B.col(2);
    Vec6 y = C.col(3);
    block6::subtract_product_of_vector(A.data(), x.data(), y.data());
    EXPECT_LE((y - (C.col(3) - A * x)).norm(), 1e-14);
    y = x;
    block6::multiply_vector(A.data(), y.data());
    EXPECT_LE((y - A * x).norm(), 1e-14);
  }
}

// Blocks of fewer rows, between numbers that nothing may touch: rows by columns, with zeros up to the column's width.
template <int rows>
using Padded = Eigen::Matrix<double, block6::width_of(rows), Eigen::Dynamic>;
template <int rows>
Padded<rows> random_padded(int columns, std::mt19937& random) {
  Padded<rows> A = Padded<rows>::Zero(block6::width_of(rows), columns);
  A.topRows(rows) = random_block(random).topLeftCorner(rows, columns);
  return A;
}

template <int rows, int inner>
void check_products_of_smaller_blocks(std::mt19937& random) {
  SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(inner) + " inner ones");
  using C = block6::ColumnOf<rows>;
  const Padded<rows> A = random_padded<rows>(inner, random);
  const Padded<inner> D = random_padded<inner>(inner, random);
  Padded<rows> L = A;
  block6::multiply<C, inner>(A.data(), D.data(), L.data());
  EXPECT_LE((L - A * D.topRows(inner)).norm(), 1e-14);
  for (int columns = 1; columns <= 6; ++columns) {
    const Padded<inner> U = random_padded<inner>(columns, random);
    const Padded<rows> before = random_padded<rows>(columns, random);
    Padded<rows> R = before;
    block6::subtract_product<C, inner>(A.data(), U.data(), R.data(), columns);
    EXPECT_LE((R - (before - A * U.topRows(inner))).norm(), 1e-14);
    EXPECT_TRUE((R.bottomRows(R.rows() - rows).array() == 0).all());
    EXPECT_EQ(block6::largest_entry<C>(before.data(), columns), before.cwiseAbs().maxCoeff());
    EXPECT_FALSE(block6::is_zero<C>(before.data(), columns));
  }
  EXPECT_TRUE(block6::is_zero<C>(Padded<rows>::Zero(block6::width_of(rows), 6).eval().data()));
}

TEST(Block6, ProductsOfSmallerBlocksAreThoseOfMatricesToo) {
  std::mt19937 random(6);
  const auto each = [&]<int... k>(std::integer_sequence<int, k...>) {
    (check_products_of_smaller_blocks<k / 6 + 1, k % 6 + 1>(random), ...);
  };
  each(std::make_integer_sequence<int, 36>{});
}

template <int size>
void check_inverse_of_size(std::mt19937& random) {
  SCOPED_TRACE(size);
  for (int i = 0; i < 20; ++i) {
    const Padded<size> A = random_padded<size>(size, random);
    Padded<size> inverse = A;
    double smallest = 0;
    double largest = 0;
    ASSERT_TRUE(block6::invert<size>(inverse.data(), smallest, largest));
    const double round_off = 1e-14 * A.norm() * inverse.norm() * inverse.norm();
    EXPECT_LE((inverse.topRows(size) * A.topRows(size) - Eigen::MatrixXd::Identity(size, size)).norm(), round_off);
    EXPECT_TRUE((inverse.bottomRows(inverse.rows() - size).array() == 0).all());
    EXPECT_LE(smallest, largest);
  }
  Padded<size> singular = Padded<size>::Zero(block6::width_of(size), size);
  double small = 0;
  double large = 0;
  EXPECT_FALSE(block6::invert<size>(singular.data(), small, large));
}

TEST(Block6, InversesOfSmallerBlocksStayWithinTheirRows) {
  std::mt19937 random(7);
  const auto each = [&]<int... k>(std::integer_sequence<int, k...>) { (check_inverse_of_size<k + 1>(random), ...); };
  each(std::make_integer_sequence<int, 6>{});
}

TEST(Block6, LargestEntryIsFoundWhereverItStandsAndWhateverItsSign) {
  std::mt19937 random(2);
  for (int i = 0; i < 36; ++i) {
    Mat6 A = random_block(random);
    A.data()[i] = i % 2 == 0 ? 1.5 : -1.5;
    EXPECT_EQ(block6::largest_entry(A.data()), 1.5) << i;
  }
  const Mat6 zero = Mat6::Zero();
  EXPECT_EQ(block6::largest_entry(zero.data()), 0);
}

TEST(Block6, InverseTimesTheBlockIsTheIdentityOnBothSides) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const Mat6 A = random_block(random) + Mat6::Identity();
    const InverseOfBlock inverse(A);
    ASSERT_TRUE(inverse.regular) << i;
    const double round_off = 1e-14 * A.norm() * inverse.A.norm();
    EXPECT_LE((inverse.A * A - Mat6::Identity()).norm(), round_off) << i;
    EXPECT_LE((A * inverse.A - Mat6::Identity()).norm(), round_off) << i;
    const InverseOfBlock back(inverse.A);
    EXPECT_LE((back.A - A).norm(), 10 * round_off * A.norm()) << i;
  }
}

// Each column has one entry: every pivot but the last stands out of place for some of them.
TEST(Block6, PermutationsAreInvertedExactly) {
  std::array<int, 6> order{0, 1, 2, 3, 4, 5};
  int permutations = 0;
  do {
    Mat6 P = Mat6::Zero();
    for (int j = 0; j < 6; ++j) P(order[static_cast<std::size_t>(j)], j) = j % 2 == 0 ? 4 : -0.5;
    const InverseOfBlock inverse(P);
    ASSERT_TRUE(inverse.regular);
    ASSERT_EQ(inverse.A * P, Mat6(Mat6::Identity()));
    ASSERT_EQ(inverse.smallest, 0.5);
    ASSERT_EQ(inverse.largest, 4);
    ++permutations;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(permutations, 720);
}

TEST(Block6, PivotsAreInTheUnitOfTheBlock) {
  std::mt19937 random(4);
  const Mat6 A = random_block(random);
  const InverseOfBlock one(A);
  for (const double unit : {0x1p-40, 0x1p60}) {
    const InverseOfBlock other(unit * A);
    ASSERT_TRUE(other.regular);
    EXPECT_EQ(other.smallest, unit * one.smallest);
    EXPECT_EQ(other.largest, unit * one.largest);
    EXPECT_EQ(Mat6(unit * other.A), one.A) << "powers of two leave no rounding errors";
  }
}

TEST(Block6, ASmallPivotOnTheDiagonalIsAvoided) {
  Mat6 A = Mat6::Identity();
  A.topLeftCorner<2, 2>() << 1e-20, 1, 1, 1;
  const InverseOfBlock inverse(A);
  ASSERT_TRUE(inverse.regular);
  EXPECT_LE((A * inverse.A - Mat6::Identity()).norm(), 1e-15);
  EXPECT_EQ(inverse.smallest, 1);
}

TEST(Block6, BlocksThatAreSingularOrNotFiniteAreRefused) {
  std::mt19937 random(5);
  for (int k = 0; k < 6; ++k) {
    Mat6 A = random_block(random);
    A.col(k).setZero();
    EXPECT_FALSE(InverseOfBlock(A).regular) << "column " << k;
    A = Mat6::Identity();
    A.row(k).setZero();
    EXPECT_FALSE(InverseOfBlock(A).regular) << "row " << k;
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      A = Mat6::Identity();
      A(k, k) = bad;
      EXPECT_FALSE(InverseOfBlock(A).regular) << bad << " at " << k;
    }
  }
}

}  // namespace
}  // namespace polhode::assembly
