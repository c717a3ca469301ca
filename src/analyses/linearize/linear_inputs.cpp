// SPDX-License-Identifier: BSD-3-Clause
// Inputs of a linear model: forces on nodes, and inputs of entries of the deck that forces are proportional to.
//
// What an entry does a unit of its input is told by the model itself: the residual of a model whose entry has one unit
// more, less that of the model without it. Residuals are linear in these inputs, so that the difference is exact.
#include <algorithm>

#include "linear_parts.hpp"
#include "polhode/model/builder.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::analyses {

using assembly::System;
using math::Vec3;
using model::Entry;
using model::Field;
using model::FieldType;
using model::State;
using model::Vec6;

namespace {

constexpr std::string_view letters = "xyz";

bool is_force(const Field& field) { return field.type == FieldType::vector3 && field.unit.starts_with('N'); }
// Drives prescribe motions; they are no forces.
bool is_factor(const Field& field) {
  return field.type == FieldType::function && (field.unit.starts_with('N') || field.name == "history");
}

const Field* field_of(const Entry& entry, std::string_view name) {
  for (const Field& field : entry.kind->fields)
    if (field.name == name) return &field;
  return nullptr;
}

// Names of all inputs but for their components.
std::vector<std::string> known_inputs(const System& system) {
  std::vector<std::string> names;
  for (const Entry& entry : system.model().entries)
    for (const Field& field : entry.kind->fields)
      if (is_force(field) || is_factor(field)) names.push_back(entry.path(field.name));
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (const char* what : {".force", ".moment"}) names.push_back("nodes." + system.node(i).name + what);
  return names;
}

// What the batches of forces and joints put on the nodes.
std::vector<Vec6> forces(const System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, true, false});
  return std::move(r.force);
}

// The entry as given, but for the input: `value` in the place of its number, or added to its function of time.
std::optional<std::vector<Vec6>> forces_with(const System& system, const Entry& entry, const Field& field,
                                             const Vec3& value, const State& q, std::string& problem) {
  model::Model changed = system.model();
  Entry& at = changed.entries[static_cast<std::size_t>(&entry - system.model().entries.data())];
  if (is_force(field)) {
    for (const Field& other : entry.kind->fields) {
      if (is_force(other)) at.values[std::string(other.name)] = model::Value(math::VectorX(Vec3::Zero()));
      if (other.name == "history") at.values.erase(std::string(other.name));  // 1
    }
    at.values[std::string(field.name)] = model::Value(math::VectorX(value));
  } else {
    const double now = entry.has(field.name) ? entry.function(field.name)(q.t).value : field.name == "history" ? 1 : 0;
    at.values[std::string(field.name)] = model::Value(model::TimeFunction(now + value[0]));
  }
  model::Problems problems;
  const std::optional<System> made = System::make(changed, problems);
  if (!made) {
    problem = problems.front().message;
    return std::nullopt;
  }
  return forces(*made, q);
}

std::optional<std::vector<Vec6>> unit_of(const System& system, const Entry& entry, const Field& field, const Vec3& unit,
                                         const State& q, std::string& problem) {
  auto with = forces_with(system, entry, field, unit, q, problem);
  if (!with) return std::nullopt;
  const auto without = forces_with(system, entry, field, Vec3::Zero(), q, problem);
  if (!without) return std::nullopt;
  for (std::size_t i = 0; i < with->size(); ++i) (*with)[i] = (*without)[i] - (*with)[i];  // residuals are minus loads
  return with;
}

// The components that follow: all, or the one named; -1 at the end of what is wrong.
std::vector<int> components(std::string_view rest) {
  if (rest.empty()) return {0, 1, 2};
  const std::size_t place = rest.size() == 2 && rest[0] == '.' ? letters.find(rest[1]) : std::string_view::npos;
  if (place == std::string_view::npos) return {};
  return {static_cast<int>(place)};
}

std::string no_component(std::string_view vector, std::string_view rest) {
  return '"' + std::string(vector) + "\" has no component \"" + std::string(rest.substr(1)) +
         "\"; give one of x, y, z, or none for all three";
}

std::vector<LinearInput> on_node(const System& system, std::size_t node, bool moment, std::string_view rest,
                                 const State* q, const std::string& vector, std::string& problem) {
  std::vector<LinearInput> inputs;
  if (moment && system.node(node).translation_only)
    problem = "a point without rotation takes no moment; name a node with rotations";
  else if (components(rest).empty())
    problem = no_component(vector, rest);
  if (!problem.empty()) return inputs;
  for (const int k : components(rest)) {
    LinearInput input{vector + '.' + letters[static_cast<std::size_t>(k)], moment ? "N m" : "N", {}};
    if (q) {
      input.force.assign(system.nodes(), Vec6::Zero());
      if (moment)
        input.force[node].tail<3>() = q->R[node].transpose() * Vec3::Unit(k);
      else
        input.force[node].head<3>() = Vec3::Unit(k);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<LinearInput> of_entry(const System& system, const Entry& entry, const Field& field, std::string_view rest,
                                  const State* q, std::string& problem) {
  const std::string name = entry.path(field.name);
  const bool vector = is_force(field);
  std::vector<LinearInput> inputs;
  if (!vector && !rest.empty())
    problem = '"' + name + "\" is a single number, nothing can follow it";
  else if (vector && components(rest).empty())
    problem = no_component(name, rest);
  if (!problem.empty()) return inputs;
  for (const int k : vector ? components(rest) : std::vector<int>{0}) {
    LinearInput input{vector ? name + '.' + letters[static_cast<std::size_t>(k)] : name,
                      field.unit.empty() ? "1" : std::string(field.unit),
                      {}};
    if (q) {
      auto force = unit_of(system, entry, field, Vec3::Unit(k), *q, problem);
      if (!force) return {};
      input.force = std::move(*force);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// What follows `known` in `name`, or nothing where it does not begin so.
std::optional<std::string_view> after(std::string_view name, std::string_view known) {
  if (!name.starts_with(known) || (name.size() > known.size() && name[known.size()] != '.')) return std::nullopt;
  return name.substr(known.size());
}

}  // namespace

std::vector<LinearInput> inputs_of(const System& system, const std::string& name, const State* q,
                                   std::string& problem) {
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (const char* what : {".force", ".moment"}) {
      const std::string known = "nodes." + system.node(i).name + what;
      if (const auto rest = after(name, known)) return on_node(system, i, what[1] == 'm', *rest, q, known, problem);
    }
  for (const Entry& entry : system.model().entries) {
    const auto rest = after(name, entry.path());
    if (!rest || rest->empty()) continue;
    const std::string_view key = rest->substr(1, rest->find('.', 1) - 1);
    const Field* field = field_of(entry, key);
    if (!field) continue;
    if (is_force(*field) || is_factor(*field))
      return of_entry(system, entry, *field, rest->substr(1 + key.size()), q, problem);
    problem = '"' + name + "\" is no input: " +
              (field->type == FieldType::function ? "it prescribes a motion" : "forces are not proportional to it") +
              "; inputs are forces and moments of loads and on nodes, their histories, motors and actuators";
    return {};
  }
  const std::string nearest = model::nearest_name(name, known_inputs(system));
  problem = "there is no input \"" + name + '"';
  problem += nearest.empty() ? "; inputs are named like nodes.tip.force.z, forces.push.moment.x, joints.pin.motor"
                             : "; did you mean \"" + nearest + "\"?";
  return {};
}

}  // namespace polhode::analyses
