// SPDX-License-Identifier: BSD-3-Clause
// Small models made in code.
#include "support/models.hpp"

#include <stdexcept>

#include "polhode/analyses/initial/start.hpp"

namespace polhode::support {
namespace {

[[noreturn]] void throw_problems(const model::Problems& problems) {
  std::string text;
  for (const model::Problem& problem : problems) text += problem.path + ": " + problem.message + "\n";
  throw std::runtime_error(text);
}

assembly::System make_system(const model::Model& model) {
  model::Problems problems;
  std::optional<assembly::System> system = assembly::System::make(model, problems);
  if (!system) throw_problems(problems);
  return std::move(*system);
}

}  // namespace

model::NodeEntry& ModelMaker::node(std::string name, const Vec3& position) {
  model::NodeEntry& node = model.nodes.emplace_back();
  node.name = std::move(name);
  node.position = position;
  return node;
}

model::SectionEntry& ModelMaker::section(std::string name, const Vec6& stiffness, double mass, const Vec3& inertia) {
  model::SectionEntry& section = model.sections.emplace_back();
  section.name = std::move(name);
  section.stiffness = stiffness.asDiagonal();
  Vec6 m;
  m << mass, mass, mass, inertia;
  section.mass = m.asDiagonal();
  return section;
}

model::Entry& ModelMaker::add(Family family, std::string_view type, std::string name, Values values) {
  model::Entry& entry = model.entries.emplace_back();
  entry.name = std::move(name);
  entry.family = family;
  entry.kind = model::find_kind(family, type);
  if (!entry.kind) throw std::invalid_argument("no kind " + std::string(type));
  for (const auto& [key, v] : values) entry.values.emplace(key, v);
  return entry;
}

model::Entry& ModelMaker::body(std::string name, std::string node, double mass, const Vec3& inertia,
                               const Vec3& center_of_mass) {
  return add(Family::body, "rigid_body", std::move(name),
             {{"node", std::move(node)},
              {"mass", mass},
              {"inertia", math::MatrixX(Mat3(inertia.asDiagonal()))},
              {"center_of_mass", value(center_of_mass)}});
}

model::Entry& ModelMaker::joint(std::string_view type, std::string name, std::string a, std::string b, const Vec3& at) {
  return add(Family::joint, type, std::move(name),
             {{"connects", std::vector<std::string>{std::move(a), std::move(b)}}, {"at", value(at)}});
}

model::Value expression(std::string_view text) { return model::TimeFunction(model::Expression::parse(text, {}, true)); }
model::Value law(std::string_view text, std::vector<std::string> variables) {
  return model::Expression::parse(text, {}, true, variables);
}

Machine::Machine(model::Model m) : model(std::move(m)), system(make_system(model)) {}

State consistent_start(const assembly::System& system) {
  State q = system.initial_state();
  model::Problems problems;
  analyses::meet_constraints(system, q, 1, problems);
  if (problems.empty()) analyses::set_accelerations(system, q, problems);
  if (!problems.empty()) throw_problems(problems);
  return q;
}

model::Model heavy_top() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  model::NodeEntry& centre = m.node("centre", Vec3(0, 1, 0));
  centre.velocity = Vec3(4.61538, 0, 0);
  centre.angular_velocity = Vec3(0, 150, -4.61538);
  m.body("top", "centre", 15, Vec3(0.234375, 0.46875, 0.234375));
  m.joint("spherical", "pivot", "ground", "centre", Vec3::Zero());
  return std::move(m.model);
}

model::Model cantilever(int elements) {
  ModelMaker m;
  m.node("root", Vec3::Zero()).fixed.fill(true);
  m.node("tip", Vec3(2, 0, 0));
  Vec6 stiffness;
  stiffness << 1e4, 5e3, 5e3, 60, 80, 100;
  m.section("bar", stiffness, 1.5, Vec3(0.02, 0.01, 0.01));
  m.add(Family::beam, "beam", "arm",
        {{"section", value("bar")}, {"from", value("root")}, {"to", value("tip")}, {"elements", double(elements)}});
  m.add(Family::force, "load", "push",
        {{"node", value("tip")},
         {"force", value(Vec3(0, 8, 5))},
         {"moment", value(Vec3(6, 0, 0))},
         {"history", expression("sin(2*t)")}});
  return std::move(m.model);
}

model::Model rigid_four_bar() {
  ModelMaker m;
  const std::array corners{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(2, 2, 0), Vec3(3, 0, 0)};
  const std::array names{"crank", "coupler", "rocker"};
  for (std::size_t i = 0; i < 3; ++i) {
    m.node(names[i], (corners[i] + corners[i + 1]) / 2);
    m.body(names[i], names[i], 1, Vec3(0.1, 0.1, 0.1));
  }
  const std::array joined{"ground", "crank", "coupler", "rocker", "ground"};
  for (std::size_t i = 0; i < 4; ++i)
    m.joint("revolute", std::string("hinge_") + "ABCD"[i], joined[i], joined[i + 1], corners[i])
        .values.emplace("axis", value(Vec3(0, 0, 1)));
  return std::move(m.model);
}

ModelMaker pump(std::string_view drive) {
  ModelMaker m;
  m.node("slide", Vec3(1, 0, 0));
  m.body("slide", "slide", 1, Vec3(1, 1, 1));
  model::Entry& joint = m.joint("prismatic", "pump", "ground", "slide", Vec3(1, 0, 0));
  joint.values.emplace("axis", value(Vec3(1, 0, 0)));
  joint.values.emplace("translation", expression(drive));
  return m;
}

model::Model driven_top() {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.model.velocity_tolerance = 1e3;
  m.node("a", Vec3(0.1, 0.8, 0.2)).angular_velocity = Vec3(1, 6, -3);
  m.node("b", Vec3(0.7, 1.1, 0.1)).angular_velocity = Vec3(-2, 3, 4);
  m.body("a", "a", 2, Vec3(0.3, 0.2, 0.4));
  m.body("b", "b", 1, Vec3(0.1, 0.3, 0.2), Vec3(0.1, 0.05, -0.1));
  m.joint("spherical", "pivot", "ground", "a", Vec3::Zero());
  model::Entry& motor = m.joint("revolute", "motor", "a", "b", Vec3(0.3, 1, 0));
  motor.values.emplace("axis", value(Vec3(1, 2, 2)));
  motor.values.emplace("rotation", expression("0.4*sin(40*t) + 2*t^2"));
  return std::move(m.model);
}

}  // namespace polhode::support
