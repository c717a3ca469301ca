// SPDX-License-Identifier: BSD-3-Clause
// Constants of cross-sections by their shape.
#include "polhode/model/section_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polhode::model {
namespace {

constexpr double pi = std::numbers::pi;

// Saint-Venant's series for a rectangle a >= c: J = a c^3 (1/3 - 64/pi^5 (c/a)
// sum over odd n of tanh(n pi a/(2 c))/n^5). Small terms first, so that none is lost.
double rectangle_torsion(double side, double other) {
  const double a = std::max(side, other);
  const double c = std::min(side, other);
  double sum = 0;
  for (int n = 41; n > 0; n -= 2) sum += std::tanh(n * pi * a / (2 * c)) / std::pow(n, 5);  // the rest: below 1e-9
  return a * c * c * c * (1.0 / 3 - 64 / std::pow(pi, 5) * (c / a) * sum);
}

}  // namespace

// Shear coefficient after Cowper (1966), the same for both directions.
SectionShape rectangle(double b, double h, double nu) {
  const double k = 10 * (1 + nu) / (12 + 11 * nu);
  return {b * h, b * h * h * h / 12, h * b * b * b / 12, rectangle_torsion(b, h), k, k};
}

// Cowper's coefficient of a hollow circle; polar moment J = 2 I, as nothing warps.
SectionShape tube(double r, double r_i, double nu) {
  const double I = pi / 4 * (std::pow(r, 4) - std::pow(r_i, 4));
  const double m2 = (r_i / r) * (r_i / r);
  const double p = (1 + m2) * (1 + m2);
  const double k = 6 * (1 + nu) * p / ((7 + 6 * nu) * p + (20 + 12 * nu) * m2);
  return {pi * (r * r - r_i * r_i), I, I, 2 * I, k, k};
}

// Moments of inertia as differences of rectangles; J of thin rectangles, sum of b t^3/3;
// k_z along the web after Cowper, with m the ratio of flange to web areas and n of width to height.
// Along the flanges 5/6 of their own area carries the shear.
SectionShape i_section(double b, double h, double flange, double web, double nu) {
  const double clear = h - 2 * flange;
  const double area = 2 * b * flange + clear * web;
  const double I_y = (b * h * h * h - (b - web) * clear * clear * clear) / 12;
  const double I_z = (2 * flange * b * b * b + clear * web * web * web) / 12;
  const double J = (2 * b * std::pow(flange, 3) + clear * std::pow(web, 3)) / 3;
  const double middle = h - flange;
  const double m = 2 * b * flange / (middle * web);
  const double n2 = (b / middle) * (b / middle);
  const double m2 = m * m;
  const double m3 = m2 * m;
  const double k_z = 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) /
                     (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) + 30 * n2 * (m + m2) +
                      5 * nu * n2 * (8 * m + 9 * m2));
  return {area, I_y, I_z, J, 5.0 / 6 * 2 * b * flange / area, k_z};
}

// EA, k G A (twice), G J, E I_y, E I_z on the diagonal: axes through the center and along the principal
// directions.
math::Mat6 stiffness_of(const SectionShape& s, const Material& material) {
  const double E = material.E;
  const double G = E / (2 * (1 + material.nu));
  math::Vec6 diagonal;
  diagonal << E * s.area, s.k_y * G * s.area, s.k_z * G * s.area, G * s.J, E * s.I_y, E * s.I_z;
  return diagonal.asDiagonal();
}

// Mass per length three times, then rotational inertia about x (I_y + I_z), y and z.
math::Mat6 mass_of(const SectionShape& s, const Material& material) {
  math::Vec6 diagonal;
  diagonal << s.area, s.area, s.area, s.I_y + s.I_z, s.I_y, s.I_z;
  return (material.density * diagonal).asDiagonal();
}

}  // namespace polhode::model
