// SPDX-License-Identifier: BSD-3-Clause
// The spectrum of the stiffness at an equilibrium.
#include "stability.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/math/dense.hpp"

namespace polhode::analyses {

namespace {

// Relative to the stiffest unknown: beyond what rounding makes of entries of K, and what elimination makes of them.
constexpr double rounding = 4e-15;
constexpr double surely_negative = 1e-13;

}  // namespace

Stability::Stability(Equilibrium& equations) : equations_(equations), matrix_(equations.system().make_matrix()) {
  start_anew();
}

void Stability::start_anew() {
  spectrum_.emplace(matrix_, equations_.displacements().metric().head(equations_.system().free_unknowns()));
}

bool Stability::set(const State& q, double s) {
  equations_.set_stiffness(q, s, matrix_);
  return spectrum_->set(matrix_);
}

// Of eigenvalues that count, in parts of the stiffest.
double Stability::least_negative(const State& q, double s) const {
  return -rounding - 4 * equations_.uncertain_stiffness(q, s) / spectrum_->stiffest();
}

// Models without any stiffness are those whose motions are all free. Free motions make pivots of the size of the bound,
// too small for some blocks: a larger one finds what is surely negative.
std::optional<int> Stability::count(const State& q, double s) {
  if (!set(q, s)) return 0;
  const double bound = least_negative(q, s);
  const std::optional<int> found = spectrum_->count_below(bound);
  return found ? found : spectrum_->count_below(std::min(bound, -surely_negative));
}

bool Stability::is_definite(const State& q, double s, double shift) {
  if (!set(q, s)) return true;
  const std::optional<int> below = spectrum_->count_below(-surely_negative - shift / spectrum_->stiffest());
  return below && *below == 0;
}

// Eigenvalues of K between the motions found are real if the loads have a potential.
Stability::Motions Stability::motions(const State& q, double s, int count) {
  constexpr double noticeable = 1e-3;  // of an imaginary part, relative
  Motions found;
  if (!set(q, s)) {
    found.curvature = VectorX::Zero(count);
    return found;
  }
  assembly::ConstrainedSpectrum::Modes modes = spectrum_->lowest(count);
  if (modes.values.size() == 0) return found;
  const double bound = least_negative(q, s);
  found.curvature = spectrum_->stiffest() * modes.values;
  found.shapes = std::move(modes.shapes);
  const Eigen::VectorXcd eigenvalues = math::general_eigen(modes.reduced).values;
  const auto diverges = [&](const std::complex<double>& value) {
    return value.real() < bound && std::abs(value.imag()) <= noticeable * std::abs(value.real());
  };
  const auto negative = static_cast<int>((modes.values.array() < bound).count());
  const auto real = static_cast<int>(std::count_if(eigenvalues.begin(), eigenvalues.end(), diverges));
  found.unstable = std::min(real, negative);
  found.oscillating = negative - found.unstable;
  return found;
}

}  // namespace polhode::analyses
