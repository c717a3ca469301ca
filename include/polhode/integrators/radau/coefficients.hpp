// SPDX-License-Identifier: BSD-3-Clause
// Radau IIA of three stages, order 5: coefficients, and what its iteration and its estimate of the error need.
//
// Stages Y_i = y_n + h sum a_ij Y'_j at t_n + c_i h; the last one is the end of the step. With D = A^-1 the rates are
// Y'_i = sum d_ij (Y_j - y_n)/h.
//
// The iteration takes stages apart by the eigenvalues of D, one real and a pair of complex ones:
// D = V diag(gamma, mu, mu*) V^-1 (Butcher 1976, Bickart 1977).
#pragma once
#include <complex>

#include "polhode/math/types.hpp"

namespace polhode::integrators {

struct RadauCoefficients {
  static constexpr int stages = 3;
  math::Vec3 c;
  // Weights of the quadrature, the last row of A
  math::Vec3 b;
  // A^-1
  math::Mat3 D;
  // Eigenvalues of D: the real one, and the one of the pair with a positive imaginary part
  double gamma;
  std::complex<double> mu;
  // V: stages are real_to_stages z_1 + 2 Re(pair_to_stages z_2)
  math::Vec3 real_to_stages;
  math::Vec3 pair_re;
  math::Vec3 pair_im;
  // Rows of V^-1: z_1, and real and imaginary part of z_2
  math::Vec3 to_real;
  math::Vec3 to_pair_re;
  math::Vec3 to_pair_im;
  // h gamma_0 (y'_n - Y'(t_n)) = gamma_0 h y'_n + sum error_i (Y_i - y_n) with gamma_0 = 1/gamma and the polynomial Y
  // through the stages: the difference to an embedded method of order 3 (Hairer & Wanner)
  math::Vec3 error;
};

const RadauCoefficients& radau_coefficients();

// Weights of the values at c_1, c_2, c_3 of the polynomial through them, at s.
math::Vec3 stage_weights(double s);
// Weights of the values at 0 (which is zero), c_1, c_2, c_3 of the polynomial through them, at s; those of the last
// three.
math::Vec3 collocation_weights(double s);

}  // namespace polhode::integrators
