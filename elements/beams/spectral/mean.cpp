// SPDX-License-Identifier: BSD-3-Clause
// The weighted mean of rotations, and the derivatives of the inverse tangent operator.
#include "elements/beams/spectral/mean.hpp"

#include <cmath>

#include "elements/beams/spectral/products.hpp"

namespace polhode::elements::spectral {

// With u = 1 - s eta = (phi/2) cot(phi/2): s eta' = s eta^2/2 - 3 eta/2 + 1/8, and once more by s.
void Turn::set_coefficients(bool second) {
  using namespace math::so3;
  s = phi.squaredNorm();
  if (all_below(s, series_limit)) {
    eta = bernoulli_series<false, 0>(s);
    eta1 = bernoulli_series<false, 1>(s);
    if (second) eta2 = bernoulli_series<false, 2>(s);
    return;
  }
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const double x = s[lane];
    const auto [value, slope] = inverse_coefficients(x);
    eta.set(lane, value);
    eta1.set(lane, slope);
    eta2.set(lane, x < series_limit ? bernoulli_series<false, 2>(x)
                                    : (0.5 * value * value + x * value * slope - 2.5 * slope) / x);
  }
}

// T^-1 = I + phi~/2 + eta phi~ phi~ with phi~ phi~ = phi phi^T - s I.
Matrix inverse_tangent(const Turn& t) {
  const Vector half = Lanes(0.5) * t.phi;
  const Vector scaled = t.eta * t.phi;
  Matrix Ti = outer(scaled, t.phi);
  const Lanes diagonal = Lanes(1) - t.eta * t.s;
  for (int i = 0; i < 3; ++i) Ti(i, i) += diagonal;
  add_tilde(half, Ti);
  return Ti;
}

Vector inverse_tangent_times(const Turn& t, const Vector& a) {
  const Vector turned = t.phi.cross(a);
  return a + Lanes(0.5) * turned + t.eta * t.phi.cross(turned);
}

Vector transposed_tangent_times(const Turn& t, const Vector& a) {
  const Vector turned = t.phi.cross(a);
  return a - Lanes(0.5) * turned + t.eta * t.phi.cross(turned);
}

// Of +-phi x a/2 + eta q with q = phi (phi . a) - s a: eta varies by 2 eta' phi . dphi, q by (phi . a)
// dphi + phi (a . dphi) - 2 a (phi . dphi). The two sides differ in the sign of the first term alone.
Matrix gradient(const Turn& t, const Vector& a, Side side) {
  const Lanes along = t.phi.dot(a);
  const Lanes two(2);
  const Vector by_phi = two * t.eta1 * along * t.phi - (two * t.eta1 * t.s + two * t.eta) * a;
  const Vector by_a = t.eta * t.phi;
  Matrix G = outer(by_phi, t.phi);
  add_outer(by_a, a, G);
  const Lanes diagonal = t.eta * along;
  for (int i = 0; i < 3; ++i) G(i, i) += diagonal;
  add_tilde(Vector(Lanes(side == Side::plain ? -0.5 : 0.5) * a), G);
  return G;
}

// Of eta q with q = (phi . a)(phi . b) - s a . b; what is linear in phi has none. slope is dq/dphi.
// Symmetric in its two directions, since it is a second derivative.
Matrix hessian(const Turn& t, const Vector& a, const Vector& b) {
  const Lanes two(2);
  const Lanes pa = t.phi.dot(a);
  const Lanes pb = t.phi.dot(b);
  const Lanes ab = a.dot(b);
  const Lanes q = pa * pb - t.s * ab;
  const Vector slope = two * t.eta1 * (pb * a + pa * b - two * ab * t.phi);
  const Vector scaled = t.eta * a;
  const Matrix mixed = outer(t.phi, slope) + outer(scaled, b);
  Matrix X = mixed + mixed.transpose();
  add_outer(Vector((two * two * t.eta2 * q) * t.phi), t.phi, X);
  const Lanes diagonal = two * (t.eta1 * q - t.eta * ab);
  for (int i = 0; i < 3; ++i) X(i, i) += diagonal;
  return X;
}

// gradient(a, transposed) rate = const + 2 eta' (phi . rate) q + eta w, q as in gradient(),
// w its derivative along `rate`; each factor by phi.
Matrix gradient_of_rate(const Turn& t, const Vector& a, const Vector& rate) {
  const Lanes two(2);
  const Lanes pa = t.phi.dot(a);
  const Lanes pr = t.phi.dot(rate);
  const Lanes ar = a.dot(rate);
  const Vector q = pa * t.phi - t.s * a;
  const Vector w = pa * rate + ar * t.phi - two * pr * a;
  Matrix X = outer(q, Vector(two * two * t.eta2 * pr * t.phi + two * t.eta1 * rate));
  add_outer(Vector(two * t.eta1 * (w - two * pr * a)), t.phi, X);
  add_outer(Vector(two * t.eta1 * pr * t.phi + t.eta * rate), a, X);
  add_outer(Vector(-two * t.eta * a), rate, X);
  const Lanes diagonal = two * t.eta1 * pr * pa + t.eta * ar;
  for (int i = 0; i < 3; ++i) X(i, i) += diagonal;
  return X;
}

// The derivative along `rate` of T^-T = I - phi~/2 + eta (phi phi^T - s I).
Matrix rate(const Turn& t, const Vector& rate) {
  const Lanes two(2);
  const Lanes pr = t.phi.dot(rate);
  Matrix X = outer(Vector(two * t.eta1 * pr * t.phi + t.eta * rate), t.phi);
  add_outer(Vector(t.eta * t.phi), rate, X);
  const Lanes diagonal = two * pr * (t.eta1 * t.s + t.eta);
  for (int i = 0; i < 3; ++i) X(i, i) -= diagonal;
  add_tilde(Vector(Lanes(-0.5) * rate), X);
  return X;
}

// Rows of the adjugate are cross products of columns.
Matrix inverse(const Matrix& A) {
  const Vector a = A.col(0);
  const Vector b = A.col(1);
  const Vector c = A.col(2);
  const Vector bc = b.cross(c);
  const Lanes scale = Lanes(1) / a.dot(bc);
  Matrix X;
  X.row(0) = scale * bc.transpose();
  X.row(1) = scale * c.cross(a).transpose();
  X.row(2) = scale * a.cross(b).transpose();
  return X;
}

namespace {

// Lanes whose sum of quaternions vanishes, as weights of high order are negative at places, keep the first rotation.
Quaternion mean_of_quaternions(std::span<const Quaternion> rotations, const std::array<Lanes, most_nodes>& L) {
  Quaternion sum = L[0] * rotations[0];
  for (std::size_t i = 1; i < rotations.size(); ++i) sum += L[i] * rotations[i];
  Lanes square = sum.squaredNorm();
  for (int lane = 0; lane < Lanes::count; ++lane)
    if (!(square[lane] > 1e-6)) {
      square.set(lane, 1);
      for (int k = 0; k < 4; ++k) sum[k].set(lane, rotations[0][k][lane]);
    }
  return (Lanes(1) / sqrt(square)) * sum;
}

// log(Q^T R), |phi| <= pi.
Vector relative_rotation(const Quaternion& Q, const Quaternion& R) {
  const Vector q = Q.tail<3>();
  const Vector r = R.tail<3>();
  Lanes w = Q[0] * R[0] + q.dot(r);
  Vector v = Q[0] * r - R[0] * q - q.cross(r);
  if (!all_below(-w, 0)) {
    const Lanes sign = math::so3::each_of([](double x) { return x < 0 ? -1.0 : 1.0; }, w);
    w *= sign;
    v *= sign;
  }
  return math::so3::log_factor(Lanes(v.squaredNorm()), w) * v;
}

// A = sum L_i T_i^-T = I - error~/2 + sum L_i eta_i (phi_i phi_i^T - s_i I), where sum L_i phi_i = error.
Matrix mean_tangent(std::size_t nodes, const std::array<Lanes, most_nodes>& L, const Vector& error,
                    const std::array<Turn, most_nodes>& turn) {
  Matrix A = Matrix::Zero();
  Lanes diagonal(1);
  for (std::size_t i = 0; i < nodes; ++i) {
    const Lanes weight = L[i] * turn[i].eta;
    diagonal -= weight * turn[i].s;
    add_outer(Vector(weight * turn[i].phi), turn[i].phi, A);
  }
  for (int i = 0; i < 3; ++i) A(i, i) += diagonal;
  add_tilde(Vector(Lanes(-0.5) * error), A);
  return A;
}

Lanes eta_of(const Lanes& s) {
  using namespace math::so3;
  if (all_below(s, series_limit)) return bernoulli_series<false, 0>(s);
  return each_of([](double a) { return inverse_coefficients(a).eta; }, s);
}

// A number that is not finite ends the iteration.
bool any_above(const Lanes& a, double bound) {
  bool above = false;
  for (int lane = 0; lane < Lanes::count; ++lane) above = above || a[lane] > bound;
  return above;
}

}  // namespace

// The mean of quaternions, all in the half-space of the first, is within the third power of the rotations'
// differences, so that few Newton steps do. The last step is so small that the rotations follow it linearly, by
// dphi_i = -T_i^-T dTheta, to the square of it.
bool set_mean(std::span<const Quaternion> rotations, const std::array<Lanes, most_nodes>& L, bool second, Mean& mean) {
  const std::size_t n = rotations.size();
  mean.Q = mean_of_quaternions(rotations, L);
  bool converged = false;
  Vector step;
  for (int iteration = 0; iteration < 40 && !converged; ++iteration) {
    Vector error = Vector::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      Turn& t = mean.turn[i];
      t.phi = relative_rotation(mean.Q, rotations[i]);
      t.s = t.phi.squaredNorm();
      t.eta = eta_of(t.s);
      error += L[i] * t.phi;
    }
    step = inverse(mean_tangent(n, L, error, mean.turn)) * error;
    const Vector half = Lanes(0.5) * step;  // (1, step/2) is the exponential to the third power
    const Quaternion turned = math::so3::product<Lanes>(mean.Q, {Lanes(1), half[0], half[1], half[2]});
    mean.Q = (Lanes(1) / sqrt(Lanes(turned.squaredNorm()))) * turned;
    converged = !any_above(Lanes(step.squaredNorm()), 1e-18);
  }
  for (std::size_t i = 0; i < n; ++i) {
    mean.turn[i].phi -= transposed_tangent_times(mean.turn[i], step);
    mean.turn[i].set_coefficients(second);
  }
  mean.Ai = inverse(mean_tangent(n, L, Vector::Zero(), mean.turn));
  return converged;
}

}  // namespace polhode::elements::spectral
