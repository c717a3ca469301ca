// SPDX-License-Identifier: BSD-3-Clause
// The tridiagonal system of a spline.
#include "polhode/model/natural_spline.hpp"

#include <cstddef>

namespace polhode::model {

// Diagonally dominant, so elimination without pivoting is stable.
std::vector<double> natural_curvatures(const std::vector<double>& time, const std::vector<double>& value) {
  const std::size_t n = time.size();
  std::vector<double> m(n, 0.0);
  std::vector<double> ratio(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {  // Thomas: m_i = m_i' - ratio_i m_{i+1}
    const double left = time[i] - time[i - 1];
    const double right = time[i + 1] - time[i];
    const double jump = (value[i + 1] - value[i]) / right - (value[i] - value[i - 1]) / left;
    const double pivot = 2 * (left + right) - left * ratio[i - 1];
    ratio[i] = right / pivot;
    m[i] = (6 * jump - left * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= ratio[i] * m[i + 1];
  return m;
}

}  // namespace polhode::model
