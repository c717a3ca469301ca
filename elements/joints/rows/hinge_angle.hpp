// SPDX-License-Identifier: BSD-3-Clause
// The angle of b against a about the third axis of a joint's markers, with its rate and their derivatives by blocks.
//
// It is a function of U = R_a^T R_b alone, which a small rotation of b against a, in a's frame,
//   delta = U dTheta_b - dTheta_a,   changes by   dU = delta~ U.
// With e1, e2, e3 the axes on a, b = U t1_b, x = e1 . b, y = e2 . b, z = e3 . b and r2 = x^2 + y^2:
//   phi = atan2(y, x),   dphi = p . delta,   p = b x c,   c = (x e2 - y e1)/r2,   dp = P delta
//   P = b c^T + (z/r2) (b~ + 2 p (b x e3)^T)
// The row of phi is -p on a and U^T p on b, and as d(U^T p) = U^T (P + p~) delta its tangent has the blocks
//   aa  P,   ab  -P U,   ba  -U^T (P + p~),   bb  U^T (P + p~) U.
// The rate is p . omega with omega = U Omega_b - Omega_a, and changes with positions by k . delta,
//   k = P^T omega + (U Omega_b) x p,   P^T omega = (b . omega) c + (z/r2) (omega x b + 2 (p . omega) b x e3).
// r2 is 1 where the third axes are parallel. It is kept, since Newton's iteration leaves those rows, and row and tangent
// are exact there, too; where t1_b is along the third axis of a, r2 = 0, no angle is defined.
//
// Forces along the angle and sensors take it from here; driven rows are sums of dot rows as other constraints are
// (rows.hpp), with the same value, row and tangent.
#pragma once
#include <cmath>

#include "elements/joints/rows/rows.hpp"

namespace polhode::elements::rows {

// Of one pair of nodes, of which it keeps references; allocates nothing.
// Its short functions are inlined: a call costs as much as what they do.
class HingeAngle {
 public:
  // Moments on a and on b, each in its own frame, per unit of what they are the row of.
  struct Row {
    Vec3 on_a;
    Vec3 on_b;
  };

  [[gnu::always_inline]] HingeAngle(const Markers& d, const PairNodes& n)
      : d_(d),
        n_(n),
        b_(seen_from_a(d.E_b.col(0))),
        x_(e1().dot(b_)),
        y_(e2().dot(b_)),
        r2_(x_ * x_ + y_ * y_),
        c_(combined(x_ / r2_, e2(), -y_ / r2_, e1())),
        p_(b_.cross(c_)) {}
  // In (-pi, pi], rad.
  double value() const { return std::atan2(y_, x_); }
  // rad/s
  [[gnu::always_inline]] double rate() const { return p_.dot(omega()); }
  // By dTheta of both nodes: of the angle, and of the rate.
  [[gnu::always_inline]] Row row() const { return of_both(p_); }
  [[gnu::always_inline]] Row rate_row() const { return of_both(turning_of_rate()); }
  // The tangents of the forces -tau row^T by velocities and positions, tau a function of the angle and its rate.
  void add_force_tangents_to(double tau, double by_angle, double by_rate, PairBlock& C, PairBlock& K) const;

 private:
  Mat3::ConstColXpr e1() const { return d_.E_a.col(0); }
  Mat3::ConstColXpr e2() const { return d_.E_a.col(1); }
  Mat3::ConstColXpr e3() const { return d_.E_a.col(2); }
  double z_by_r2() const { return e3().dot(b_) / r2_; }
  // Sums and products of three by hand, since the compiler makes functions of Eigen's: a u + b v, R v and R^T v.
  [[gnu::always_inline]] static Vec3 combined(double a, const Vec3& u, double b, const Vec3& v) {
    return {a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]};
  }
  [[gnu::always_inline]] static Vec3 rotated(const Mat3& R, const Vec3& v) {
    return {R(0, 0) * v[0] + R(0, 1) * v[1] + R(0, 2) * v[2], R(1, 0) * v[0] + R(1, 1) * v[1] + R(1, 2) * v[2],
            R(2, 0) * v[0] + R(2, 1) * v[1] + R(2, 2) * v[2]};
  }
  [[gnu::always_inline]] static Vec3 rotated_back(const Mat3& R, const Vec3& v) {
    return {R(0, 0) * v[0] + R(1, 0) * v[1] + R(2, 0) * v[2], R(0, 1) * v[0] + R(1, 1) * v[1] + R(2, 1) * v[2],
            R(0, 2) * v[0] + R(1, 2) * v[1] + R(2, 2) * v[2]};
  }
  // U v and U^T v, without U: most ask for one or two of them.
  [[gnu::always_inline]] Vec3 seen_from_a(const Vec3& of_b) const {
    return rotated_back(n_[0].R, rotated(n_[1].R, of_b));
  }
  [[gnu::always_inline]] Vec3 seen_from_b(const Vec3& of_a) const {
    return rotated_back(n_[1].R, rotated(n_[0].R, of_a));
  }
  [[gnu::always_inline]] Row of_both(const Vec3& v) const { return {-v, seen_from_b(v)}; }
  Mat3 turning_tangent() const;  // P
  [[gnu::always_inline]] Vec3 omega() const { return seen_from_a(n_[1].Omega()) - n_[0].Omega(); }
  // k
  [[gnu::always_inline]] Vec3 turning_of_rate() const {
    const Vec3 of_b = seen_from_a(n_[1].Omega());
    const Vec3 w = of_b - n_[0].Omega();
    const double z = z_by_r2();
    const Vec3 with_marker = combined(b_.dot(w), c_, z, w.cross(b_));
    const Vec3 with_axis = combined(2 * z * p_.dot(w), b_.cross(e3()), 1, of_b.cross(p_));
    return combined(1, with_marker, 1, with_axis);
  }
  // Adds the blocks A, -A U, -U^T B, U^T B U.
  void add_blocks_to(const Mat3& A, const Mat3& B, PairBlock& K) const;

  const Markers& d_;
  const PairNodes& n_;
  Vec3 b_;
  double x_;
  double y_;
  double r2_;
  Vec3 c_;
  Vec3 p_;
};

}  // namespace polhode::elements::rows
