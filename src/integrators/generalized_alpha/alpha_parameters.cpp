// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the generalized-alpha family.
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"

namespace polhode::integrators {

// Chung & Hulbert (1993): second order by gamma = 1/2 + alpha_f - alpha_m,
// a double root -rho at infinite frequency by beta, and least dissipation at low frequencies by the choice
// of both alphas.
AlphaParameters AlphaParameters::chung_hulbert(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1);
  const double alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

// Hilber, Hughes & Taylor (1977) in the same signs: alpha_m = 0, alpha_f = a; second order for any a,
// unconditionally stable up to 1/3.
AlphaParameters AlphaParameters::hht(double a) { return {0, a, (1 + a) * (1 + a) / 4, 0.5 + a}; }

// hht_alpha takes the place of rho_infinity; a deck with both has been refused.
AlphaParameters AlphaParameters::of(const IntegratorSettings& settings) {
  if (settings.hht_alpha) return hht(*settings.hht_alpha);
  return chung_hulbert(settings.rho_infinity.value_or(0.9));
}

}  // namespace polhode::integrators
