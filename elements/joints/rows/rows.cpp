// SPDX-License-Identifier: BSD-3-Clause
// Constraint rows of joints from markers: values, gradients and geometric tangents.
#include "elements/joints/rows/rows.hpp"

#include <cmath>
#include <numbers>

namespace polhode::elements {

using math::tilde;

namespace {

// An orthonormal frame with its third column along `axis`.
Mat3 frame_of(const Vec3& axis) {
  if (axis.isZero(0)) return Mat3::Identity();
  const Vec3 n = axis.normalized();
  Eigen::Index smallest;
  n.cwiseAbs().minCoeff(&smallest);
  const Vec3 t1 = (Vec3::Unit(smallest) - n[smallest] * n).normalized();
  Mat3 E;
  E << t1, n.cross(t1), n;
  return E;
}

}  // namespace

Markers make_markers(const model::Builder& builder, int a, int b, const Vec3& at, const Vec3& axis) {
  return make_markers(builder, a, b, at, at, frame_of(axis));
}

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

namespace rows {

Vec3 coincidence(const Markers& d, const PairNodes& n) { return (n[0].x - n[1].x) + (n[0].R * d.s_a - n[1].R * d.s_b); }

void add_coincidence_tangent_to(const Markers& d, const PairNodes& n, const Vec3& lambda, PairBlock& K) {
  K.block<3, 3>(3, 3) += tilde(d.s_a) * tilde(n[0].R.transpose() * lambda);
  K.block<3, 3>(9, 9) -= tilde(d.s_b) * tilde(n[1].R.transpose() * lambda);
}

double dot(const PairNodes& n, const Vec3& c_a, const Vec3& c_b) { return (n[0].R * c_a).dot(n[1].R * c_b); }

PairGradient dot_gradient(const PairNodes& n, const Vec3& c_a, const Vec3& c_b) {
  const Vec3 m = (n[0].R * c_a).cross(n[1].R * c_b);
  PairGradient g = PairGradient::Zero();
  g.segment<3>(3) = m.transpose() * n[0].R;
  g.segment<3>(9) = -m.transpose() * n[1].R;
  return g;
}

void add_dot_tangent_to(const PairNodes& n, const Vec3& c_a, const Vec3& c_b, double lambda, PairBlock& K) {
  const Mat3 W = lambda * tilde(n[0].R * c_a) * tilde(n[1].R * c_b);
  const Mat3 WRa = W * n[0].R;
  const Mat3 WRb = W * n[1].R;
  const Mat3 VRa = W.transpose() * n[0].R;
  const Mat3 VRb = W.transpose() * n[1].R;
  K.block<3, 3>(3, 3) += n[0].R.transpose() * WRa;
  K.block<3, 3>(3, 9) -= n[0].R.transpose() * WRb;
  K.block<3, 3>(9, 3) -= n[1].R.transpose() * VRa;
  K.block<3, 3>(9, 9) += n[1].R.transpose() * VRb;
}

namespace {

// phi = atan2(y, x) with x = t1_a . t1_b, y = t2_a . t1_b.
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

PairGradient angle_gradient(const Markers& d, const PairNodes& n) {
  const Angle p(d, n);
  return dot_gradient(n, (p.x * d.E_a.col(1) - p.y * d.E_a.col(0)) / p.r2, d.E_b.col(0));
}

// D grad phi = (x D grad y - y D grad x)/r2 + (grad y grad x^T - grad x grad y^T)/r2 - 2 grad phi (x grad x + y grad
// y)^T / r2
void add_angle_tangent_to(const Markers& d, const PairNodes& n, double lambda, PairBlock& K) {
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

double unwrap(double angle, double previous) {
  return angle + 2 * std::numbers::pi * std::round((previous - angle) / (2 * std::numbers::pi));
}

std::array<int, 2> connected(const model::Entry& entry, model::Builder& builder) {
  const std::vector<std::string>& names = entry.names("connects");
  return {builder.node(names[0]), builder.node(names[1])};
}

void add_times_to(const model::TimeFunction& function, double t0, double t1, std::vector<double>& out) {
  const auto times = function.breakpoints(t0, t1);
  out.insert(out.end(), times.begin(), times.end());
}

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

bool check_point(const model::Entry& entry, model::Builder& builder, int node, const Vec3& offset) {
  if (!builder.at(node).translation_only || offset.isZero(0)) return true;
  builder.problem(entry, "at",
                  "is off the point `" + builder.at(node).name + "`, which has no rotation; put the joint on it");
  return false;
}

}  // namespace polhode::elements
