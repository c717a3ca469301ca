// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of Rosenbrock-Nystrom methods, from those of the Rosenbrock method beneath.
//
// Negrut, Sandu, Haug, Potra & Sandu (2003), Tables 1 and 3. Transformed (Table 2) with beta = alpha + Gamma:
//   a = alpha Gamma^-1,  c = diag(1/gamma) - Gamma^-1,  theta = alpha beta Gamma^-1,  delta = Gamma beta Gamma^-1,
//   m = b Gamma^-1,  mu = b beta Gamma^-1, the same for the embedded method; alpha_i, gamma_i: sums of rows.
#pragma once
#include <Eigen/Core>

namespace polhode::integrators {

struct RosenbrockCoefficients {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;
  using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;

  int stages;
  int order;
  int embedded_order;
  double gamma;
  // of the Rosenbrock method
  Square alpha;
  Square Gamma;
  Row b;
  Row b_hat;  // embedded
  Square a;
  Square c;
  Square theta;
  Square delta;
  Row m;
  Row mu;
  Row m_hat;
  Row mu_hat;
  Row alpha_sum;
  Row gamma_sum;
  bool same_as_before(int i) const;  // stage i has the argument of stage i - 1, so that one evaluation serves both
};

// Table 1 but for a misprint: gamma_21 is negative. Order 4, embedded 3, L-stable.
RosenbrockCoefficients rosenbrock4_coefficients();
// Table 3 (Verwer et al.): order 2, embedded 1, for any Jacobian.
RosenbrockCoefficients rosenbrock_w2_coefficients();

}  // namespace polhode::integrators
