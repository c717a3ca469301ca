// SPDX-License-Identifier: BSD-3-Clause
// Padé approximants as ladders.
#include "elements/signals/delay/pade.hpp"

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

}  // namespace polhode::elements
