// SPDX-License-Identifier: BSD-3-Clause
// Names to nodes and sections; start velocities of the deck's nodes.
#include "polhode/model/builder.hpp"

#include <algorithm>
#include <unordered_set>

namespace polhode::model {
namespace {

// Calls use(name) for the deck's nodes that move with the named parts of a motion: those that it names, and those that
// its bodies and beams are attached to.
template <class Use>
void each_node_of(const InitialMotion& motion, const Model& model, const Use& use) {
  for (const std::string& node : motion.nodes) use(node);
  const std::unordered_set<std::string_view> bodies(motion.bodies.begin(), motion.bodies.end());
  const std::unordered_set<std::string_view> beams(motion.beams.begin(), motion.beams.end());
  if (bodies.empty() && beams.empty()) return;
  for (const Entry& entry : model.entries) {
    const bool named = (entry.family == Family::body && bodies.contains(entry.name)) ||
                       (entry.family == Family::beam && beams.contains(entry.name));
    if (!named) continue;
    for (const std::string_view key : {"node", "from", "to"})
      if (entry.has(key)) use(entry.text(key));
  }
}

// By name of a node, the last motion that applies.
std::unordered_map<std::string_view, const InitialMotion*> motions_of_nodes(const Model& model) {
  std::unordered_map<std::string_view, const InitialMotion*> motions;
  for (const InitialMotion& motion : model.initial_motion)
    if (motion.everything)
      for (const NodeEntry& node : model.nodes) motions[node.name] = &motion;
    else
      each_node_of(motion, model, [&](const std::string& node) { motions[node] = &motion; });
  return motions;
}

// Whether there are entries for which others have to be measured or held.
bool has_sensors(const Model& model) {
  return std::any_of(model.entries.begin(), model.entries.end(), [](const Entry& entry) {
    return entry.family == Family::signal || entry.family == Family::event || entry.family == Family::analysis;
  });
}

}  // namespace

// u = u_0 + omega x (x - x_0), the field of a rigid motion.
PointMotion motion_at(const InitialMotion& motion, const Vec3& x) {
  return {motion.velocity + motion.angular_velocity.cross(x - motion.about), motion.angular_velocity};
}

// Inner nodes are named after their beam.
std::string NodeData::label() const {
  if (name == "ground") return name;
  const auto dot = name.rfind('.');
  return !inner ? "nodes." + name : "beams." + name.substr(0, dot) + " node " + name.substr(dot + 1);
}

bool NodeData::is_fixed() const { return std::find(removed.begin(), removed.end(), false) == removed.end(); }

// Node 0 is the ground, with all components removed, so that joints need no case of their own for it.
// Motions of the deck apply in order, the last one that names a part wins;
// velocities of the node itself come after all of them. A component that is fixed has no velocity:
// that of a motion is dropped silently, as it is meant for a whole part, one of the node itself is a
// problem.
Builder::Builder(const Model& model) : model_(model), needs_sensors_(has_sensors(model)) {
  NodeData ground;
  ground.name = "ground";
  ground.removed.fill(true);
  add_node(std::move(ground));
  const auto motions = motions_of_nodes(model);
  for (std::size_t place = 0; place < model.nodes.size(); ++place) {
    const NodeEntry& entry =
        model.nodes[model.node_order.empty() ? place : static_cast<std::size_t>(model.node_order[place])];
    NodeData node;
    node.name = entry.name;
    node.position = entry.position;
    node.orientation = entry.orientation;
    node.removed = entry.fixed;
    node.translation_only = entry.translation_only;
    if (entry.translation_only) std::fill(node.removed.begin() + 3, node.removed.end(), true);
    const auto motion = motions.find(entry.name);
    if (motion != motions.end()) {
      const PointMotion m = motion_at(*motion->second, node.position);
      node.velocity = m.velocity;
      node.angular_velocity = node.orientation.conjugate() * m.angular_velocity;
    }
    if (entry.velocity) node.velocity = *entry.velocity;
    if (entry.angular_velocity) node.angular_velocity = *entry.angular_velocity;
    for (int i = 0; i < 3; ++i) {
      if (entry.velocity && node.removed[i] && node.velocity[i] != 0)
        problems_.push_back(
            {node.label() + ".velocity",
             "moves the node in a direction that `fixed` takes away; make that component zero, or free the direction"});
      if (entry.angular_velocity && node.removed[3 + i] && node.angular_velocity[i] != 0)
        problems_.push_back(
            {node.label() + ".angular_velocity",
             "turns the node about an axis that is fixed; make that component zero, or free the rotations"});
      if (node.removed[i]) node.velocity[i] = 0;
      if (node.removed[3 + i]) node.angular_velocity[i] = 0;
    }
    add_node(std::move(node));
  }
  // The last that applies, as for nodes
  for (const InitialMotion& motion : model.initial_motion)
    if (motion.everything) {
      motion_of_beam_.clear();
      motion_of_all_beams_ = &motion;
    } else {
      for (const std::string& beam : motion.beams) motion_of_beam_[beam] = &motion;
    }
  for (std::size_t i = 0; i < model.sections.size(); ++i) section_index_[model.sections[i].name] = static_cast<int>(i);
}

// Names have been checked by the reader of the deck. Nodes that nothing asks for stay unreferenced and are
// reported: as problems, or as a warning where they are fixed.
int Builder::node(std::string_view name) {
  const int index = node_index_.at(std::string(name));
  nodes_[index].referenced = true;
  return index;
}

int Builder::add_node(NodeData data) {
  const int index = static_cast<int>(nodes_.size());
  node_index_.emplace(data.name, index);
  nodes_.push_back(std::move(data));
  return index;
}

const SectionEntry& Builder::section(std::string_view name) const {
  return model_.sections[section_index_.at(std::string(name))];
}

const InitialMotion* Builder::motion_of_beam(std::string_view name) const {
  const auto found = motion_of_beam_.find(name);
  return found == motion_of_beam_.end() ? motion_of_all_beams_ : found->second;
}

// Without a key the whole entry is at fault.
void Builder::problem(const Entry& entry, std::string_view key, std::string message) {
  problems_.push_back({key.empty() ? entry.path() : entry.path(key), std::move(message)});
}

// A lever s = R^T (p - x) would stay in inertial axes while the body turns.
bool Builder::check_lever(const Entry& entry, int node, const math::Vec3& lever, std::string_view what) {
  constexpr double round_off = 1e-13;  // of the extent of the model
  const NodeData& point = nodes_[static_cast<std::size_t>(node)];
  if (!point.translation_only || lever.isZero(0)) return true;
  double farthest = 0;
  for (const NodeEntry& other : model_.nodes) farthest = std::max(farthest, other.position.norm());
  if (lever.norm() <= round_off * farthest) return true;
  problem(entry, "at",
          "is off the point `" + point.name + "`, which has no rotation; put " + std::string(what) + " on it");
  return false;
}

void Builder::add_coordinate(const Entry& entry, int number, MakeSensor make, Hold hold) {
  coordinates_[{entry.name, number}] = {index_of(entry), std::move(make), std::move(hold)};
}

const Builder::MakeSensor* Builder::coordinate(std::string_view joint, int number) const {
  const auto found = coordinates_.find({std::string(joint), number});
  return found == coordinates_.end() ? nullptr : &found->second.measure;
}

void Builder::add_measured(const Entry& entry, MeasuredOutputs outputs) {
  measured_.insert_or_assign(entry.path(), std::move(outputs));
}

const Builder::MeasuredOutputs* Builder::measured(std::string_view path) const {
  const auto found = measured_.find(path);
  return found == measured_.end() ? nullptr : &found->second;
}

// Several events may name the same joint: its coordinates are held by one constraint equation each.
std::vector<int> Builder::lock(std::string_view joint, const Entry& by) {
  std::vector<int> locks;
  for (int number = 0;; ++number) {
    const auto found = coordinates_.find({std::string(joint), number});
    if (found == coordinates_.end() || !found->second.hold) return locks;
    Coordinate& coordinate = found->second;
    if (coordinate.lock < 0) {
      coordinate.lock = static_cast<int>(locks_.size());
      locks_.push_back(coordinate.hold(by));
      locks_.back().joint = coordinate.joint;
    }
    locks.push_back(coordinate.lock);
  }
}

}  // namespace polhode::model
