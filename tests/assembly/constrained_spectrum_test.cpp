// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a stiffness within constraints, counted and computed, against dense algebra.
#include "polhode/assembly/linear/constrained_spectrum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "polhode/assembly/system.hpp"
#include "support/deck_text.hpp"

namespace polhode::assembly {
namespace {

using math::MatrixX;
using math::VectorX;

// A beam, a loop of joints and a free body: the pattern of a small model, with numbers of any kind in it.
struct RandomSaddle {
  RandomSaddle(unsigned seed, double length_unit, double asymmetry)
      : deck(support::deck_of("format: polhode-deck/1\n"
                              "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}, c: {position: [1, 1, 0]}, "
                              "d: {position: [0, 1, "
                              "0]}}\n"
                              "sections: {s: {stiffness: {EA: 1, GAy: 1, GAz: 1, GJ: 1, EIy: 1, EIz: 1}, "
                              "mass: {per_length: 1, inertia: [1, 1, 1]}}}\n"
                              "beams: {bar: {section: s, from: a, to: b, elements: 3}}\n"
                              "bodies: {c: {type: rigid_body, node: c, mass: 1, inertia: [1, 1, 1]}, "
                              "d: {type: rigid_body, node: d, mass: 1, inertia: [1, 1, 1]}}\n"
                              "joints: {p: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}, "
                              "q: {type: revolute, connects: [b, c], at: [1, 0, 0], axis: [0, 0, 1]}, "
                              "r: {type: spherical, connects: [c, d], at: [1, 1, 0]}}\n"
                              "analysis: {type: static}\n")) {
    model::Problems problems;
    system = System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().message);
    const int n = system->size();
    const int k = system->free_unknowns();
    // Of a node three translations, three rotations: the latter in other units.
    metric = VectorX::Ones(k);
    for (int i = 0; i < k; ++i)
      if (i % 6 > 2) metric[i] = length_unit * length_unit;
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    dense = MatrixX::Zero(n, n);
    matrix.emplace(system->make_matrix());
    for (int column = 0; column < n; ++column)
      for (int p = matrix->column_start[column]; p < matrix->column_start[column + 1]; ++p)
        if (const int row = matrix->row[p]; row <= column) dense(row, column) = number(random);
    dense = (dense + MatrixX(dense.transpose())).eval();
    for (int i = 0; i < k; ++i) dense(i, i) += 2;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j) {
        if (j < i && dense(i, j) != 0) {
          dense(i, j) += asymmetry;
          dense(j, i) -= asymmetry;
        }
      }
    const VectorX root = metric.cwiseSqrt();
    dense.topRows(k) = (root.asDiagonal() * dense.topRows(k)).eval();
    dense.leftCols(k) = (dense.leftCols(k) * root.asDiagonal()).eval();
    for (int column = 0; column < n; ++column)
      for (int p = matrix->column_start[column]; p < matrix->column_start[column + 1]; ++p)
        matrix->at(p) = dense(matrix->row[p], column);
  }

  // Of Z^T K_s Z y = lambda Z^T W Z y.
  VectorX eigenvalues() const {
    const int k = system->free_unknowns();
    const MatrixX Bt = dense.topRightCorner(k, system->rows());
    const MatrixX Q = Eigen::HouseholderQR<MatrixX>(Bt).householderQ();
    const MatrixX Z = Q.rightCols(k - system->rows());
    const MatrixX K = dense.topLeftCorner(k, k);
    const MatrixX W = metric.asDiagonal();
    return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(0.5 * Z.transpose() * (K + K.transpose()) * Z,
                                                             Z.transpose() * W * Z)
        .eigenvalues();
  }

  io::Deck deck;
  std::optional<System> system;
  std::optional<SparseMatrix> matrix;
  MatrixX dense;
  VectorX metric;
};

TEST(ConstrainedSpectrum, CountsWhatDenseAlgebraCounts) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomSaddle c(seed, 1, 0);
    ConstrainedSpectrum spectrum(*c.matrix, c.metric);
    ASSERT_TRUE(spectrum.set(*c.matrix));
    const VectorX exact = c.eigenvalues();
    for (const double bound : {-1e-13, -0.5, 0.3, 1.0}) {
      const std::optional<int> count = spectrum.count_below(bound);
      ASSERT_TRUE(count);
      EXPECT_EQ(*count, (exact.array() < bound * spectrum.stiffest()).count()) << "seed " << seed << ", " << bound;
    }
  }
}

// The same model in m and in mm; follower loads make the stiffness unsymmetric, and its symmetric part counts.
TEST(ConstrainedSpectrum, UnitsAndTheAntisymmetricPartDoNotMatter) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomSaddle meters(seed, 1, 0);
    const RandomSaddle millimeters(seed, 1000, 0.3);
    ConstrainedSpectrum a(*meters.matrix, meters.metric);
    ConstrainedSpectrum b(*millimeters.matrix, millimeters.metric);
    ASSERT_TRUE(a.set(*meters.matrix) && b.set(*millimeters.matrix));
    EXPECT_NEAR(a.stiffest(), b.stiffest(), 1e-12);
    EXPECT_EQ(a.count_below(-1e-13), b.count_below(-1e-13));
  }
}

TEST(ConstrainedSpectrum, LowestModesAreThoseOfDenseAlgebraAndMeetTheConstraints) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomSaddle c(seed, 2, 0);
    ConstrainedSpectrum spectrum(*c.matrix, c.metric);
    ASSERT_TRUE(spectrum.set(*c.matrix));
    const ConstrainedSpectrum::Modes modes = spectrum.lowest(2);
    ASSERT_EQ(modes.values.size(), 2);
    const VectorX exact = c.eigenvalues();
    const int k = c.system->free_unknowns();
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(modes.values[i] * spectrum.stiffest(), exact[i], 1e-3 * std::abs(exact[0])) << "seed " << seed;
      EXPECT_LT((c.dense.bottomLeftCorner(c.system->rows(), k) * modes.shapes.col(i)).norm(), 1e-9);
      EXPECT_NEAR(c.metric.cwiseSqrt().cwiseProduct(modes.shapes.col(i)).lpNorm<Eigen::Infinity>(), 1, 1e-12);
    }
  }
}

// A body on nothing but a hinge, with a stiffness elsewhere: turns about the hinge are free, and not unstable.
TEST(ConstrainedSpectrum, FreeMotionsAreNotNegative) {
  RandomSaddle c(3, 1, 0);
  const int k = c.system->free_unknowns();
  for (int column = 0; column < k; ++column)
    for (int p = c.matrix->column_start[column]; p < c.matrix->column_start[column + 1]; ++p)
      if (c.matrix->row[p] < k) c.matrix->at(p) = c.matrix->row[p] == column && column < 6 ? 5 : 0;
  ConstrainedSpectrum spectrum(*c.matrix, c.metric);
  ASSERT_TRUE(spectrum.set(*c.matrix));
  EXPECT_EQ(spectrum.count_below(-1e-13), 0);
}

TEST(ConstrainedSpectrum, AStiffnessOfZeroIsRefused) {
  const RandomSaddle c(1, 1, 0);
  ConstrainedSpectrum spectrum(*c.matrix, c.metric);
  EXPECT_FALSE(spectrum.set(c.system->make_matrix()));
}

}  // namespace
}  // namespace polhode::assembly
