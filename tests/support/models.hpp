// SPDX-License-Identifier: BSD-3-Clause
// Small models made in code, and the published ones in their simplest form.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>

#include "polhode/assembly/system.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::support {

using math::Mat3;
using math::Vec3;
using math::Vec6;
using math::VectorX;
using model::Family;
using model::State;

class ModelMaker {
 public:
  using Values = std::initializer_list<std::pair<const std::string_view, model::Value>>;

  model::NodeEntry& node(std::string name, const Vec3& position);
  model::SectionEntry& section(std::string name, const Vec6& stiffness, double mass, const Vec3& inertia);
  model::Entry& add(Family family, std::string_view type, std::string name, Values values);
  model::Entry& body(std::string name, std::string node, double mass, const Vec3& inertia,
                     const Vec3& center_of_mass = Vec3::Zero());
  model::Entry& joint(std::string_view type, std::string name, std::string a, std::string b, const Vec3& at);

  model::Model model;
};

// Values as the deck reader makes them.
inline model::Value value(const Vec3& v) { return VectorX(v); }
inline model::Value value(const char* text) { return std::string(text); }
model::Value expression(std::string_view text);
// A law of the coordinate and its rate, by their names in the deck.
model::Value law(std::string_view text, std::vector<std::string> variables);

// A system that keeps its model. Throws with the problems, if there are any.
struct Machine {
  explicit Machine(model::Model m);
  Machine(const Machine&) = delete;
  const model::Model model;
  assembly::System system;
};

// The system's state at the start: constraints met, accelerations and multipliers consistent. Throws with the problems.
State consistent_start(const assembly::System& system);

// The heavy top of BCA12, section 7.1, on a spherical joint.
model::Model heavy_top();
// A cantilever of `elements` beam elements along x, bent and twisted by loads at its tip.
model::Model cantilever(int elements);
// A planar four-bar of rigid links with four hinges of parallel axes: three rows too many.
model::Model rigid_four_bar();

// A slide of 1 kg on a prismatic joint `pump`, which a function of time drives.
ModelMaker pump(std::string_view drive);
// A top on a ball joint, and on it a second body that a motor turns: spatial, with constraints that depend on time.
model::Model driven_top();

}  // namespace polhode::support
