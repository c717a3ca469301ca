// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of Radau IIA, from their closed forms.
#include "polhode/integrators/radau/coefficients.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace polhode::integrators {
namespace {

using math::Mat3;
using math::Vec3;

Mat3 butcher_matrix() {
  const double r = std::sqrt(6.0);
  Mat3 A;
  A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
      (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,   //
      (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  return A;
}

// Of the polynomial through values at c_1, c_2, c_3.
Vec3 lagrange_weights(const Vec3& c, double s) {
  Vec3 w = Vec3::Ones();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (j != i) w[i] *= (s - c[j]) / (c[i] - c[j]);
  return w;
}

RadauCoefficients make_radau_coefficients() {
  RadauCoefficients k;
  const double r = std::sqrt(6.0);
  k.c << (4 - r) / 10, (4 + r) / 10, 1;
  const Mat3 A = butcher_matrix();
  k.b = A.row(2).transpose();
  k.D = A.inverse();
  const Eigen::EigenSolver<Mat3> eigen(k.D);
  const Eigen::Matrix3cd inverse = eigen.eigenvectors().inverse();
  for (int j = 0; j < 3; ++j) {
    const std::complex<double> value = eigen.eigenvalues()[j];
    const Eigen::Vector3cd right = eigen.eigenvectors().col(j);
    const Eigen::Vector3cd left = inverse.row(j).transpose();
    if (value.imag() == 0) {
      k.gamma = value.real();
      k.real_to_stages = right.real();
      k.to_real = left.real();
    } else if (value.imag() > 0) {
      k.mu = value;
      k.pair_re = right.real();
      k.pair_im = right.imag();
      k.to_pair_re = left.real();
      k.to_pair_im = left.imag();
    }
  }
  // Extrapolation of the rates of the stages to the begin of the step
  k.error = -1 / k.gamma * (k.D.transpose() * lagrange_weights(k.c, 0));
  return k;
}

}  // namespace

const RadauCoefficients& radau_coefficients() {
  static const RadauCoefficients made = make_radau_coefficients();
  return made;
}

Vec3 stage_weights(double s) { return lagrange_weights(radau_coefficients().c, s); }

Vec3 collocation_weights(double s) { return stage_weights(s).cwiseProduct(s * radau_coefficients().c.cwiseInverse()); }

}  // namespace polhode::integrators
