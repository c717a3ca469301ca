// SPDX-License-Identifier: BSD-3-Clause
// Cross-sections by their shape: area, moments, torsion constant and shear factors, and with a material the matrices of
// a beam's section.
//
//   rectangle  A = b h,  I_y = b h^3/12,  I_z = h b^3/12        b along y, h along z
//              J = a c^3 (1/3 - 64/pi^5 (c/a) sum_(n odd) tanh(n pi a/2c)/n^5),  a >= c the sides
//                                                                                      Timoshenko & Goodier
//              k = 10 (1 + nu)/(12 + 11 nu)                                            Cowper 1966
//   circle     A = pi r^2,  I = pi r^4/4,  J = 2 I,  k = 6 (1 + nu)/(7 + 6 nu)                      Cowper
//   tube       of both circles the difference;  m = r_i/r,
//              k = 6 (1 + nu)(1 + m^2)^2 / ((7 + 6 nu)(1 + m^2)^2 + (20 + 12 nu) m^2)               Cowper
//   I          flanges b x t_f along y, web t_w along z, height h over all; J = (2 b t_f^3 + (h - 2 t_f) t_w^3)/3
//              h' = h - t_f,  m = 2 b t_f/(h' t_w),  n = b/h',
//              k_z = 10 (1 + nu)(1 + 3m)^2 / (12 + 72m + 150m^2 + 90m^3 + nu (11 + 66m + 135m^2 + 90m^3)
//                    + 30 n^2 (m + m^2) + 5 nu n^2 (8m + 9m^2))                                     Cowper
//              k_y A = 5/6 of the flanges' area: along y the flanges carry the shear, as rectangles do for nu = 0
// Sources: G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966) 335-340;
// S. P. Timoshenko & J. N. Goodier, Theory of Elasticity, chapter 10.
#pragma once
#include "polhode/math/types.hpp"

namespace polhode::model {

// Constants of a cross-section with the axes y and z through its centroid, which are principal axes.
struct SectionShape {
  // m^2, m^4
  double area;
  double I_y;
  double I_z;
  double J;
  // shear factors
  double k_y;
  double k_z;
};

// Lengths in m, above zero; nu is Poisson's ratio, which the shear factors depend on.
SectionShape rectangle(double width, double height, double nu);
// Inner radius 0: a circle.
SectionShape tube(double radius, double inner_radius, double nu);
// Of two flanges and a web: width b, height h, thicknesses t_f and t_w.
SectionShape i_section(double width, double height, double flange, double web, double nu);

struct Material {
  // Young's modulus, Pa
  double E;
  // Poisson's ratio; G = E/(2 (1 + nu))
  double nu;
  // kg/m^3
  double density;
};

// In the order N Qy Qz Mx My Mz.
// Both diagonal: E A, k_y G A, k_z G A, G J, E I_y, E I_z in N and N m^2; density times A, A, A, I_y + I_z, I_y, I_z in
// kg/m and kg m.
math::Mat6 stiffness_of(const SectionShape& shape, const Material& material);
math::Mat6 mass_of(const SectionShape& shape, const Material& material);

}  // namespace polhode::model
