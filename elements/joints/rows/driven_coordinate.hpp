// SPDX-License-Identifier: BSD-3-Clause
// Constraint equations that drive a coordinate of a joint which has no drive of its own: Phi = c(t) - c. They stand in the
// copy of a model that is moved to its initial coordinates, beside those of the joint, and in no run.
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// The coordinates that can be driven so, in the order of `driven_keys`.
enum class DrivenBy { rotation, rotation_1, rotation_2, translation, translation_1, translation_2 };
// Of the entry, and of the constraint equations.
inline constexpr std::array<std::string_view, 6> driven_keys{"rotation",    "rotation_1",    "rotation_2",
                                                             "translation", "translation_1", "translation_2"};

// An angle of b about the third axis of its markers, or a displacement along it.
template <DrivenBy by>
struct DrivenCoordinate : PairJoint<DrivenCoordinate<by>, 1, by <= DrivenBy::rotation_2 ? 1 : 0> {
  static constexpr bool is_angle = by <= DrivenBy::rotation_2;
  static constexpr std::string_view key = driven_keys[static_cast<std::size_t>(by)];
  static constexpr std::array<std::string_view, 6> names{
      "coordinate, rotation driven",    "coordinate, rotation 1 driven",    "coordinate, rotation 2 driven",
      "coordinate, translation driven", "coordinate, translation 1 driven", "coordinate, translation 2 driven"};
  static constexpr std::string_view name = names[static_cast<std::size_t>(by)];
  static constexpr model::Capabilities capabilities = pair_joint | model::can::drives;
  static constexpr std::array<std::string_view, 1> row_names{key};
  static constexpr std::array row_is_length{!is_angle};
  struct Data : Markers {
    // rad or m
    model::TimeFunction drive;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    if constexpr (is_angle) rows.angle(d, d.drive);
    if constexpr (!is_angle) rows.displacement(d, d.E_a.col(2), d.drive);
  }
  // A template, since a function that is only constrained would count as named where nothing turns.
  template <bool angle = is_angle>
  requires(angle) static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* h) {
    h[0] = count_driven(rows::angle(d, n), d.drive, c, h[0]);
  }
  static Data sample(std::mt19937& random) {
    return {sample_markers(random), model::Expression::parse("0.3 + 0.8*t", {}, true)};
  }
};

// The rotation Q = exp(psi) of b against a in the axes on a: Phi = -log(Q exp(-psi)). Its gradient is that of the
// relative turn in the axes on a, so that Phi_t is the angular velocity of b against a: exact where Phi = 0.
struct DrivenRotation {
  static constexpr std::string_view name = "rotation vector driven";
  static constexpr int nodes = 2;
  static constexpr int rows = 3;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::drives;
  static constexpr std::array<std::string_view, 3> row_names{"rotation x", "rotation y", "rotation z"};
  static constexpr std::array row_is_length{false, false, false};
  struct Data : Markers {
    // psi, rad, and the angular velocity, rad/s
    Vec3 rotation;
    Vec3 angular_velocity;
  };

  static void constraint(const Data& d, const PairNodes& n, const model::Context& c, Mat<3>& phi);
  static void gradient(const Data& d, const PairNodes& n, const model::Context&, Mat<3, 12>& B);
  static void add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Mat<3>& lambda,
                                       PairBlock& K);
  static void time_derivatives(const Data& d, const model::Context&, Mat<3>& phi_t, Mat<3>& phi_tt);
  // Numbers alone drive it.
  template <class Visit>
  static void each_drive(const Data&, const Visit&) {}
  static Data sample(std::mt19937& random);
};

// Adds what the keys of `driven_keys`, `rotation_vector` and `angular_velocity` of the entry ask for; decks have none of
// them. Markers are those of the joint: (t1, t2, n), or of a cross (u, v, u x v).
void add_driven_coordinates(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
                            const Markers& markers);

}  // namespace polhode::elements
