// SPDX-License-Identifier: BSD-3-Clause
// Equations of coordinates that are driven, and the markers of each.
#include "elements/joints/rows/driven_coordinate.hpp"

namespace polhode::elements {

namespace {

// R_a^T R_b between the axes of both, in those on a.
Mat3 turn_of(const Markers& d, const PairNodes& n) { return (n[0].R * d.E_a).transpose() * (n[1].R * d.E_b); }

template <DrivenBy by>
void add(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at, const Markers& markers) {
  using Kind = DrivenCoordinate<by>;
  if (entry.has(Kind::key)) builder.add<Kind>(entry, at, {markers, entry.function(Kind::key)});
}

}  // namespace

void DrivenRotation::constraint(const Data& d, const PairNodes& n, const model::Context& c, Mat<3>& phi) {
  phi = -math::so3::log(Mat3(turn_of(d, n) * math::so3::exp(Vec3(-c.load_factor * d.rotation))));
}

void DrivenRotation::gradient(const Data& d, const PairNodes& n, const model::Context&, Mat<3, 12>& B) {
  B.setZero();
  B.block<3, 3>(0, 3) = d.E_a.transpose();
  B.block<3, 3>(0, 9) = -(n[0].R * d.E_a).transpose() * n[1].R;
}

// The moment on b, -R_b^T R_a g with g = E_a lambda, changes as either turns; that on a is constant there.
void DrivenRotation::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&,
                                              const Mat<3>& lambda, PairBlock& K) {
  const Vec3 g = d.E_a * lambda;
  const Mat3 across = n[1].R.transpose() * n[0].R;
  K.block<3, 3>(9, 9) -= math::tilde(Vec3(across * g));
  K.block<3, 3>(9, 3) += across * math::tilde(g);
}

void DrivenRotation::time_derivatives(const Data& d, const model::Context&, Mat<3>& phi_t, Mat<3>& phi_tt) {
  phi_t = d.angular_velocity;
  phi_tt.setZero();
}

DrivenRotation::Data DrivenRotation::sample(std::mt19937& random) {
  return {sample_markers(random), Vec3(0.3, 0.2, 0.1), Vec3(1, 2, 3)};
}

// Angles turn about the third of the markers' axes, from the first.
void add_driven_coordinates(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                            const Markers& markers) {
  add<DrivenBy::rotation>(entry, builder, at, markers);
  add<DrivenBy::translation>(entry, builder, at, markers);
  add<DrivenBy::translation_1>(entry, builder, at, with_axes(markers, 1, 2, 0));
  add<DrivenBy::translation_2>(entry, builder, at, with_axes(markers, 2, 0, 1));
  add<DrivenBy::rotation_1>(entry, builder, at, with_axes(markers, 1, 2, 0));
  add<DrivenBy::rotation_2>(entry, builder, {at[1], at[0]}, second_of_cross(markers));
  const Vec3 none = Vec3::Zero();
  if (entry.has("rotation_vector") || entry.has("angular_velocity"))
    builder.add<DrivenRotation>(
        entry, at, {markers, entry.vector3("rotation_vector", none), entry.vector3("angular_velocity", none)});
}

}  // namespace polhode::elements
