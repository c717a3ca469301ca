// SPDX-License-Identifier: BSD-3-Clause
// The weighted mean of rotations, and the derivatives of the inverse tangent operator.
#include "elements/beams/spectral/mean.hpp"

#include <Eigen/LU>
#include <cmath>

#include "polhode/math/so3_series.hpp"

namespace polhode::elements::spectral {

using math::so3::Quaternion;

// With u = 1 - s eta = (phi/2) cot(phi/2): s eta' = s eta^2/2 - 3 eta/2 + 1/8, and once more by s.
Turn::Turn(const Vec3& rotation_vector) : phi(rotation_vector), s(phi.squaredNorm()) {
  using namespace math::so3;
  if (s < series_limit) {
    eta = bernoulli_series<false, 0>(s);
    eta1 = bernoulli_series<false, 1>(s);
    eta2 = bernoulli_series<false, 2>(s);
    return;
  }
  const double half = std::sqrt(s) / 2;
  eta = (1 - half / std::tan(half)) / s;
  eta1 = (0.5 * s * eta * eta - 1.5 * eta + 0.125) / s;
  eta2 = (0.5 * eta * eta + s * eta * eta1 - 2.5 * eta1) / s;
}

// T^-1 = I + phi~/2 + eta phi~ phi~ with phi~ phi~ = phi phi^T - s I.
Mat3 inverse_tangent(const Turn& t) {
  Mat3 Ti = 0.5 * math::tilde(t.phi) + t.eta * t.phi * t.phi.transpose();
  Ti.diagonal().array() += 1 - t.eta * t.s;
  return Ti;
}

// Of +-phi x a/2 + eta q with q = phi (phi . a) - s a: eta varies by 2 eta' phi . dphi, q by (phi . a)
// dphi + phi (a . dphi) - 2 a (phi . dphi). The two sides differ in the sign of the first term alone.
Mat3 gradient(const Turn& t, const Vec3& a, Side side) {
  const double along = t.phi.dot(a);
  const Vec3 q = along * t.phi - t.s * a;
  Mat3 G = (side == Side::plain ? -0.5 : 0.5) * math::tilde(a);
  G.noalias() += (2 * t.eta1 * q - 2 * t.eta * a) * t.phi.transpose() + (t.eta * t.phi) * a.transpose();
  G.diagonal().array() += t.eta * along;
  return G;
}

// Of eta q with q = (phi . a)(phi . b) - s a . b; what is linear in phi has none. slope is dq/dphi.
// Symmetric in its two directions, since it is a second derivative.
Mat3 hessian(const Turn& t, const Vec3& a, const Vec3& b) {
  const double pa = t.phi.dot(a);
  const double pb = t.phi.dot(b);
  const double ab = a.dot(b);
  const double q = pa * pb - t.s * ab;
  const Vec3 slope = pb * a + pa * b - 2 * ab * t.phi;
  const Mat3 mixed = (2 * t.eta1 * t.phi) * slope.transpose() + (t.eta * a) * b.transpose();
  Mat3 X = mixed + mixed.transpose() + (4 * t.eta2 * q * t.phi) * t.phi.transpose();
  X.diagonal().array() += 2 * (t.eta1 * q - t.eta * ab);
  return X;
}

// gradient(a, transposed) rate = const + 2 eta' (phi . rate) q + eta w, q as in gradient(),
// w its derivative along `rate`; each factor by phi.
Mat3 gradient_of_rate(const Turn& t, const Vec3& a, const Vec3& rate) {
  const double pa = t.phi.dot(a);
  const double pr = t.phi.dot(rate);
  const double ar = a.dot(rate);
  const Vec3 q = pa * t.phi - t.s * a;
  const Vec3 w = pa * rate + ar * t.phi - 2 * pr * a;
  Mat3 X = q * (4 * t.eta2 * pr * t.phi + 2 * t.eta1 * rate).transpose();
  X.noalias() += 2 * t.eta1 * (w - 2 * pr * a) * t.phi.transpose() + 2 * t.eta1 * pr * t.phi * a.transpose();
  X.noalias() += t.eta * rate * a.transpose() - 2 * t.eta * a * rate.transpose();
  X.diagonal().array() += 2 * t.eta1 * pr * pa + t.eta * ar;
  return X;
}

// The derivative along `rate` of T^-T = I - phi~/2 + eta (phi phi^T - s I).
Mat3 rate(const Turn& t, const Vec3& rate) {
  const double pr = t.phi.dot(rate);
  Mat3 X = -0.5 * math::tilde(rate) + (2 * t.eta1 * pr * t.phi + t.eta * rate) * t.phi.transpose() +
           (t.eta * t.phi) * rate.transpose();
  X.diagonal().array() -= 2 * pr * (t.eta1 * t.s + t.eta);
  return X;
}

// The mean of quaternions, all in the half-space of the first, is within the third power of the rotations'
// differences, so that few Newton steps do. Weights of high order are negative at places and the sum may
// vanish: the first rotation serves then. NaN end the iteration.
Quaternion mean_rotation(std::span<const Quaternion> rotations, std::span<const double> L) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < rotations.size(); ++i)
    sum += (rotations[i].dot(rotations[0]) < 0 ? -L[i] : L[i]) * rotations[i].coeffs();
  Quaternion Q = rotations[0];
  if (sum.norm() > 1e-3) Q.coeffs() = sum.normalized();
  for (int iteration = 0; iteration < 40; ++iteration) {
    Vec3 error = Vec3::Zero();
    Mat3 A = Mat3::Zero();
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      const Turn turn(math::so3::log(Q.conjugate() * rotations[i]));
      error += L[i] * turn.phi;
      A += L[i] * inverse_tangent(turn).transpose();
    }
    const Vec3 step = A.inverse() * error;
    Q = (Q * math::so3::exp_quaternion(step)).normalized();
    if (!(step.squaredNorm() > 1e-16)) break;  // the next step would be the square of this one: below round-off
  }
  return Q;
}

}  // namespace polhode::elements::spectral
