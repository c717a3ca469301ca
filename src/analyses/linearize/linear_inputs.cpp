// SPDX-License-Identifier: BSD-3-Clause
// Inputs of a linear model: forces on nodes, and inputs of entries of the deck that forces are proportional to.
//
// Force per unit input is a residual difference: the entry's own elements with one unit more, less those without it.
// Residuals are linear in these inputs, so that the difference is exact to rounding.
#include <fmt/format.h>

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

// Vectors in N or N m, or per length of them.
bool is_force(const Field& field) { return field.type == FieldType::vector3 && field.unit.starts_with('N'); }
// Drives prescribe motions; they are no forces.
bool is_factor(const Field& field) {
  return field.type == FieldType::function && (field.unit.starts_with('N') || field.name == "history");
}

// A key of an entry: "motor", or that of a member of a group, "about.motor".
struct Key {
  std::string name;
  const Field* field;
};

std::vector<Key> keys_of(const Entry& entry) {
  std::vector<Key> keys;
  for (const Field& field : entry.kind->fields) {
    keys.push_back({std::string(field.name), &field});
    for (const Field& member : field.members)
      keys.push_back({std::string(field.name) + '.' + std::string(member.name), &member});
  }
  return keys;
}

// Names of all inputs but for their components.
std::vector<std::string> known_inputs(const System& system) {
  std::vector<std::string> names;
  for (const Entry& entry : system.model().entries)
    for (const Key& key : keys_of(entry))
      if (is_force(*key.field) || is_factor(*key.field)) names.push_back(entry.path(key.name));
  for (const model::SignalEntry& signal : system.signals().signals())
    names.push_back(system.model().entries[static_cast<std::size_t>(signal.entry)].path());
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (const char* what : {".force", ".moment"}) names.push_back("nodes." + system.node(i).name + what);
  return names;
}

// The entry as given, but for the input: `value` in the place of its vector, or added to its function of time.
Entry with_input(const Entry& entry, const Key& key, const Vec3& value, double t) {
  Entry changed = entry;
  if (is_force(*key.field)) {
    // The force alone: other vectors zero, the history 1, so that a unit input is a unit force.
    for (const Field& other : entry.kind->fields) {
      if (is_force(other)) changed.values[std::string(other.name)] = model::Value(math::VectorX(Vec3::Zero()));
      if (other.name == "history") changed.values.erase(std::string(other.name));  // 1
    }
    changed.values[key.name] = model::Value(math::VectorX(value));
    return changed;
  }
  // A history that is absent is 1, a motor that is absent 0.
  const double without = key.name == "history" ? 1 : 0;
  const double now = entry.has(key.name) ? entry.function(key.name)(t).value : without;
  changed.values[key.name] = model::Value(model::TimeFunction(now + value[0]));
  return changed;
}

// Where the internal variables of the first element of this kind begin that belongs to the entry.
int first_history(const System& system, int entry, std::string_view kind) {
  for (const auto& batch : system.batches()) {
    if (batch->kind() != kind) continue;
    for (std::size_t e = 0; e < batch->size(); ++e)
      if (batch->entry_of(e) == entry) return batch->first_history() + static_cast<int>(e) * batch->history();
  }
  return 0;
}

// Forces of one entry at a state, by the elements that it consists of; all other elements stay as they are.
class EntryForces {
 public:
  EntryForces(const System& system, const Entry& entry, const State& q)
      : system_(system),
        q_(q),
        index_(static_cast<int>(&entry - system.model().entries.data())),
        alone_(system.model()) {
    // Nodes and beams are those of the system: the entry alone could not make them.
    alone_.entries = {entry};
    for (std::size_t i = 0; i < system.nodes(); ++i) nodes_.push_back(system.node(i));
  }

  // Adds factor times the generalized forces (minus the residual) of `changed`, the entry with another input, to
  // `forces`, by node. False, and why in `problem`, where the kind refuses the entry.
  bool add_to(std::vector<Vec6>& forces, Entry changed, double factor, std::string& problem) {
    alone_.entries.front() = std::move(changed);
    model::Builder builder(alone_);
    builder.nodes_ = nodes_;  // those inside of beams, too
    builder.beams_ = system_.beams();
    alone_.entries.front().kind->build(alone_.entries.front(), builder);
    if (!builder.problems_.empty()) {
      problem = builder.problems_.front().message;
      return false;
    }
    std::vector<Vec6> residual(forces.size(), Vec6::Zero());
    const model::Context context = system_.context(q_);
    for (const auto& [kind, batch] : builder.batches_) {
      // Angles are counted from where those of the entry's own elements stand.
      batch->set_numbering(0, first_history(system_, index_, kind));
      batch->add_residual_to(batch->all(), q_, context, {false, true, false}, residual, {});
    }
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] -= factor * residual[i];
    return true;
  }

 private:
  const System& system_;
  const State& q_;
  int index_;           // of the entry in the model
  model::Model alone_;  // the model with this entry only
  std::vector<model::NodeData> nodes_;
};

// Sets the generalized force on each node, inertial and in the node's frame, by the input's entries: what a unit adds.
bool set_force(const System& system, const Entry& entry, const State& q, LinearInput& input, std::string& problem) {
  EntryForces entry_forces(system, entry, q);
  input.force.assign(system.nodes(), Vec6::Zero());
  return entry_forces.add_to(input.force, input.entries->first, 1, problem) &&
         entry_forces.add_to(input.force, input.entries->second, -1, problem);
}

// The components that follow: all, or the one named; -1 at the end of what is wrong.
std::vector<int> components(std::string_view rest) {
  if (rest.empty()) return {0, 1, 2};
  const std::size_t place = rest.size() == 2 && rest[0] == '.' ? letters.find(rest[1]) : std::string_view::npos;
  if (place == std::string_view::npos) return {};
  return {static_cast<int>(place)};
}

// "forces.push.force" has no component "w"
std::string no_component(std::string_view vector, std::string_view rest) {
  return '"' + std::string(vector) + "\" has no component \"" + std::string(rest.substr(1)) +
         "\"; give one of x, y, z, or none for all three";
}

// Moments are inertial, as forces are: the residual takes them in the frame of the node.
// Without a state only the name is checked.
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

// A vector has an input for each component, a function of time one.
std::vector<LinearInput> of_entry(const System& system, const Entry& entry, const Key& key, std::string_view rest,
                                  const State* q, std::string& problem) {
  const Field& field = *key.field;
  const std::string name = entry.path(key.name);
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
      input.entries = {with_input(entry, key, Vec3::Unit(k), q->t), with_input(entry, key, Vec3::Zero(), q->t)};
      if (!set_force(system, entry, *q, input, problem)) return {};
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

// What is added to the outputs of a signal: all of them, or that of a number, "signals.filter.1".
std::vector<LinearInput> on_signal(const System& system, std::size_t signal, const std::string& path,
                                   std::string_view rest, const State* q, std::string& problem) {
  const assembly::SignalNetwork& network = system.signals();
  const std::size_t first = network.first_of(signal);
  // A signal's values end where those of the next one begin.
  const std::size_t end = signal + 1 < network.signals().size() ? network.first_of(signal + 1) : network.size();
  std::optional<assembly::SignalLinearization> linear;
  if (q) linear = network.linearize(*q);
  std::vector<LinearInput> inputs;
  for (std::size_t value = first; value < end; ++value) {
    const std::string number = end - first > 1 ? fmt::format(".{}", value - first) : "";
    if (!rest.empty() && rest != number) continue;
    inputs.push_back({path + number, "1", {}, std::nullopt, static_cast<int>(value)});
    if (linear)
      inputs.back().force =
          linear->forces(linear->values_by_added.col(static_cast<Eigen::Index>(value)), system.nodes());
  }
  if (inputs.empty()) problem = fmt::format("\"{}\" has no output \"{}\"", path, rest.substr(1));
  return inputs;
}

}  // namespace

// Nodes first, then entries, by the longest name that begins alike; what is no input is said to be none with
// the reason, and an unknown name gets the nearest.
std::vector<LinearInput> inputs_of(const System& system, const std::string& name, const State* q,
                                   std::string& problem) {
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (const char* what : {".force", ".moment"}) {
      const std::string known = "nodes." + system.node(i).name + what;
      if (const auto rest = after(name, known)) return on_node(system, i, what[1] == 'm', *rest, q, known, problem);
    }
  for (std::size_t i = 0; i < system.signals().signals().size(); ++i) {
    const int entry = system.signals().signals()[i].entry;
    const std::string path = system.model().entries[static_cast<std::size_t>(entry)].path();
    if (const auto rest = after(name, path)) return on_signal(system, i, path, *rest, q, problem);
  }
  for (const Entry& entry : system.model().entries) {
    const Field* other = nullptr;
    for (const Key& key : keys_of(entry)) {
      const auto rest = after(name, entry.path(key.name));
      if (!rest) continue;
      if (is_force(*key.field) || is_factor(*key.field)) return of_entry(system, entry, key, *rest, q, problem);
      other = key.field;
    }
    if (!other) continue;
    problem = '"' + name + "\" is no input: " +
              (other->type == FieldType::function ? "it prescribes a motion" : "forces are not proportional to it") +
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
