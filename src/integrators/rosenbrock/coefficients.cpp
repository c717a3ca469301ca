// SPDX-License-Identifier: BSD-3-Clause
// The tables, and what follows from them.
#include "polhode/integrators/rosenbrock/coefficients.hpp"

#include <Eigen/LU>
#include <cmath>

namespace polhode::integrators {
namespace {

void transform(RosenbrockCoefficients& k) {
  const RosenbrockCoefficients::Square beta = k.alpha + k.Gamma;
  const RosenbrockCoefficients::Square inverse = k.Gamma.inverse();
  k.a = k.alpha * inverse;
  k.c = RosenbrockCoefficients::Square::Identity(k.stages, k.stages) / k.gamma - inverse;
  k.theta = k.alpha * beta * inverse;
  k.delta = k.Gamma * beta * inverse;
  k.m = inverse.transpose() * k.b;
  k.mu = (beta * inverse).transpose() * k.b;
  k.m_hat = inverse.transpose() * k.b_hat;
  k.mu_hat = (beta * inverse).transpose() * k.b_hat;
  k.alpha_sum = k.alpha.rowwise().sum();
  k.gamma_sum = k.Gamma.rowwise().sum();
}

}  // namespace

bool RosenbrockCoefficients::same_as_before(int i) const {
  return i > 0 && alpha.row(i) == alpha.row(i - 1) && alpha_sum[i] == alpha_sum[i - 1];
}

RosenbrockCoefficients rosenbrock4_coefficients() {
  RosenbrockCoefficients k;
  k.stages = 4;
  k.order = 4;
  k.embedded_order = 3;
  const double g = k.gamma = 0.57281606;
  k.alpha.setZero(4, 4);
  k.alpha(1, 0) = 1.14563212;
  k.alpha(2, 0) = k.alpha(3, 0) = 0.520920789130629029328516;
  k.alpha(2, 1) = k.alpha(3, 1) = 0.134294186842504800149232;
  k.Gamma = g * RosenbrockCoefficients::Square::Identity(4, 4);
  k.Gamma(1, 0) = -2.341993127112013949170520;
  k.Gamma(2, 0) = -0.027333746543489836196505;
  k.Gamma(2, 1) = 0.213811650836699689867472;
  k.Gamma(3, 0) = -0.259083837785510222112641;
  k.Gamma(3, 1) = -0.190595807732311751616358;
  k.Gamma(3, 2) = -0.228031035973133829477744;
  k.b.resize(4);
  k.b_hat.resize(4);
  k.b << 0.324534707891734513474196, 0.049086544787523308684633, 0, 0.626378747320742177841171;
  k.b_hat << 0.520920789130629029328516, 0.144549714665364599584681, 0.124559686414702049774897,
      0.209969809789304321311906;
  transform(k);
  return k;
}

RosenbrockCoefficients rosenbrock_w2_coefficients() {
  RosenbrockCoefficients k;
  k.stages = 2;
  k.order = 2;
  k.embedded_order = 1;
  k.gamma = 1 + 1 / std::sqrt(2.0);
  k.alpha.setZero(2, 2);
  k.alpha(1, 0) = 1;
  k.Gamma = k.gamma * RosenbrockCoefficients::Square::Identity(2, 2);
  k.Gamma(1, 0) = -2 * k.gamma;
  k.b.resize(2);
  k.b_hat.resize(2);
  k.b << 0.5, 0.5;
  k.b_hat << 0, 1;
  transform(k);
  return k;
}

}  // namespace polhode::integrators
