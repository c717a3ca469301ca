// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the generalized-alpha family and what follows from them for a step size.
// A step's formulas are those of docs/theory.md, section "lie_alpha"; all parameters are without unit.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/integrators/settings.hpp"

namespace polhode::integrators {

// alpha_m, alpha_f, beta, gamma with the order condition gamma = 1/2 + alpha_f - alpha_m.
struct AlphaParameters {
  // Of lasting_growth(): with less, steps would hardly ever become longer.
  static constexpr double least_growth = 1.005;

  double alpha_m;
  double alpha_f;
  double beta;
  double gamma;

  // Chung & Hulbert (1993): spectral radius rho at infinity, in [0, 1].
  // alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), beta = (gamma + 1/2)^2/4.
  static AlphaParameters chung_hulbert(double rho);
  // Hilber, Hughes & Taylor: alpha_m = 0, alpha_f = a, gamma = 1/2 + a, beta = (1 + a)^2/4, a in [0, 1/3].
  static AlphaParameters hht(double a);
  // Wood, Bossak & Zienkiewicz (1980): alpha_m = (rho - 1)/(rho + 1), alpha_f = 0, gamma = 1/2 - alpha_m, beta =
  // (1 - alpha_m)^2/4, rho in [0, 1].
  static AlphaParameters wbz(double rho);
  // Newmark (1959): gamma = 1/2, beta = 1/4, the trapezoidal rule.
  static AlphaParameters newmark() { return {0, 0, 0.25, 0.5}; }
  // alpha_m and alpha_f, 0 where they are not given; gamma by the order condition, beta = (gamma + 1/2)^2/4 unless they
  // are. Else those of `hht_alpha`, or of `parameters` and rho_infinity, 0.9 by default.
  static AlphaParameters of(const IntegratorSettings& settings);

  // Vibrations that steps do not resolve keep their size.
  bool damps_nothing() const { return alpha_m == alpha_f && beta == 0.25; }

  // Of positions, at infinite frequency; rho of chung_hulbert and wbz.
  double spectral_radius() const { return std::sqrt(std::max(0.0, 1 - (gamma - 0.5) / beta)); }
  // Of steps that grow by r each: such a vibration has accelerations, in which its size is remembered, and they count
  // r^2 times as much in the next step. With r = rho^(-1/4) it dies out by sqrt(rho) a step all the same.
  double lasting_growth() const { return std::max(least_growth, std::pow(spectral_radius(), -0.25)); }

  // Derivatives of vdot_{n+1} and v_{n+1} by h Dq, 1/s^2 and 1/s; BCA12, below eq. (33).
  double beta_prime(double h) const { return (1 - alpha_m) / (beta * h * h * (1 - alpha_f)); }
  double gamma_prime(double h) const { return gamma / (beta * h); }

  // a_n belongs to t_n + a_shift h; one step in a linear space has the local truncation error
  // h^3 position_error d^3q/dt^3.
  double a_shift() const { return alpha_m - alpha_f; }
  double position_error() const { return (1 - 6 * beta - 3 * a_shift()) / 6; }
};

// What settings that give parameters one by one miss of order two (gamma = 1/2 + alpha_f - alpha_m) and of stability at
// any step size (alpha_m <= alpha_f <= 1/2, beta >= 1/4 + (alpha_f - alpha_m)/2; Chung & Hulbert 1993), and what
// rho_infinity misses of `parameters`: pairs of a key and a text with the numbers.
std::vector<std::pair<std::string_view, std::string>> violated_conditions(const IntegratorSettings& settings);

}  // namespace polhode::integrators
