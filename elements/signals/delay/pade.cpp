// SPDX-License-Identifier: BSD-3-Clause
// Padé approximants as a ladder, and as the values on the way.
#include "elements/signals/delay/pade.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace polhode::elements {

// exp(-s T) = (1 - W) / (1 + W) with W = tanh(s T/2), whose continued fraction
//   W = 1 / (1 g + 1 / (3 g + 1 / (5 g + ...))),   g = 2 / (s T),
// gives the approximant of order m when it is cut behind m terms. The fraction is a ladder: with i_0 = u + y and
// i_1 = u - y = W i_0 its terms are i_(k-1) = (2 k - 1) g i_k + i_(k+1), i_(m+1) = 0, each with a state z_k = (2 k - 1)
// g i_k, so that
//   z_k' = 2 (2 k - 1)/T i_k,   i_k = z_(k+1) + z_(k+3) + ...
// for those of the parity of m; i_0 + i_1 = 2 u gives the others. Coefficients of polynomials, which the order makes
// as far apart as powers of T, are not needed.
signals::StateSpace pade_approximant(double time, int order) {
  using signals::MatrixX;
  const Eigen::Index m = order;
  // Rows k = 0 ... m: what i_k is of [z_1 ... z_m, u]
  MatrixX i = MatrixX::Zero(m + 2, m + 1);
  for (Eigen::Index k = m - 1; k >= 0; k -= 2) {
    i.row(k) = i.row(k + 2);
    i(k, k) += 1;
  }
  // That of i_0 and i_1 which the states give: y = i_0 - u or u - i_1; the other one, and those behind it
  const Eigen::Index known = (m - 1) % 2 == 0 ? 0 : 1;
  const Eigen::Index other = 1 - known;
  i.row(other) = -i.row(known);
  i(other, m) += 2;
  for (Eigen::Index k = other + 2; k <= m; k += 2) {
    i.row(k) = i.row(k - 2);
    i(k, k - 2) -= 1;
  }
  const double sign = known == 0 ? 1 : -1;
  signals::StateSpace s{MatrixX(m, m), MatrixX(m, 1), sign * i.row(known).head(m), MatrixX::Constant(1, 1, -sign),
                        signals::VectorX::Zero(m)};
  for (Eigen::Index k = 1; k <= m; ++k) {
    const double rate = 2.0 * static_cast<double>(2 * k - 1) / time;
    s.A.row(k - 1) = rate * i.row(k).head(m);
    s.B(k - 1, 0) = rate * i(k, m);
  }
  return s;
}

namespace {

// The points of Radau's quadrature in (0, 1], ascending, the last one 1: eigenvalues of the matrix of Legendre's
// recurrence with another last entry (Golub 1973).
signals::VectorX radau_points(Eigen::Index m) {
  signals::MatrixX recurrence = signals::MatrixX::Zero(m, m);
  for (Eigen::Index k = 1; k < m; ++k) {
    const auto n = static_cast<double>(k);
    recurrence(k, k - 1) = recurrence(k - 1, k) = n / std::sqrt(4 * n * n - 1);
  }
  recurrence(m - 1, m - 1) = static_cast<double>(m) / static_cast<double>(2 * m - 1);
  const Eigen::SelfAdjointEigenSolver<signals::MatrixX> solver(recurrence, Eigen::EigenvaluesOnly);
  return (solver.eigenvalues().array() + 1) / 2;
}

}  // namespace

// What travels for the time T has the values z_i on its way, at Radau's points c_i, and u at c_0 = 0. The polynomial
// through all of them moves on by T z_i' = -(D [u; z])_i, D its derivatives there (by barycentric weights). That is the
// method Radau IIA along the way, whose stability function at -s T is this approximant (Hairer & Wanner, Solving Ordinary
// Differential Equations II, section IV.5).
signals::StateSpace lagging_approximant(double time, int order) {
  using signals::MatrixX;
  const Eigen::Index m = order;
  signals::VectorX c(m + 1);
  c << 0, radau_points(m);
  signals::VectorX weight = signals::VectorX::Ones(m + 1);
  for (Eigen::Index i = 0; i <= m; ++i)
    for (Eigen::Index j = 0; j <= m; ++j)
      if (j != i) weight[i] /= c[i] - c[j];
  MatrixX D = MatrixX::Zero(m + 1, m + 1);
  for (Eigen::Index i = 0; i <= m; ++i)
    for (Eigen::Index j = 0; j <= m; ++j)
      if (j != i) {
        D(i, j) = weight[j] / weight[i] / (c[i] - c[j]);
        D(i, i) -= D(i, j);  // a constant has no derivative
      }
  signals::StateSpace s{-D.bottomRightCorner(m, m) / time, -D.bottomLeftCorner(m, 1) / time, MatrixX::Zero(1, m),
                        MatrixX::Zero(1, 1), signals::VectorX::Zero(m)};
  s.C(0, m - 1) = 1;
  return s;
}

}  // namespace polhode::elements
