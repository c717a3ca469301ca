// SPDX-License-Identifier: BSD-3-Clause
// A copy of the model in which joints are driven to their coordinates.
#include "posture_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/model/builder.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::analyses {

using model::InitialCoordinate;

namespace {

bool is_driven(const InitialCoordinate& one, Driven driven) {
  return driven == Driven::values ? one.value.has_value() : one.rate.has_value();
}

// What the kind requires, and the drives; laws and initial values are not.
bool stays(const model::Entry& entry, std::string_view key) {
  if (key == "rotation" || key == "translation") return true;
  return std::any_of(entry.kind->fields.begin(), entry.kind->fields.end(),
                     [key](const model::Field& field) { return field.required && field.name == key; });
}

// Time counts from the start of the run.
void set_drive(const InitialCoordinate& one, model::Entry& entry) {
  if (one.form == InitialCoordinate::Form::rotation_vector) {
    entry.values.insert_or_assign("rotation_vector", model::Value(model::VectorX(one.vector)));
    entry.values.insert_or_assign("angular_velocity", model::Value(model::VectorX(one.vector_rate)));
    return;
  }
  const std::string text = fmt::format("({:.17g}) + ({:.17g})*t", one.value.value_or(0), one.rate.value_or(0));
  model::TimeFunction drive = one.value.value_or(0);
  if (one.rate) drive = model::Expression::parse(text, {}, true);
  entry.values.insert_or_assign(std::string(one.drive_key), std::move(drive));
}

}  // namespace

model::Model posture_model(const assembly::System& system, const std::vector<GivenJoint>& joints, Driven driven) {
  model::Model posture = system.model();
  posture.resolve_redundant = true;
  for (const GivenJoint& joint : joints) {
    model::Entry& entry = posture.entries[static_cast<std::size_t>(joint.entry)];
    std::erase_if(entry.values, [&](const auto& value) { return !stays(entry, value.first); });
    for (const InitialCoordinate& one : joint.coordinates)
      if (is_driven(one, driven)) set_drive(one, entry);
  }
  // Events stand behind all other entries, whose numbers stay what they are.
  std::erase_if(posture.entries, [](const model::Entry& entry) {
    return entry.family == model::Family::event || entry.family == model::Family::analysis;
  });
  return posture;
}

bool same_drives(const std::vector<GivenJoint>& joints) {
  for (const GivenJoint& joint : joints)
    for (const InitialCoordinate& one : joint.coordinates)
      if (one.value.has_value() != one.rate.has_value()) return false;
  return true;
}

// A velocity is one of a motion if it is the one that the motion has at the node's place in the deck, to the last bits.
void follow_motions(const assembly::System& system, const model::State& deck, model::State& q) {
  const std::vector<model::InitialMotion>& motions = system.model().initial_motion;
  if (motions.empty()) return;
  const auto velocity_by = [&](const model::InitialMotion& motion, const model::State& at, std::size_t i) {
    const model::PointMotion point = model::motion_at(motion, at.x[i]);
    model::Vec6 v;
    v << point.velocity, at.R[i].transpose() * point.angular_velocity;
    for (int k = 0; k < 6; ++k)
      if (system.node(i).removed[static_cast<std::size_t>(k)]) v[k] = 0;
    return v;
  };
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (auto motion = motions.rbegin(); motion != motions.rend(); ++motion) {
      const model::Vec6 before = velocity_by(*motion, deck, i);
      if ((before - deck.v[i]).norm() > 1e-12 * before.norm()) continue;
      q.v[i] = velocity_by(*motion, q, i);
      break;
    }
}

}  // namespace polhode::analyses
