// SPDX-License-Identifier: BSD-3-Clause
// Constraint rows of joints from markers: values, gradients and geometric tangents.
#include "elements/joints/rows/rows.hpp"

#include <cmath>
#include <numbers>

namespace polhode::elements {

// One point and one frame for both nodes: at the start coincidence, dot and offset rows hold exactly,
// and all angles are zero.
Markers make_markers(const model::Builder& builder, int a, int b, const Vec3& at, const Vec3& axis) {
  return make_markers(builder, a, b, at, at, axes_along(axis));
}

// s = R^T (p - x), E = R^T axes with the orientations of the deck, so that points and axes become constants
// of both bodies.
Markers make_markers(const model::Builder& builder, int a, int b, const Vec3& point_a, const Vec3& point_b,
                     const Mat3& axes) {
  const auto offset = [&](int node, const Vec3& point) -> Vec3 {
    return builder.at(node).orientation.conjugate() * (point - builder.at(node).position);
  };
  const auto turned = [&](int node) -> Mat3 {
    return builder.at(node).orientation.toRotationMatrix().transpose() * axes;
  };
  return {offset(a, point_a), offset(b, point_b), turned(a), turned(b)};
}

Markers sample_markers(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  return {vector(), vector(), math::so3::exp(vector()), math::so3::exp(vector())};
}

Markers with_axes(const Markers& d, int i, int j, int k) {
  const auto frame = [&](const Mat3& E) {
    Mat3 turned;
    turned << E.col(i), E.col(j), E.col(k);
    return turned;
  };
  return {d.s_a, d.s_b, frame(d.E_a), frame(d.E_b)};
}

// It is the angle of u_a against u_b about -v.
Markers second_of_cross(const Markers& d) {
  Markers about_v = with_axes(d, 0, 2, 1);
  about_v.E_a.col(2) *= -1;
  about_v.E_b.col(2) *= -1;
  return {about_v.s_b, about_v.s_a, about_v.E_b, about_v.E_a};
}

namespace rows {
namespace {

// K += factor a~ b~, with a~ b~ = b a^T - (a . b) I.
template <class Block>
void add_two_crosses_to(const Vec3& a, const Vec3& b, double factor, Block&& K) {
  K += factor * b * a.transpose();
  K.diagonal().array() -= factor * a.dot(b);
}

// The vectors of a dot row, each seen from the other body.
struct DotVectors {
  Vec3 b_on_a;
  Vec3 a_on_b;
  DotVectors(const PairNodes& n, const Vec3& c_a, const Vec3& c_b)
      : b_on_a(n[0].R.transpose() * (n[1].R * c_b)), a_on_b(n[1].R.transpose() * (n[0].R * c_a)) {}
};

}  // namespace

// Positions are subtracted before the levers are added: round-off is that of the distance of the nodes,
// not of their distance from the origin.
Vec3 coincidence(const Markers& d, const PairNodes& n) { return (n[0].x - n[1].x) + (n[0].R * d.s_a - n[1].R * d.s_b); }

// Of B^T lambda only the moments vary: that on a is s_a x R_a^T lambda, and d(R_a^T lambda)
// = (R_a^T lambda)~ dTheta_a. The moment on b has the other sign.
void add_coincidence_tangent_to(const Markers& d, const PairNodes& n, const Vec3& lambda, PairBlock& K) {
  add_two_crosses_to(d.s_a, n[0].R.transpose() * lambda, 1, K.block<3, 3>(3, 3));
  add_two_crosses_to(d.s_b, n[1].R.transpose() * lambda, -1, K.block<3, 3>(9, 9));
}

double dot(const PairNodes& n, const Vec3& c_a, const Vec3& c_b) { return (n[0].R * c_a).dot(n[1].R * c_b); }

// d(w_a . w_b) = (dtheta_a x w_a) . w_b + w_a . (dtheta_b x w_b) = (dtheta_a - dtheta_b) . (w_a x w_b),
// with dtheta = R dTheta; R_a^T (w_a x w_b) = c_a x R_a^T w_b.
PairGradient dot_gradient(const PairNodes& n, const Vec3& c_a, const Vec3& c_b) {
  const DotVectors v(n, c_a, c_b);
  PairGradient g = PairGradient::Zero();
  g.segment<3>(3) = c_a.cross(v.b_on_a);
  g.segment<3>(9) = c_b.cross(v.a_on_b);
  return g;
}

// With W = lambda w_a~ w_b~ the moments lambda (w_a x w_b) on a and its opposite on b vary,
// seen from their own bodies, by R_a^T W (dtheta_a - dtheta_b) and R_b^T W^T (dtheta_b - dtheta_a)
// (Jacobi's identity, rows.hpp). As w_a~ w_b~ = w_b w_a^T - (w_a . w_b) I, sums over dot rows lead to one matrix
// Y = sum lambda c_b c_a^T: with U = R_a^T R_b and s = tr(U Y)
//   R_a^T W R_a = U Y - s I,   R_a^T W R_b = (U Y - s I) U,   R_b^T W^T R_b = (Y U)^T - s I.
void add_dot_tangent_to(const PairNodes& n, const Vec3& c_a, const Vec3& c_b, double lambda, PairBlock& K) {
  // Tangents of single rows are asked for with all other multipliers zero.
  if (lambda == 0) return;
  add_dots_tangent_to(n, lambda * c_b * c_a.transpose(), K);
}

void add_dots_tangent_to(const PairNodes& n, const Mat3& Y, PairBlock& K) {
  const Mat3 U = n[0].R.transpose().lazyProduct(n[1].R);
  Mat3 A = U.lazyProduct(Y);
  const double s = A.trace();
  A.diagonal().array() -= s;
  const Mat3 across = A.lazyProduct(U);
  K.block<3, 3>(3, 3) += A;
  K.block<3, 3>(3, 9) -= across;
  K.block<3, 3>(9, 3) -= across.transpose();
  K.block<3, 3>(9, 9) += Y.lazyProduct(U).transpose();
  K.diagonal().segment<3>(9).array() -= s;
}

namespace {

// phi = atan2(y, x) with x = t1_a . t1_b, y = t2_a . t1_b.
// The angle as components of t1_b along the axes t1 and t2 of a.
// r2 = x^2 + y^2 is 1 where the third axes are parallel. It is kept, since Newton's iteration leaves those
// rows, and gradient and tangent are exact there, too.
struct Angle {
  double x;
  double y;
  double r2;
  Angle(const Markers& d, const PairNodes& n)
      : x(dot(n, d.E_a.col(0), d.E_b.col(0))), y(dot(n, d.E_a.col(1), d.E_b.col(0))), r2(x * x + y * y) {}
};

}  // namespace

double angle(const Markers& d, const PairNodes& n) {
  const Angle p(d, n);
  return std::atan2(p.y, p.x);
}

// grad phi = (x grad y - y grad x)/r2, and a dot row is linear in c_a: one row with c_a = (x t2 - y t1)/r2
// and t1_b serves. Where t1_b is along the third axis of a, r2 = 0, no angle is defined.
PairGradient angle_gradient(const Markers& d, const PairNodes& n) {
  const Angle p(d, n);
  return dot_gradient(n, (p.x * d.E_a.col(1) - p.y * d.E_a.col(0)) / p.r2, d.E_b.col(0));
}

// D grad phi = (x D grad y - y D grad x)/r2 + (grad y grad x^T - grad x grad y^T)/r2 - 2 grad phi (x grad x + y grad
// y)^T / r2
void add_angle_tangent_to(const Markers& d, const PairNodes& n, double lambda, PairBlock& K) {
  if (lambda == 0) return;
  const Angle p(d, n);
  const double s = lambda / p.r2;
  add_dot_tangent_to(n, p.x * d.E_a.col(1) - p.y * d.E_a.col(0), d.E_b.col(0), s, K);
  const PairGradient gx = dot_gradient(n, d.E_a.col(0), d.E_b.col(0));
  const PairGradient gy = dot_gradient(n, d.E_a.col(1), d.E_b.col(0));
  const PairGradient g = (p.x * gy - p.y * gx) / p.r2;
  K.noalias() += s * (gy.transpose() * gx - gx.transpose() * gy);
  K.noalias() -= 2 * s * g.transpose() * (p.x * gx + p.y * gy);
}

}  // namespace rows

// Whole turns are counted in the value itself, so no number of turns has to be remembered beside the angle.
double unwrap(double angle, double previous) {
  if (std::abs(previous - angle) < std::numbers::pi) return angle;
  return angle + 2 * std::numbers::pi * std::round((previous - angle) / (2 * std::numbers::pi));
}

std::array<int, 2> connected(const model::Entry& entry, model::Builder& builder) {
  const std::vector<std::string>& names = entry.names("connects");
  return {builder.node(names[0]), builder.node(names[1])};
}

StartingPair::StartingPair(const model::Builder& builder, const std::array<int, 2>& at) {
  for (std::size_t i = 0; i < 2; ++i) {
    const model::NodeData& node = builder.at(at[i]);
    x_[i] = node.position;
    quat_[i] = node.orientation;
    R_[i] = node.orientation.toRotationMatrix();
    v_[i] << node.velocity, node.angular_velocity;
  }
}

PairNodes StartingPair::nodes() const {
  return {model::Node{x_[0], quat_[0], R_[0], v_[0], none_}, model::Node{x_[1], quat_[1], R_[1], v_[1], none_}};
}

void add_times_to(const model::TimeFunction& function, double t0, double t1, std::vector<double>& out) {
  const auto times = function.breakpoints(t0, t1);
  out.insert(out.end(), times.begin(), times.end());
}

// Both nodes are looked at, so that each is reported; the ground has a rotation.
bool check_rotations(const model::Entry& entry, model::Builder& builder, int a, int b) {
  bool fine = true;
  for (const int node : {a, b})
    if (builder.at(node).translation_only) {
      builder.problem(entry, "connects",
                      "`" + builder.at(node).name + "` is a point without rotation, and this " +
                          (entry.family == model::Family::joint ? "joint" : "force") +
                          " needs one; take `dofs: translation` from the node");
      fine = false;
    }
  return fine;
}

}  // namespace polhode::elements
