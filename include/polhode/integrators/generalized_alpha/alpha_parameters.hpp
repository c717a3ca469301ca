// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the generalized-alpha family and what follows from them for a step size.
// A step's formulas are those of docs/theory.md, section "lie_alpha"; all parameters are without unit.
#pragma once
#include "polhode/integrators/settings.hpp"

namespace polhode::integrators {

// alpha_m, alpha_f, beta, gamma with the order condition gamma = 1/2 + alpha_f - alpha_m.
struct AlphaParameters {
  double alpha_m;
  double alpha_f;
  double beta;
  double gamma;

  // Chung & Hulbert (1993): spectral radius rho at infinity, in [0, 1].
  // alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), beta = (gamma + 1/2)^2/4.
  static AlphaParameters chung_hulbert(double rho);
  // Hilber, Hughes & Taylor: alpha_m = 0, alpha_f = a, gamma = 1/2 + a, beta = (1 + a)^2/4, a in [0, 1/3].
  static AlphaParameters hht(double a);
  // Those of `hht_alpha` where it is given, else of rho_infinity, 0.9 by default.
  static AlphaParameters of(const IntegratorSettings& settings);

  // Derivatives of vdot_{n+1} and v_{n+1} by h Dq, 1/s^2 and 1/s; BCA12, below eq. (33).
  double beta_prime(double h) const { return (1 - alpha_m) / (beta * h * h * (1 - alpha_f)); }
  double gamma_prime(double h) const { return gamma / (beta * h); }

  // a_n belongs to t_n + a_shift h; one step in a linear space has the local truncation error
  // h^3 position_error d^3q/dt^3.
  double a_shift() const { return alpha_m - alpha_f; }
  double position_error() const { return (1 - 6 * beta - 3 * a_shift()) / 6; }
};

}  // namespace polhode::integrators
