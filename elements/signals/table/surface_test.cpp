// SPDX-License-Identifier: BSD-3-Clause
// Surfaces: what they reproduce, their slopes against differences, their edges.
#include "elements/signals/table/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace polhode::elements {
namespace {

using math::MatrixX;
using Values = model::SignalBlock::Values;

const std::vector<double> x{0, 0.7, 1.5, 2.2};
const std::vector<double> y{-1, -0.2, 0.5};

template <class Function>
MatrixX grid_of(const std::vector<double>& rows, const std::vector<double>& columns, const Function& f) {
  MatrixX z(rows.size(), columns.size());
  for (Eigen::Index i = 0; i < z.rows(); ++i)
    for (Eigen::Index j = 0; j < z.cols(); ++j)
      z(i, j) = f(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  return z;
}

Values at(const Surface& surface, double u, double v) {
  Values values(surface.sizes());
  const std::array inputs{u, v};
  surface.evaluate(0, inputs, {}, {}, values);
  return values;
}

TEST(Surface, OfABilinearFunctionIsThatFunction) {
  const auto f = [](double u, double v) { return 1 + 2 * u - 3 * v + 0.5 * u * v; };
  for (const bool cubic : {false, true}) {
    const Surface surface(x, y, grid_of(x, y, f), cubic);
    for (const double u : {0.0, 0.3, 0.7, 1.9})
      for (const double v : {-1.0, -0.5, -0.2, 0.4}) {
        const Values found = at(surface, u, v);
        EXPECT_NEAR(found.y[0], f(u, v), 1e-14);
        EXPECT_NEAR(found.y_by_u(0, 0), 2 + 0.5 * v, 1e-13);
        EXPECT_NEAR(found.y_by_u(0, 1), -3 + 0.5 * u, 1e-13);
      }
  }
}

TEST(Surface, PassesThroughItsPointsWithSlopesOfDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const MatrixX z = grid_of(x, y, [&](double, double) { return number(random); });
  for (const bool cubic : {false, true}) {
    const Surface surface(x, y, z, cubic);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j)
        EXPECT_NEAR(at(surface, x[i], y[j]).y[0], z(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), 1e-14);
    for (int k = 0; k < 50; ++k) {
      const double u = 1.1 + number(random);
      const double v = -0.25 + 0.7 * number(random);
      const double d = 1e-5;
      const Values found = at(surface, u, v);
      EXPECT_NEAR(found.y_by_u(0, 0), (at(surface, u + d, v).y[0] - at(surface, u - d, v).y[0]) / (2 * d), 1e-7);
      EXPECT_NEAR(found.y_by_u(0, 1), (at(surface, u, v + d).y[0] - at(surface, u, v - d).y[0]) / (2 * d), 1e-7);
    }
  }
}

// Of sin(u) cos(2 v) with zero second derivatives at the edges: a spline is of order four, straight lines of order two.
TEST(Surface, HasTheOrderOfItsInterpolation) {
  const auto f = [](double u, double v) { return std::sin(u) * std::sin(2 * v); };
  const auto error = [&](int cells, bool cubic) {
    std::vector<double> rows;
    std::vector<double> columns;
    for (int i = 0; i <= cells; ++i) rows.push_back(std::numbers::pi * i / cells);
    for (int i = 0; i <= cells; ++i) columns.push_back(std::numbers::pi / 2 * i / cells);
    const Surface surface(rows, columns, grid_of(rows, columns, f), cubic);
    double largest = 0;
    for (int i = 0; i < 97; ++i)
      for (int j = 0; j < 89; ++j) {
        const double u = std::numbers::pi * (i + 0.3) / 97;
        const double v = std::numbers::pi / 2 * (j + 0.4) / 89;
        largest = std::max(largest, std::abs(at(surface, u, v).y[0] - f(u, v)));
      }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(8, false) / error(16, false)), 2, 0.2);
  EXPECT_NEAR(std::log2(error(8, true) / error(16, true)), 4, 0.3);
}

TEST(Surface, KeepsTheValuesOfItsEdges) {
  const Surface surface(x, y, grid_of(x, y, [](double u, double v) { return u * u + v; }), true);
  const Values beyond = at(surface, 3, 0.1);
  EXPECT_EQ(beyond.y[0], at(surface, 2.2, 0.1).y[0]);
  EXPECT_EQ(beyond.y_by_u(0, 0), 0);
  EXPECT_NEAR(beyond.y_by_u(0, 1), 1, 1e-12);
  EXPECT_EQ(at(surface, -1, -7).y[0], -1);
}

}  // namespace
}  // namespace polhode::elements
