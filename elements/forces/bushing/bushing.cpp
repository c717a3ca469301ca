// SPDX-License-Identifier: BSD-3-Clause
// The bushing: forces, tangents, energy, outputs and building.
#include "elements/forces/bushing/bushing.hpp"

#include <fmt/format.h>

#include <numbers>

#include "elements/forces/bushing/relative_pose.hpp"
#include "elements/forces/measured/output_sensor.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::elements {

using math::Mat6;
using math::Vec6;
using model::Field;
using model::FieldType;

namespace {

// History holds the relative rotation vector of the last accepted state, from which it is continued beyond
// half a turn.
RelativePose pose_of(const Bushing::Data& d, const PairNodes& n, const double* h) {
  return {d, n, Eigen::Map<const Vec3>(h)};
}

Mat<12> velocities(const PairNodes& n) {
  Mat<12> v;
  v << n[0].v, n[1].v;
  return v;
}

}  // namespace

// Virtual power: s . delta e = s . B delta q, so r = B^T s. Stiffness and damping are in the frame half-way
// between both bodies, which favors neither of them.
void Bushing::add_forces_to(const Data& d, const PairNodes& n, const model::Context& c, Mat<12>& r) {
  const RelativePose pose = pose_of(d, n, c.history);
  const Mat<6, 12> B = pose.gradient();
  const Vec6 s = d.stiffness * pose.e() + d.damping * (B * velocities(n));
  r.noalias() += B.transpose() * s;
}

// Row i of Z = D_q (B v) is v^T D_q(B^T e_i), as B^T s with unit vectors for s has that derivative.
// Undamped bushings need none of the six.
void Bushing::add_force_tangents_to(const Data& d, const PairNodes& n, const model::Context& c,
                                    model::Tangents<Bushing>& t) {
  const RelativePose pose = pose_of(d, n, c.history);
  const Mat<6, 12> B = pose.gradient();
  const Mat<12> v = velocities(n);
  const Vec6 s = d.stiffness * pose.e() + d.damping * (B * v);
  Mat<6, 12> by_position;
  by_position.noalias() = d.stiffness * B;
  if (!d.damping.isZero(0)) {
    Mat<6, 12> Z;
    for (int i = 0; i < 6; ++i) Z.row(i).noalias() = v.transpose() * pose.gradient_tangent(Vec6::Unit(i));
    by_position.noalias() += d.damping * Z;
    t.C.noalias() += B.transpose() * (d.damping * B);
  }
  t.K.noalias() += B.transpose() * by_position;
  t.K += pose.gradient_tangent(s);
}

model::Energies Bushing::energies(const Data& d, const PairNodes& n, const model::Context& c) {
  const Vec6 e = pose_of(d, n, c.history).e();
  return {0, 0.5 * e.dot(d.stiffness * e), 0};
}

double Bushing::power(const Data& d, const PairNodes& n, const model::Context& c) {
  const Vec6 rate = pose_of(d, n, c.history).gradient() * velocities(n);
  return -rate.dot(d.damping * rate);
}

// Of motions below half a turn in a step no change is as large, unless the vector begins anew.
bool Bushing::passes_bound(const Data& d, const PairNodes&, const PairNodes& now, const double* h) {
  const Vec3 change = pose_of(d, now, h).psi() - Eigen::Map<const Vec3>(h);
  if (change.squaredNorm() < std::numbers::pi * std::numbers::pi) return false;
  constexpr double none = 1e-12;  // of the stiffness
  const Mat<6, 3> stiffness = d.stiffness.rightCols<3>();
  return (stiffness * change).norm() > none * stiffness.norm() * change.norm();
}

// Through a copy: the pose reads the old numbers while the new ones are made.
void Bushing::update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
  const Vec3 psi = pose_of(d, n, h).psi();
  Eigen::Map<Vec3>{h} = psi;
}

// The residual holds what the element takes from the model; what acts on b is its opposite,
// moved from the node to the bushing's point.
void Bushing::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const model::Rows<Bushing>&,
                            const double*, double* out) {
  const RelativePose pose = pose_of(d, n, c.history);
  Mat<12> r = Mat<12>::Zero();
  add_forces_to(d, n, c, r);
  Eigen::Map<Vec3> force(out);
  Eigen::Map<Vec3> moment(out + 3);
  force = -r.segment<3>(6);
  moment = -n[1].R * r.segment<3>(9) - (n[1].R * d.s_b).cross(force);
  Eigen::Map<Vec6>{out + 6} = pose.e();
}

// Forces and moments as reactions of joints, with r in the place of B^T lambda.
void Bushing::set_output_gradient(const Data& d, const PairNodes& n, const model::Context& c, int number,
                                  Mat<12>& by_position, Mat<12>& by_velocity) {
  if (number >= 6) {
    by_position = pose_of(d, n, c.history).gradient().row(number - 6).transpose();
    return;
  }
  Mat<12> r = Mat<12>::Zero();
  add_forces_to(d, n, c, r);
  model::Tangents<Bushing> t{PairBlock::Zero(), PairBlock::Zero(), PairBlock::Zero()};
  add_force_tangents_to(d, n, c, t);
  by_position = reaction_row(number, t.K, d, n).transpose();
  by_position.tail<3>() += reaction_by_turn(number, r, d, n).transpose();
  by_velocity = reaction_row(number, t.C, d, n).transpose();
}

Bushing::Data Bushing::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Data d{sample_markers(random), Mat6::NullaryExpr([&] { return number(random); }), Mat6::Zero()};
  d.E_b = d.E_a;  // so that the frames differ as much as the nodes do
  d.stiffness = (d.stiffness * d.stiffness.transpose()).eval();
  for (double& value : d.damping.diagonal()) value = 1 + number(random);
  return d;
}

namespace {

constexpr std::array fields{
    Field{.name = "connects",
          .type = FieldType::node_pair,
          .unit = "",
          .doc = "the two nodes a, b (or ground)",
          .required = true},
    Field{.name = "at",
          .type = FieldType::vector3,
          .unit = "m",
          .doc = "the bushing's point, inertial, in the initial configuration",
          .required = true,
          .frame = model::Frame::point},
    Field{.name = "axes",
          .type = FieldType::axes,
          .unit = "",
          .doc = "the bushing's x axis, and a direction towards its y axis, inertial, in the initial configuration; "
                 "default: the inertial ones",
          .default_text = "[[1, 0, 0], [0, 1, 0]]",
          .frame = model::Frame::direction},
    Field{.name = "stiffness",
          .type = FieldType::diagonal6,
          .unit = "N/m, N m/rad",
          .doc = "in the order x y z rx ry rz of the bushing's axes",
          .required = true,
          .min = 0},
    Field{.name = "damping",
          .type = FieldType::diagonal6,
          .unit = "N s/m, N m s/rad",
          .doc = "in the same order",
          .min = 0,
          .default_text = "0"},
};
constexpr std::array outputs{
    model::Output{"force", "N", "inertial", "on the second node, at the bushing's point on it", 3},
    model::Output{"moment", "N m", "inertial", "on the second node, about the bushing's point on it", 3},
    model::Output{"deformation", "m, m, m, rad, rad, rad", "",
                  "displacement of b relative to a in the frame half-way between both, and rotation vector", 6},
};

// A matrix that takes no energy out of nothing has no eigenvalue below zero.
// Scaled to a unit diagonal, so that N/m beside N m/rad do not set the size of round-off.
void check_semidefinite(const model::Entry& entry, model::Builder& builder, std::string_view key, const Mat6& m) {
  const double smallest = math::least_scaled_eigenvalue(m);
  if (smallest >= -1e-12) return;
  builder.problem(
      entry, key,
      fmt::format("must have no negative eigenvalue, but scaled to a unit diagonal it has {:.3g}", smallest));
}

// Both frames are equal at the start, turned to the axes of the deck: deformations count from there.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  Bushing::Data d{make_markers(builder, a, b, entry.vector3("at"), Vec3::Zero()), entry.matrix("stiffness"),
                  Mat6::Zero()};
  if (entry.has("damping")) d.damping = entry.matrix("damping");
  if (entry.has("axes")) {
    const math::MatrixX& axes = entry.matrix("axes");
    const Vec3 x = axes.col(0).normalized();
    const Vec3 towards = axes.col(1).normalized();
    const Vec3 normal = towards - x.dot(towards) * x;
    if (normal.norm() < 1e-9) return builder.problem(entry, "axes", "are parallel; give two that are not");
    Mat3 E;
    E << x, normal.normalized(), x.cross(normal.normalized());
    d.E_a = d.E_a * E;
    d.E_b = d.E_b * E;
  }
  check_semidefinite(entry, builder, "stiffness", d.stiffness);
  check_semidefinite(entry, builder, "damping", d.damping);
  add_measured_force<Bushing>(entry, builder, {a, b}, d);
}

}  // namespace

const model::KindInfo bushing_info{
    "bushing", model::Family::force,   "stiffness and damping of all relative motions at a point", fields, outputs,
    build,     model::samples<Bushing>};

}  // namespace polhode::elements
