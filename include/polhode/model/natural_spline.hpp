// SPDX-License-Identifier: BSD-3-Clause
// Natural cubic splines by their second derivatives m at the knots. Between two of them, with h their distance and
// q = 1 - p of the way from the first,
//   f = q a + p b + h^2/6 ((q^3 - q) m_a + (p^3 - p) m_b);
// that f' is continuous gives the tridiagonal system for m; m is zero at both ends.
#pragma once
#include <vector>

namespace polhode::model {

// m of the spline through values at ascending times, two or more of them.
std::vector<double> natural_curvatures(const std::vector<double>& time, const std::vector<double>& value);

}  // namespace polhode::model
