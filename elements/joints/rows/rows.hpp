// SPDX-License-Identifier: BSD-3-Clause
// Constraint rows of joints from markers: points and vectors of two bodies a and b. A joint is a list of such rows.
//
// Marker point p = x + R s, marker vector w = R c; Phi is what belongs to a minus what belongs to b.
//   coincidence  Phi = p_a - p_b                       three rows, inertial components
//   dot          Phi = w_a . w_b                       one row
//   angle        Phi = theta - phi                     one row; phi turns b against a about the third axis of a's frame
// Gradients act on [dx_a dTheta_a dx_b dTheta_b], dTheta in the body's frame. For a dot row the moments are R_a^T (w_a
// x w_b) and R_b^T (w_b x w_a), and by Jacobi's identity D(R_a^T (w_a x w_b)) = R_a^T (w_a x ((dtheta_b - dtheta_a) x
// w_b)), dtheta = R dTheta.
// Functions without `add_` overwrite or return. lambda is in N for lengths and in N m for dot and angle rows; -B^T
// lambda are the forces on the nodes, so that lambda of a coincidence is the force on b. Nothing in `rows` allocates.
#pragma once
#include <random>

#include "polhode/model/builder.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/joint_axes.hpp"

namespace polhode::elements {

using math::Mat;
using math::Mat3;
using math::Vec3;
using PairNodes = model::Nodes<2>;
// One row and the tangents of an element of two nodes a, b: columns dx_a, dTheta_a, dx_b, dTheta_b, three each.
using PairGradient = Mat<1, 12>;
using PairBlock = Mat<12, 12>;

// Where a joint sits on its two bodies: point and axes (columns t1, t2, n) in each node's frame.
struct Markers {
  // Points in the nodes' frames, m
  Vec3 s_a;
  Vec3 s_b;
  // Axes in the nodes' frames, orthonormal columns
  Mat3 E_a;
  Mat3 E_b;
};

using model::axes_along;
using model::axes_of_cross;

// Markers of a joint at point `at` with third axis along `axis` (inertial, initial configuration), the axes of both
// bodies equal at the start. A zero axis gives inertial axes.
// a and b are indices of nodes in the builder; `at` in m. The first axis is normal to `axis`, and apart from that
// arbitrary.
Markers make_markers(const model::Builder& builder, int a, int b, const Vec3& at, const Vec3& axis);
// The same at a point of a and a point of b, with the axes given as columns.
Markers make_markers(const model::Builder& builder, int a, int b, const Vec3& point_a, const Vec3& point_b,
                     const Mat3& axes);
// Random points and axes, not equal on both bodies.
Markers sample_markers(std::mt19937& random);
// The columns i, j, k of both frames.
Markers with_axes(const Markers& d, int i, int j, int k);
// Of a cross with the axes (u, v, u x v), from b to a: the angle about the third axis is that of b against a about v.
Markers second_of_cross(const Markers& d);

namespace rows {

// Phi in m, inertial.
Vec3 coincidence(const Markers& d, const PairNodes& n);
// Sets three rows of B from `row` on: [I  -R_a s_a~  -I  R_b s_b~].
template <class Gradient>
void coincidence_gradient(const Markers& d, const PairNodes& n, int row, Gradient& B) {
  B.template block<3, 3>(row, 0).setIdentity();
  B.template block<3, 3>(row, 3) = -math::cross_right(n[0].R, d.s_a);
  B.template block<3, 3>(row, 6) = -Mat3::Identity();
  B.template block<3, 3>(row, 9) = math::cross_right(n[1].R, d.s_b);
}
// K += D_q (B^T lambda): only moments change, s x R^T lambda as R turns.
void add_coincidence_tangent_to(const Markers& d, const PairNodes& n, const Vec3& lambda, PairBlock& K);

// w_a . w_b without unit for unit vectors c_a, c_b in the frames of a and b; its gradient; lambda D_q (gradient^T)
// added.
double dot(const PairNodes& n, const Vec3& c_a, const Vec3& c_b);
PairGradient dot_gradient(const PairNodes& n, const Vec3& c_a, const Vec3& c_b);
void add_dot_tangent_to(const PairNodes& n, const Vec3& c_a, const Vec3& c_b, double lambda, PairBlock& K);
// The same of several dot rows at once: Y is the sum of lambda c_b c_a^T.
void add_dots_tangent_to(const PairNodes& n, const Mat3& Y, PairBlock& K);

// The angle of b against a about the joint's third axis, in (-pi, pi].
// With x = t1_a . t1_b and y = t2_a . t1_b: phi = atan2(y, x), grad phi = (x grad y - y grad x)/(x^2 + y^2). It needs
// no common axis of both frames, but is not defined where t1_b stands along n_a.
double angle(const Markers& d, const PairNodes& n);
PairGradient angle_gradient(const Markers& d, const PairNodes& n);
void add_angle_tangent_to(const Markers& d, const PairNodes& n, double lambda, PairBlock& K);

}  // namespace rows

// `angle` continued from `previous` without a jump: the value nearest to it that differs by whole turns.
// All in rad.
double unwrap(double angle, double previous);

// Reaction on b of rows with gradient `B`: force, and moment about the joint's point on b, both inertial (6 numbers).
// B has the rows of the joint, lambda as many multipliers.
template <class Gradient, class Multipliers>
void write_reaction(const Gradient& B, const Multipliers& lambda, const Markers& d, const PairNodes& n, double* out) {
  const Mat<12> w = B.transpose() * lambda;
  Eigen::Map<Vec3> force(out);
  Eigen::Map<Vec3> moment(out + 3);
  force = -w.template segment<3>(6);
  moment = -n[1].R * w.template segment<3>(9) - (n[1].R * d.s_b).cross(force);
}

// The row of a component of such a reaction (0 to 2 of the force, 3 to 5 of the moment) of what w is multiplied with: of
// columns dw by anything that leaves the nodes in place.
template <class Columns>
Mat<1, Columns::ColsAtCompileTime> reaction_row(int component, const Columns& dw, const Markers& d,
                                                const PairNodes& n) {
  if (component < 3) return -dw.row(6 + component);
  const Mat<1, 3> axis = n[1].R.row(component - 3);
  const Mat<1, 3> across = math::tilde(Vec3(n[1].R * d.s_b)).row(component - 3);
  return across * dw.template middleRows<3>(6) - axis * dw.template bottomRows<3>();
}
// What the turn dTheta of b adds to a moment: w stays, its frame and its lever turn.
inline Mat<1, 3> reaction_by_turn(int component, const Mat<12>& w, const Markers& d, const PairNodes& n) {
  if (component < 3) return Mat<1, 3>::Zero();
  const Mat3& R = n[1].R;
  const Vec3 force = -w.segment<3>(6);
  return R.row(component - 3) * math::tilde(Vec3(w.segment<3>(9))) -
         math::tilde(force).row(component - 3) * R * math::tilde(d.s_b);
}

// The two nodes of an entry with `connects`.
// Both are indices in the builder; the names exist, since the reader has checked them.
std::array<int, 2> connected(const model::Entry& entry, model::Builder& builder);

// Both nodes as the deck starts them, without accelerations.
class StartingPair {
 public:
  StartingPair(const model::Builder& builder, const std::array<int, 2>& at);
  // Good as long as the pair.
  PairNodes nodes() const;

 private:
  std::array<Vec3, 2> x_;
  std::array<math::so3::Quaternion, 2> quat_;
  std::array<Mat3, 2> R_;
  std::array<math::Vec6, 2> v_;
  math::Vec6 none_ = math::Vec6::Zero();
};

// Two nodes of a state; good as long as the state. Inlined, what is not asked for is not looked up.
[[gnu::always_inline]] inline PairNodes pair_of(const model::State& q, const std::array<int, 2>& at) {
  const auto node = [&q](int i) {
    const auto k = static_cast<std::size_t>(i);
    return model::Node{q.x[k], q.quat[k], q.R[k], q.v[k], q.vdot[k]};
  };
  return {node(at[0]), node(at[1])};
}

// Adds the times of kinks and jumps of a function of time between t0 and t1, in s.
// Appends; allocates.
void add_times_to(const model::TimeFunction& function, double t0, double t1, std::vector<double>& out);

// Reports a point without rotation at one end of a joint whose rows need one; true if there is none.
// Each node without rotation is a problem of the entry.
bool check_rotations(const model::Entry& entry, model::Builder& builder, int a, int b);

// The outputs that every joint starts with.
// Both inertial, three components.
inline constexpr model::Output force_output{"force", "N", "inertial", "reaction on the second node, at the joint", 3};
inline constexpr model::Output moment_output{"moment", "N m", "inertial",
                                             "reaction on the second node, about the joint's point", 3};

// The inputs that joints share.
inline constexpr model::Field connects_field{.name = "connects",
                                             .type = model::FieldType::node_pair,
                                             .unit = "",
                                             .doc = "the two nodes a, b (or ground); reactions act on b",
                                             .required = true};
inline constexpr model::Field at_field{.name = "at",
                                       .type = model::FieldType::vector3,
                                       .unit = "m",
                                       .doc = "the joint's point, inertial, in the initial configuration",
                                       .required = true,
                                       .frame = model::Frame::point};
inline constexpr model::Field axis_field{.name = "axis",
                                         .type = model::FieldType::direction,
                                         .unit = "",
                                         .doc = "the joint's axis, inertial, in the initial configuration",
                                         .required = true,
                                         .frame = model::Frame::direction};
// `axis` of joints with a plane of a.
inline constexpr model::Field normal_field{.name = "axis",
                                           .type = model::FieldType::direction,
                                           .unit = "",
                                           .doc = "the plane's normal, inertial, in the initial configuration",
                                           .required = true,
                                           .frame = model::Frame::direction};

}  // namespace polhode::elements
