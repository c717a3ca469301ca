// SPDX-License-Identifier: BSD-3-Clause
// The distance: row, gradient, tangent, inputs and building.
#include "elements/joints/distance/distance.hpp"

#include "elements/joints/rows/add_joint.hpp"
#include "elements/joints/rows/mean_rows.hpp"

namespace polhode::elements {

using math::tilde;

// Half of the square's error by L instead of |d| - L: the row is quadratic,
// so its mean gradient is exact over a step, and it stays smooth where an iteration brings the points
// together. Near the solution both agree to first order.
void Distance::constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi) {
  phi[0] = (rows::coincidence(d, n).squaredNorm() - d.length * d.length) / (2 * d.length);
}

// dPhi = d . dd/L with dd = dx_a + dtheta_a x r_a - dx_b - dtheta_b x r_b;
// moments in the frames of the bodies.
void Distance::gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
  const Vec3 e = rows::coincidence(d, n) / d.length;
  B.segment<3>(0) = e.transpose();
  B.segment<3>(3) = d.s_a.cross(n[0].R.transpose() * e).transpose();
  B.segment<3>(6) = -e.transpose();
  B.segment<3>(9) = -d.s_b.cross(n[1].R.transpose() * e).transpose();
}

// D(B^T lambda) = lambda/L (J^T J + curvature): d = J q with J = (I, -R_a s_a~, -I, R_b s_b~), and the curvature is
// that of coincidence rows with the multipliers lambda d/L.
void Distance::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                        PairBlock& K) {
  Mat<3, 12> J = Mat<3, 12>::Zero();
  rows::coincidence_gradient(d, n, 0, J);
  K.noalias() += lambda[0] / d.length * J.transpose() * J;
  rows::add_coincidence_tangent_to(d, n, lambda[0] / d.length * rows::coincidence(d, n), K);
}

// The wrench of the row is that of a force -d/L on b.
void Distance::mean_gradient(const Data& d, const Step& s, Gradient& G) {
  G = rows::wrench_between(d.s_a, d.s_b, s.mean, -rows::coincidence(d, s.mean) / d.length).transpose();
}

// The force on b is -lambda dbar/L, dbar = p_a - p_b at the mean: by p_b - p_a at the end it varies with
// lambda/(2 L).
void Distance::add_mean_tangent_to(const Data& d, const Step& s, const Rows& lambda, PairBlock& K) {
  const double f = lambda[0] / d.length;
  rows::add_wrench_tangent_to(d.s_a, d.s_b, s.mean, s.end, -f * rows::coincidence(d, s.mean),
                              0.5 * f * Mat3::Identity(), true, K);
}

void Distance::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                             const double*, double* out) {
  Gradient B;
  gradient(d, n, c, B);
  write_reaction(B, lambda, d, n, out);
}

Distance::Data Distance::sample(std::mt19937& random) {
  const Markers markers = sample_markers(random);
  return {markers, std::uniform_real_distribution<double>(0.5, 1.5)(random)};
}

namespace {

constexpr std::array fields{
    connects_field, model::Field{.name = "at",
                                 .type = model::FieldType::point_pair,
                                 .unit = "m",
                                 .doc = "the point on a and the point on b, inertial, in the initial configuration",
                                 .required = true,
                                 .frame = model::Frame::point}};
constexpr std::array outputs{force_output, moment_output};

// Points closer than round-off of their coordinates have no distance. The length is that of the deck:
// a distance joint is built without stress.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const math::MatrixX& at = entry.matrix("at");
  const Vec3 point_a = at.col(0);
  const Vec3 point_b = at.col(1);
  const Markers markers = make_markers(builder, a, b, point_a, point_b, Mat3::Identity());
  if (!builder.check_lever(entry, a, markers.s_a, "the joint") ||
      !builder.check_lever(entry, b, markers.s_b, "the joint"))
    return;
  const double length = (point_a - point_b).norm();
  if (length <= 1e-12 * (point_a.norm() + point_b.norm())) {
    builder.problem(entry, "at",
                    "both points are the same, and a distance of zero has no direction; give two points apart, or use "
                    "a spherical joint");
    return;
  }
  add_joint<Distance>(entry, builder, {a, b}, {markers, length});
}

}  // namespace

const model::KindInfo distance_info{
    "distance", model::Family::joint,    "a point of a and a point of b stay at their distance", fields, outputs,
    build,      model::samples<Distance>};

}  // namespace polhode::elements
