// SPDX-License-Identifier: BSD-3-Clause
// What entries of `beams` have in common, whatever their type: ends, the axis between them, elements along it, nodes
// inside.
#pragma once
#include <optional>
#include <span>

#include "elements/beams/axis/axis.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

namespace beam_fields {

using model::Field;
using model::FieldType;

inline constexpr std::string_view interpolations[] = {"linear", "cubic"};
inline constexpr Field from{
    .name = "from", .type = FieldType::node, .unit = "", .doc = "the node where the beam starts", .required = true};
inline constexpr Field to{
    .name = "to", .type = FieldType::node, .unit = "", .doc = "the node where it ends", .required = true};
inline constexpr Field arc{
    .name = "arc",
    .type = FieldType::vector3,
    .unit = "m",
    .doc = "a point between the ends, inertial: the axis is the arc of the circle through the three",
    .frame = model::Frame::point};
inline constexpr Field points{.name = "points",
                              .type = FieldType::points,
                              .unit = "m",
                              .doc = "points between the ends, inertial, in order: the axis goes through them",
                              .frame = model::Frame::point};
inline constexpr Field interpolation{.name = "interpolation",
                                     .type = FieldType::choice,
                                     .unit = "",
                                     .doc = "between `points`; linear: a polyline; cubic: a natural spline",
                                     .default_text = "linear",
                                     .choices = interpolations};
inline constexpr Field elements{.name = "elements",
                                .type = FieldType::integer,
                                .unit = "",
                                .doc = "number of elements of equal length; on a polyline, of each piece",
                                .min = 1,
                                .max = 1e7,
                                .default_text = "1"};

}  // namespace beam_fields

// False, with the problem reported, where the ends stand at one place: a length below round-off of the positions gives
// no direction. `what` is "a beam", for the message.
bool check_length(const model::Entry& entry, model::Builder& builder, int from, int to, std::string_view what);

// The axis by `arc`, `points`, `interpolation`, or straight; nothing, with the problems reported, if it has none. `from`
// and `to` are the positions of the end nodes, m.
std::optional<Axis> read_axis(const model::Entry& entry, model::Builder& builder, const math::Vec3& from,
                              const math::Vec3& to);
// Parts of the length at which elements begin and end, ascending from 0 to 1: one more than there are elements. Of equal
// length; on a polyline each piece has its own. Empty, with the problem reported, if there are fewer elements than
// pieces.
std::vector<double> read_ends(const model::Entry& entry, model::Builder& builder, const Axis& axis);

// A node between the ends, in the initial configuration.
struct InnerNode {
  // Of the length
  double part;
  // m, inertial
  math::Vec3 position;
  // Node's frame to inertial
  math::so3::Quaternion orientation = math::so3::Quaternion::Identity();
};
// Adds them with the velocities of the start, linear in the length between those of the ends, or those of the rigid
// motion that the deck gives for the beam. `points`: without rotations. Returns all nodes along the beam.
std::vector<int> add_inner_nodes(const model::Entry& entry, model::Builder& builder, int from, int to,
                                 std::span<const InnerNode> inner, bool points);

// Whether an entry of the model, a load along the beam, asks for the shares of its nodes; else nobody reads them.
bool shares_wanted(const model::Entry& beam, const model::Builder& builder);

}  // namespace polhode::elements
