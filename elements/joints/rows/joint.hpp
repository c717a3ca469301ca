// SPDX-License-Identifier: BSD-3-Clause
// A joint between two nodes from one list of rows. The kind says the list once,
//
//   template <class List> static void list(const Data& d, List& rows) {
//     rows.coincidence(d);
//     rows.dot(d.E_a.col(0), d.E_b.col(2));
//     rows.angle(d, d.rotation);
//   }
//
// and values, gradients, tangents and time derivatives follow from it, each by a walk over the list.
// A walk is a struct with one function for each form of row; it counts rows in `next`. A new form of row is a function
// in each of the walks; the compiler names those that lack it. In all of them
//   coincidence(d)          three rows, points of the markers d coincide
//   dot(c_a, c_b)           vectors c_a of a's frame and c_b of b's frame are at right angles
//   offset(d, c_a)          p_a - p_b has no part along c_a of a's frame
//   angle(d, drive)         the angle about the markers' third axis is the drive's value, rad
//   displacement(d, c_a, drive)   (p_b - p_a) along c_a is the drive's value, m
#pragma once
#include <type_traits>

#include "elements/joints/rows/add_joint.hpp"
#include "elements/joints/rows/mean_rows.hpp"
#include "elements/joints/rows/offset.hpp"
#include "elements/joints/rows/rows.hpp"
#include "elements/joints/rows/step_angle.hpp"
#include "polhode/model/actuation.hpp"

namespace polhode::elements {

namespace rows {

// Sets Phi. Drives are multiplied by the load factor; of the angle's difference to its drive only the part in (-pi, pi]
// counts, so that a drive may pass any number of turns.
template <class Rows>
struct Values {
  const PairNodes& n;
  const model::Context& c;
  Rows& phi;
  int next = 0;

  void coincidence(const Markers& d) {
    phi.template segment<3>(next) = rows::coincidence(d, n);
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) { phi[next++] = rows::dot(n, c_a, c_b); }
  void offset(const Markers& d, const Vec3& c_a) { phi[next++] = rows::offset(d, n, c_a); }
  void angle(const Markers& d, const model::TimeFunction& drive) {
    phi[next++] = unwrap(model::acting(drive, c) - rows::angle(d, n), 0);
  }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction& drive) {
    phi[next++] = model::acting(drive, c) + rows::offset(d, n, c_a);
  }
};

// Sets the rows of B. A driven row is drive minus coordinate, hence the sign of angles; a displacement is minus an
// offset.
template <class Gradient>
struct Gradients {
  const PairNodes& n;
  Gradient& B;
  int next = 0;

  void coincidence(const Markers& d) {
    coincidence_gradient(d, n, next, B);
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) { B.row(next++) = dot_gradient(n, c_a, c_b); }
  void offset(const Markers& d, const Vec3& c_a) { B.row(next++) = offset_gradient(d, n, c_a); }
  void angle(const Markers& d, const model::TimeFunction&) { B.row(next++) = -angle_gradient(d, n); }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction&) { offset(d, c_a); }
};

// Adds D_q (B^T lambda) to K, 12 x 12; that of dot rows at the end, all of them together.
template <class Rows>
struct GeometricTangents {
  const PairNodes& n;
  const Rows& lambda;
  PairBlock& K;
  int next = 0;
  Mat3 dots = Mat3::Zero();
  bool has_dots = false;

  void coincidence(const Markers& d) {
    add_coincidence_tangent_to(d, n, lambda.template segment<3>(next), K);
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) {
    dots += lambda[next++] * c_b * c_a.transpose();
    has_dots = true;
  }
  void finish() {
    if (has_dots) add_dots_tangent_to(n, dots, K);
  }
  void offset(const Markers& d, const Vec3& c_a) { add_offset_tangent_to(d, n, c_a, lambda[next++], K); }
  void angle(const Markers& d, const model::TimeFunction&) { add_angle_tangent_to(d, n, -lambda[next++], K); }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction&) { offset(d, c_a); }
};

// Sets the rows of Z = D_q (B v). The rate of a dot row is the sum of two dot products of vectors that are constant in
// their bodies, w_a' . w_b + w_a . w_b' with w' = R (Omega x c), that of a coincidence row the difference of the points'
// velocities, v + R (Omega x s). Rows of other forms take their geometric tangents: v^T D_q (B^T e_r).
template <class Gradient>
struct VelocityGradients {
  const PairNodes& n;
  Gradient& Z;
  int next = 0;

  void coincidence(const Markers& d) {
    Z.template block<3, 3>(next, 3) = -math::cross_right(n[0].R, n[0].Omega().cross(d.s_a));
    Z.template block<3, 3>(next, 9) = math::cross_right(n[1].R, n[1].Omega().cross(d.s_b));
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) {
    Z.row(next++) = dot_gradient(n, n[0].Omega().cross(c_a), c_b) + dot_gradient(n, c_a, n[1].Omega().cross(c_b));
  }
  void offset(const Markers& d, const Vec3& c_a) {
    PairBlock G = PairBlock::Zero();
    add_offset_tangent_to(d, n, c_a, 1, G);
    set_row(G);
  }
  void angle(const Markers& d, const model::TimeFunction&) {
    PairBlock G = PairBlock::Zero();
    add_angle_tangent_to(d, n, -1, G);
    set_row(G);
  }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction&) { offset(d, c_a); }
  void set_row(const PairBlock& G) {
    Z.row(next++) = n[0].v.transpose() * G.template topRows<6>() + n[1].v.transpose() * G.template bottomRows<6>();
  }
};

// Sets explicit time derivatives of driven rows, all others are left as they are (the caller has set them to zero).
template <class Rows>
struct TimeDerivatives {
  const model::Context& c;
  Rows& phi_t;
  Rows& phi_tt;
  int next = 0;

  void coincidence(const Markers&) { next += 3; }
  void dot(const Vec3&, const Vec3&) { ++next; }
  void offset(const Markers&, const Vec3&) { ++next; }
  void angle(const Markers&, const model::TimeFunction& drive) { set(model::driving(drive, c)); }
  void displacement(const Markers&, const Vec3&, const model::TimeFunction& drive) { set(model::driving(drive, c)); }
  void set(const model::Jet& drive) {
    phi_t[next] = drive.first;
    phi_tt[next++] = drive.second;
  }
};

// Visits the functions that drive rows, each with its row.
template <class Visit>
struct Drives {
  const Visit& visit;
  int next = 0;

  void coincidence(const Markers&) { next += 3; }
  void dot(const Vec3&, const Vec3&) { ++next; }
  void offset(const Markers&, const Vec3&) { ++next; }
  void angle(const Markers&, const model::TimeFunction& drive) { visit(drive, next++); }
  void displacement(const Markers&, const Vec3&, const model::TimeFunction& drive) { visit(drive, next++); }
};

// Sets the spatial rows G over a step (mean_rows.hpp).
template <class Gradient>
struct MeanGradients {
  const PairStep& s;
  Gradient& G;
  int next = 0;

  void coincidence(const Markers& d) {
    mean_coincidence(d, s.mean, next, G);
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) { G.row(next++) = mean_dot(s.mean, c_a, c_b); }
  void offset(const Markers& d, const Vec3& c_a) { G.row(next++) = mean_offset(d, s.mean, c_a); }
  void angle(const Markers& d, const model::TimeFunction&) { G.row(next++) = -StepAngle(d, s).coordinate().row; }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction&) { offset(d, c_a); }
};

// Adds the derivative of G^T lambda by the end of the step to K.
template <class Rows>
struct MeanTangents {
  const PairStep& s;
  const Rows& lambda;
  PairBlock& K;
  int next = 0;

  void coincidence(const Markers& d) {
    add_mean_coincidence_tangent_to(d, s.end, lambda.template segment<3>(next), K);
    next += 3;
  }
  void dot(const Vec3& c_a, const Vec3& c_b) { add_mean_dot_tangent_to(s.mean, s.end, c_a, c_b, lambda[next++], K); }
  void offset(const Markers& d, const Vec3& c_a) {
    add_mean_offset_tangent_to(d, s.mean, s.end, c_a, lambda[next++], K);
  }
  void angle(const Markers& d, const model::TimeFunction&) { StepAngle(d, s).add_tangent_to(-lambda[next++], K); }
  void displacement(const Markers& d, const Vec3& c_a, const model::TimeFunction&) { offset(d, c_a); }
};

// Counts the dot rows, for `mirrored`.
struct DotCount {
  int dots = 0;

  void coincidence(const Markers&) {}
  void dot(const Vec3&, const Vec3&) { ++dots; }
  void offset(const Markers&, const Vec3&) {}
  void angle(const Markers&, const model::TimeFunction&) {}
  void displacement(const Markers&, const Vec3&, const model::TimeFunction&) {}
};

}  // namespace rows

// What every joint from a list of rows can do.
inline constexpr model::Capabilities pair_joint =
    model::can::velocity_gradient | model::can::mirror | model::can::outputs | model::can::mean_rows;

// A driven angle counts from its drive's value, which may turn by any angle in a step; before there are signals from
// `previous`. All in rad.
inline double count_driven(double angle, const model::TimeFunction& drive, const model::Context& c, double previous) {
  const bool is_known = drive.signals().empty() || !c.signals.empty();
  return unwrap(angle, is_known ? model::acting(drive, c) : previous);
}

// How fast a coordinate with this gradient changes, 1/s of its unit.
inline double rate_of(const PairGradient& gradient, const PairNodes& n) {
  return gradient.head<6>().dot(n[0].v) + gradient.tail<6>().dot(n[1].v);
}

// What a joint of `m` rows is made of; it remembers `remembered` angles. `Self` adds name, row_names, row_is_length,
// Data (with the markers), list, and where it has any of them:
//   update_history                                    counts its angles
//   write_coordinates(d, n, c, lambda, h, out)  what it gives after force and moment
//   capabilities = pair_joint | model::can::drives | model::can::breakpoints, and breakpoints
//                                                     where rows depend on time
template <class Self, int m, int remembered = 0>
struct PairJoint {
  static constexpr int nodes = 2, rows = m, history = remembered;
  static constexpr model::Capabilities capabilities = pair_joint;
  using Rows = Mat<m>;
  using Gradient = Mat<m, 12>;

  // The functions of the contract, each a walk; d converts to Markers or has them as its base. None allocates.
  template <class Data>
  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi) {
    rows::Values<Rows> values{n, c, phi};
    Self::list(d, values);
  }
  template <class Data>
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
    rows::Gradients<Gradient> gradients{n, B};
    Self::list(d, gradients);
  }
  template <class Data>
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                       PairBlock& K) {
    rows::GeometricTangents<Rows> tangents{n, lambda, K};
    Self::list(d, tangents);
    tangents.finish();
  }
  template <class Data>
  static void velocity_gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& Z) {
    rows::VelocityGradients<Gradient> gradients{n, Z};
    Self::list(d, gradients);
  }
  // Rows over a step of a structure-preserving method.
  template <class Data>
  static void mean_gradient(const Data& d, const PairStep& s, Gradient& G) {
    rows::MeanGradients<Gradient> gradients{s, G};
    Self::list(d, gradients);
  }
  template <class Data>
  static void add_mean_tangent_to(const Data& d, const PairStep& s, const Rows& lambda, PairBlock& K) {
    rows::MeanTangents<Rows> tangents{s, lambda, K};
    Self::list(d, tangents);
  }
  // (`Joint` is `Self`, which is complete only where this is called.)
  template <class Data, class Joint = Self>
  requires(Joint::capabilities.has(model::can::drives)) static void time_derivatives(const Data& d,
                                                                                     const model::Context& c,
                                                                                     Rows& phi_t, Rows& phi_tt) {
    rows::TimeDerivatives<Rows> derivatives{c, phi_t, phi_tt};
    Self::list(d, derivatives);
  }
  template <class Data, class Visit, class Joint = Self>
  requires(Joint::capabilities.has(model::can::drives)) static void each_drive(const Data& d, const Visit& visit) {
    rows::Drives<Visit> drives{visit};
    Self::list(d, drives);
  }
  // Dot rows hold as well where an axis is turned end over end. Two of them keep the third axes of the markers
  // parallel, three keep all axes so; both are equal at the start.
  template <class Data>
  static bool mirrored(const Data& d, const PairNodes& n) requires(std::is_convertible_v<const Data&, const Markers&>) {
    rows::DotCount count;
    Self::list(d, count);
    for (int i = count.dots == 3 ? 0 : 2; i < 3 && count.dots > 1; ++i)
      if (elements::rows::dot(n, d.E_a.col(i), d.E_b.col(i)) < 0) return true;
    return false;
  }
  // Force (N) and moment (N m) on b about the joint's point, inertial; then what the kind adds.
  template <class Data>
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                            const double* h, double* out) {
    Gradient B = Gradient::Zero();
    gradient(d, n, c, B);
    write_reaction(B, lambda, d, n, out);
    if constexpr (requires { Self::write_coordinates(d, n, c, lambda, h, out + 6); })
      Self::write_coordinates(d, n, c, lambda, h, out + 6);
  }
};

}  // namespace polhode::elements
