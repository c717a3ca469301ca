// SPDX-License-Identifier: BSD-3-Clause
// The spherical joint: inputs, outputs and building.
#include "elements/joints/spherical/spherical.hpp"

#include <fmt/format.h>

#include <numbers>

#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/held_rotation.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field, initial_ball_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{
        "coordinates", "rad", "",
        "rotation vector of b against a, half a turn at most, in the axes that a has in common with the inertial "
        "frame in the deck's configuration; zero where a node has no rotation",
        3},
    model::Output{"rates", "rad/s", "", "derivative of the rotation vector", 3}};

// A component of the rotation vector psi of b against a, or of its rate psi' = T^-1(psi) w. With C = R_b^T R_a and E_b
// the axes on b, both of the joint's outputs:
//   w = E_b^T (Omega_b - C Omega_a),   D psi = T^-1 E_b^T (dTheta_b - C dTheta_a)
//   D w = E_b^T (C Omega_a~ dTheta_a - (C Omega_a)~ dTheta_b),   D psi' = D_psi(T^-1 w) D psi + T^-1 D w
// It jumps where b passes half a turn.
class RotationVectorSensor final : public model::Sensor {
 public:
  RotationVectorSensor(const Markers& markers, const std::array<int, 2>& nodes, int component, bool rate)
      : d_(markers), nodes_(nodes), component_(component), rate_(rate) {}

  std::span<const int> nodes() const override { return nodes_; }
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const PairNodes n = pair_of(q, nodes_);
    const Vec3 psi = math::so3::log(Mat3((n[0].R * d_.E_a).transpose() * (n[1].R * d_.E_b)));
    const Mat3 C = n[1].R.transpose() * n[0].R;
    const Vec3 seen = C * n[0].v.tail<3>();
    const Vec3 w = d_.E_b.transpose() * (n[1].v.tail<3>() - seen);
    const Mat3 inverse = math::so3::tangent_inverse(psi);
    m.value = rate_ ? inverse.row(component_).dot(w) : psi[component_];
    if (!derivatives) return;
    const Mat<1, 3> by_b = inverse.row(component_) * d_.E_b.transpose();
    std::vector<math::Vec6>& gradient = rate_ ? m.by_velocity : m.by_position;
    gradient[0].tail<3>() = -(by_b * C).transpose();
    gradient[1].tail<3>() = by_b.transpose();
    if (!rate_) return;
    const Mat<1, 3> by_psi = of_rate_by_psi(psi, w) * inverse * d_.E_b.transpose();
    m.by_position[0].tail<3>() = (by_b * C * math::tilde(Vec3(n[0].v.tail<3>())) - by_psi * C).transpose();
    m.by_position[1].tail<3>() = (by_psi - by_b * math::tilde(seen)).transpose();
  }

 private:
  // The component's row of D_psi(T^-1 w), T^-1 w = w + psi x w/2 + eta (psi (psi . w) - s w).
  Mat<1, 3> of_rate_by_psi(const Vec3& psi, const Vec3& w) const {
    const double s = psi.squaredNorm();
    const auto [eta, eta1] = math::so3::inverse_coefficients(s);
    const double along = psi.dot(w);
    const Mat3 G = -0.5 * math::tilde(w) + eta * (psi * w.transpose() - 2 * w * psi.transpose()) +
                   eta * along * Mat3::Identity() + 2 * eta1 * (along * psi - s * w) * psi.transpose();
    return G.row(component_);
  }

  Markers d_;
  std::array<int, 2> nodes_;
  int component_;
  bool rate_;
};

// Its components are three coordinates; what holds the first holds the rotation.
void add_rotation_vector(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                         const Markers& markers) {
  if (!builder.needs_sensors()) return;
  for (int i = 0; i < 3; ++i)
    builder.add_coordinate(
        entry, i, [=](bool rate) { return std::make_unique<RotationVectorSensor>(markers, at, i, rate); },
        i == 0 ? hold_by<HeldRotation>(builder, at, markers) : model::Builder::Hold{});
}

// Beyond half a turn another rotation vector is that of the same rotation, and it is what results show.
void check_turn(const model::Entry& entry, model::Builder& builder, bool turns) {
  constexpr std::string_view of_value = "initial.rotation_vector";
  constexpr std::string_view of_rate = "initial.angular_velocity";
  for (const std::string_view key : {of_value, of_rate})
    if (entry.has(key) && !turns)
      builder.problem(
          entry, key,
          "is of a joint that connects a point without rotation; take `dofs: translation` from the node, or "
          "remove this");
  if (!entry.has(of_value)) return;
  const Vec3 given = entry.vector3(of_value);
  if (given.norm() <= std::numbers::pi) return;
  const Vec3 same = math::so3::log(math::so3::exp_quaternion(given)) + Vec3::Zero();  // no -0
  builder.problem(entry, of_value,
                  fmt::format("is a rotation by {:.6g} rad, beyond half a turn; the same rotation is [{:.6g}, {:.6g}, "
                              "{:.6g}]",
                              given.norm(), same.x(), same.y(), same.z()));
}

// The rows need no rotation: points without one may be joined where they stand at the joint's point.
// Markers have inertial axes, which the rotation vector refers to.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), Vec3::Zero());
  builder.check_lever(entry, a, markers.s_a, "the joint");
  builder.check_lever(entry, b, markers.s_b, "the joint");
  const bool turns = !builder.at(a).translation_only && !builder.at(b).translation_only;
  check_turn(entry, builder, turns);
  add_joint<Spherical>(entry, builder, {a, b}, {markers, turns});
  if (turns) add_rotation_vector(entry, builder, {a, b}, markers);
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo spherical_info{
    "spherical", model::Family::joint,     "a point of a and a point of b coincide", fields, outputs,
    build,       model::samples<Spherical>};

}  // namespace polhode::elements
