// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the generalized-alpha family.
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"

#include <fmt/format.h>

#include <cmath>

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

AlphaParameters AlphaParameters::wbz(double rho) {
  const double alpha_m = (rho - 1) / (rho + 1);
  return {alpha_m, 0, (1 - alpha_m) * (1 - alpha_m) / 4, 0.5 - alpha_m};
}

namespace {

bool are_one_by_one(const IntegratorSettings& settings) {
  return settings.alpha_m || settings.alpha_f || settings.beta || settings.gamma;
}

AlphaParameters one_by_one(const IntegratorSettings& settings) {
  AlphaParameters p{};
  p.alpha_m = settings.alpha_m.value_or(0);
  p.alpha_f = settings.alpha_f.value_or(0);
  p.gamma = settings.gamma.value_or(0.5 + p.alpha_f - p.alpha_m);
  p.beta = settings.beta.value_or((p.gamma + 0.5) * (p.gamma + 0.5) / 4);
  return p;
}

}  // namespace

// Decks with more than one choice have been refused. HHT has the radius rho at infinity for a = (1 - rho)/(1 + rho).
AlphaParameters AlphaParameters::of(const IntegratorSettings& settings) {
  using Parameters = IntegratorSettings::Parameters;
  if (are_one_by_one(settings)) return one_by_one(settings);
  if (settings.hht_alpha) return hht(*settings.hht_alpha);
  const double rho = settings.rho_infinity.value_or(0.9);
  if (settings.parameters == Parameters::hht) return hht((1 - rho) / (1 + rho));
  if (settings.parameters == Parameters::wbz) return wbz(rho);
  if (settings.parameters == Parameters::newmark) return newmark();
  return chung_hulbert(rho);
}

std::vector<std::pair<std::string_view, std::string>> violated_conditions(const IntegratorSettings& settings) {
  using Parameters = IntegratorSettings::Parameters;
  std::vector<std::pair<std::string_view, std::string>> violated;
  if (settings.parameters == Parameters::newmark && settings.rho_infinity.value_or(1) != 1)
    violated.emplace_back("rho_infinity",
                          fmt::format("is {}, but parameters: newmark has no damping, rho_infinity = 1; "
                                      "remove it, or choose other parameters",
                                      *settings.rho_infinity));
  if (settings.parameters == Parameters::hht && settings.rho_infinity.value_or(1) < 0.5)
    violated.emplace_back("rho_infinity", fmt::format("is {}, but parameters: hht is stable from 0.5 on; give more, or "
                                                      "parameters: chung_hulbert",
                                                      *settings.rho_infinity));
  if (!are_one_by_one(settings)) return violated;
  // Numbers of a deck have few digits.
  constexpr double digits = 1e-9;
  const AlphaParameters p = one_by_one(settings);
  const double gamma = 0.5 + p.alpha_f - p.alpha_m;
  const double beta = 0.25 + (p.alpha_f - p.alpha_m) / 2;
  if (std::abs(p.gamma - gamma) > digits)
    violated.emplace_back("gamma",
                          fmt::format("is {:.9g}, but order two asks for 1/2 + alpha_f - alpha_m = {:.9g}; give "
                                      "that, or remove gamma",
                                      p.gamma, gamma));
  if (p.alpha_m > p.alpha_f + digits)
    violated.emplace_back("alpha_m",
                          fmt::format("is {:.9g}, above alpha_f = {:.9g}: fast vibrations grow; give at most "
                                      "alpha_f",
                                      p.alpha_m, p.alpha_f));
  else if (p.beta < beta - digits)
    violated.emplace_back("beta", fmt::format("is {:.9g}, below 1/4 + (alpha_f - alpha_m)/2 = {:.9g}: fast vibrations "
                                              "grow; give at least that, or remove beta",
                                              p.beta, beta));
  return violated;
}

}  // namespace polhode::integrators
