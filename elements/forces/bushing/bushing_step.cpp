// SPDX-License-Identifier: BSD-3-Clause
// The bushing over a step of `energy_momentum`: a discrete gradient of its deformation e = [y; psi].
//
// With Q = Q_a^T Q_b, half angle's cosine C = cos(|psi|/2) and
//   c = vee(Q - Q^T),  tau = tr Q = 4 C^2 - 1,  w = (Q_a^T d + Q_b^T d)/2
//   psi = g c,  y = a w + b c (c . w);   a = 1/C,  b = -1/(16 (C^3 + C^4)),  g = A/(2 C),  A(q) = asin(sqrt q)/sqrt q
// q = 1 - C^2 = (3 - tau)/4. All of z = (c, tau, w) are quadratic in (x, R), so their mean rows have the work z+ - z,
// and products and differences of quotients give e+ - e = D (z+ - z) to round-off. With s = S ebar + D_amp (e+ - e)/h
// the wrenches are those of the rows of z with the multipliers D^T s: the work is the change of e^T S e/2 and what the
// damper takes, and rows have no resultant. Less than half a turn, where C = 0.
#include <cmath>
#include <limits>
#include <numbers>

#include "elements/forces/bushing/bushing.hpp"
#include "elements/forces/bushing/dual.hpp"
#include "elements/joints/rows/mean_rows.hpp"

namespace polhode::elements {

namespace {

using Vec7 = Mat<7>;
// Rows of w need offsets measured along axes of a and along axes of b: the second are those of the first
// with the bodies exchanged.
Markers exchanged(const Markers& d) { return {d.s_b, d.s_a, d.E_b, d.E_a}; }
PairNodes exchanged(const PairNodes& n) { return {n[1], n[0]}; }
template <class Block>
Block exchanged(const Block& X) {  // the halves of its columns
  Block Y;
  Y << X.template rightCols<6>(), X.template leftCols<6>();
  return Y;
}

// Without Eigen's types.
Invariants<double> plain(const Vec7& z) {
  Invariants<double> result;
  for (int i = 0; i < 7; ++i) result[i] = z[i];
  return result;
}

// c by the skew part of Q, tau its trace, w the distance of the points by the mean of both frames:
// none changes if all turns.
Vec7 invariants(const Markers& d, const PairNodes& n) {
  const Mat3 Q_a = n[0].R * d.E_a;
  const Mat3 Q_b = n[1].R * d.E_b;
  const Mat3 Q = Q_a.transpose() * Q_b;
  const Vec3 p = (n[1].x - n[0].x) + (n[1].R * d.s_b - n[0].R * d.s_a);
  Vec7 z;
  z << Q(2, 1) - Q(1, 2), Q(0, 2) - Q(2, 0), Q(1, 0) - Q(0, 1), Q.trace(), 0.5 * (Q_a + Q_b).transpose() * p;
  return z;
}

// Spatial rows of z.
Mat<7, 12> rows_of(const Markers& d, const PairNodes& n) {
  Mat<7, 12> G;
  G.row(3).setZero();
  const Markers other = exchanged(d);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    G.row(i) = rows::mean_dot(n, d.E_a.col(k), d.E_b.col(j)) - rows::mean_dot(n, d.E_a.col(j), d.E_b.col(k));
    G.row(3) += rows::mean_dot(n, d.E_a.col(i), d.E_b.col(i));
    G.row(4 + i) =
        0.5 * (exchanged(rows::mean_offset(other, exchanged(n), d.E_b.col(i))) - rows::mean_offset(d, n, d.E_a.col(i)));
  }
  return G;
}

// The derivative by the end of G^T zeta, zeta held.
void add_rows_tangent_to(const Markers& d, const PairNodes& mean, const PairNodes& end, const Vec7& zeta,
                         PairBlock& K) {
  PairBlock X = PairBlock::Zero();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    rows::add_mean_dot_tangent_to(mean, end, d.E_a.col(k), d.E_b.col(j), zeta[i], K);
    rows::add_mean_dot_tangent_to(mean, end, d.E_a.col(j), d.E_b.col(k), -zeta[i], K);
    rows::add_mean_dot_tangent_to(mean, end, d.E_a.col(i), d.E_b.col(i), zeta[3], K);
    rows::add_mean_offset_tangent_to(d, mean, end, d.E_a.col(i), -0.5 * zeta[4 + i], K);
    rows::add_mean_offset_tangent_to(exchanged(d), exchanged(mean), exchanged(end), d.E_b.col(i), 0.5 * zeta[4 + i], X);
  }
  K.topRows<6>() += exchanged(Mat<6, 12>(X.bottomRows<6>()));
  K.bottomRows<6>() += exchanged(Mat<6, 12>(X.topRows<6>()));
}

constexpr double small = 1e-3;  // q, below which a series has all digits

// asin(sqrt q)/sqrt q = |psi|/2 over sin(|psi|/2), by its series near zero: q is analytic there,
// sqrt q is not.
template <class T>
T arc(const T& q) {  // A
  using std::asin;
  using std::sqrt;
  if (q < small) return 1 + q * (1.0 / 6 + q * (3.0 / 40 + q * (15.0 / 336 + q * (105.0 / 3456))));
  const T s = sqrt(q);
  return asin(s) / s;
}

// Its derivative by q, for steps so short that the difference quotient of arc has no digits left.
template <class T>
T arc_slope(const T& q) {
  using std::sqrt;
  if (q < small) return 1.0 / 6 + q * (3.0 / 20 + q * (45.0 / 336 + q * (420.0 / 3456 + q * (4725.0 / 42240))));
  return (1 / sqrt(1 - q) - arc(q)) / (2 * q);
}

// What e is made of at one end. P = C^3 + C^4 and the values a, b, g are those of the top of this file.
template <class T>
struct Pose {
  Triple<T> c;
  Triple<T> w;
  Triple<T> cm;  // c (c . w)
  T tau;
  T q;
  T C;
  T P;
  T m;
  T a;
  T b;
  T arc_q;
  T g;
  explicit Pose(const Invariants<T>& z) : c{z[0], z[1], z[2]}, w{z[4], z[5], z[6]}, tau(z[3]) {
    using std::sqrt;
    q = (3 - tau) / 4;
    if (q < 0) q = 0.0 * q;  // by round-off
    C = sqrt(1 - q);
    P = C * C * C * (1 + C);
    m = dot(c, w);
    cm = c * m;
    a = 1 / C;
    b = -1 / (16 * P);
    arc_q = arc(q);
    g = arc_q / (2 * C);
  }
  // e, both halves.
  Triple<T> y() const { return w * a + cm * b; }
  Triple<T> psi() const { return c * g; }
};

// Three components of s = S ebar + D_amp (e+ - e)/h, from number `first`.
template <class T>
Triple<T> stress(const Bushing::Data& d, int first, const Pose<double>& p0, const Pose<T>& p1, double h) {
  const std::array<Triple<double>, 2> before{p0.y(), p0.psi()};
  const std::array<Triple<T>, 2> after{p1.y(), p1.psi()};
  Triple<T> s{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 6; ++k) {
      const double stiffness = d.stiffness(first + i, k);
      const double damping = d.damping(first + i, k);
      const T& e1 = after[k / 3][k % 3];
      const double e0 = before[k / 3][k % 3];
      if (stiffness != 0) s[i] = s[i] + (0.5 * stiffness) * (e0 + e1);
      if (damping != 0) s[i] = s[i] + (damping / h) * (e1 - e0);
    }
  return s;
}

// zeta = D^T s; T: of what depends on the end.
// e is made of products of c, w and functions of tau. The rule for a difference of products,
// mean times difference plus difference times mean, turns e+ - e into D (z+ - z) exactly: da, db,
// dg are difference quotients of a, b, g by tau, written so that nothing cancels,
// and the means of all factors stand beside them.
template <class T>
Invariants<T> multipliers(const Bushing::Data& d, const Vec7& begin, const Invariants<T>& end, double h) {
  const Pose<double> p0(plain(begin));
  const Pose<T> p1(end);
  const T sum = p0.C + p1.C;
  const T dq = p1.q - p0.q;
  // Slopes over the step, by tau.
  const T da = -1.0 / (4.0 * p0.C * p1.C * sum);
  const T db = (p0.C * p0.C + p0.C * p1.C + p1.C * p1.C + sum * (p0.C * p0.C + p1.C * p1.C)) / (64 * p0.P * p1.P * sum);
  T by_q;
  if (dq < 1e-5 && 0 - dq < 1e-5)
    by_q = arc_slope(T((p0.q + p1.q) / 2));
  else
    by_q = (p1.arc_q - p0.arc_q) / dq;
  const T dg = ((p0.arc_q + p1.arc_q) * da - by_q * (p0.a + p1.a) / 4) / 4;
  const Triple<T> f = stress(d, 0, p0, p1, h);
  const Triple<T> moment = stress(d, 3, p0, p1, h);
  const Triple<T> c = (p0.c + p1.c) * 0.5;
  const Triple<T> w = (p0.w + p1.w) * 0.5;
  const Triple<T> cm = (p0.cm + p1.cm) * 0.5;
  const T a = (p0.a + p1.a) / 2;
  const T b = (p0.b + p1.b) / 2;
  const T g = (p0.g + p1.g) / 2;
  const T m = (p0.m + p1.m) / 2;
  const T fc = dot(f, c);
  const Triple<T> by_c = moment * g + w * (b * fc) + f * (b * m);
  const Triple<T> by_w = f * a + c * (b * fc);
  const T by_tau = dg * dot(moment, c) + da * dot(f, w) + db * dot(f, cm);
  return {by_c[0], by_c[1], by_c[2], by_tau, by_w[0], by_w[1], by_w[2]};
}

// Up to half a turn between the bodies, where C is the scalar of their quaternion: that of the step's own turn is
// C_0 C_1 + (c_0 . c_1)/(16 C_0 C_1), and positive unless the step crosses it. Else NaN, which ends the iteration.
bool within_half_a_turn(const Bushing::Step& s, const Vec7& begin, const Vec7& end) {
  const Pose<double> p0(plain(begin));
  const Pose<double> p1(plain(end));
  return Eigen::Map<const Vec3>(s.middle.history).norm() < std::numbers::pi &&
         p0.C * p1.C + dot(p0.c, p1.c) / (16 * p0.C * p1.C) > 0;
}

}  // namespace

// Rows at the mean configuration, as those of joints (mean_rows.hpp), with zeta in the place of multipliers.
void Bushing::add_discrete_forces_to(const Data& d, const Step& s, Mat<12>& r) {
  const Vec7 begin = invariants(d, s.begin);
  const Vec7 end = invariants(d, s.end);
  const Invariants<double> zeta = multipliers(d, begin, plain(end), s.h);
  r.noalias() += rows_of(d, s.mean).transpose() * Eigen::Map<const Vec7>(zeta.data());
  if (!within_half_a_turn(s, begin, end)) r.setConstant(std::numeric_limits<double>::quiet_NaN());
}

// G^T zeta varies with the rows, zeta held, and with zeta by z+: automatic differentiation of seven numbers
// by seven is small, and free of slips in these formulas.
void Bushing::add_discrete_force_tangents_to(const Data& d, const Step& s, PairBlock& K) {
  const Vec7 end = invariants(d, s.end);
  Invariants<Dual> dual;
  for (int i = 0; i < 7; ++i) dual[i] = {end[i], Vec7::Unit(i)};
  const Invariants<Dual> zeta = multipliers(d, invariants(d, s.begin), dual, s.h);
  Vec7 value;
  Mat<7, 7> by_end;
  for (int i = 0; i < 7; ++i) {
    value[i] = zeta[i].value;
    by_end.row(i) = zeta[i].slope;
  }
  add_rows_tangent_to(d, s.mean, s.end, value, K);
  K.noalias() += rows_of(d, s.mean).transpose() * (by_end * rows_of(d, s.end));
}

}  // namespace polhode::elements
