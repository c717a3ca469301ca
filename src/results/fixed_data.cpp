// SPDX-License-Identifier: BSD-3-Clause
// Names and connections of the model, as data of the results.
#include "fixed_data.hpp"

#include <algorithm>

#include "shared_channel.hpp"

namespace polhode::results {
namespace {

// Of a coupling, which has no nodes of its own; the ground is -1.
constexpr int no_node = -2;

// A list of indices, or rows of them.
StaticData indices(std::string path, std::string doc, std::vector<int> shape, std::vector<int> values = {}) {
  StaticData data;
  data.path = std::move(path);
  data.description = std::move(doc);
  data.shape = std::move(shape);
  data.indices = std::move(values);
  data.indices.resize(numbers_of(data.shape), no_node);
  data.integer = true;
  return data;
}

// An array of numbers, last index fastest.
StaticData numbers(std::string path, std::string doc, std::string unit, std::vector<int> shape) {
  StaticData data;
  data.path = std::move(path);
  data.description = std::move(doc);
  data.units = std::move(unit);
  data.shape = std::move(shape);
  data.numbers.resize(numbers_of(data.shape));
  return data;
}

int length_of(const std::vector<std::string>& names) { return static_cast<int>(names.size()); }

// The axis of nodes in all histories has this order.
StaticData node_names(const assembly::System& system) {
  StaticData data;
  data.path = "/nodes/names";
  data.description = "names of the nodes, in the order of the node axis";
  for (const int node : system.node_axis()) data.names.push_back(system.node(static_cast<std::size_t>(node)).name);
  return data;
}

// Where nodes stand on their axis: by index in the system, the ground -1. Joints, bodies and beams name their nodes by
// these places.
std::vector<int> places_of_nodes(const assembly::System& system) {
  std::vector<int> places(system.nodes(), -1);
  for (std::size_t place = 0; place < system.node_axis().size(); ++place)
    places[static_cast<std::size_t>(system.node_axis()[place])] = static_cast<int>(place);
  return places;
}

// Item `entity` of a table of one item an entity, as a dataset of its own.
StaticData item_of(const StaticData& table, int entity, const std::string& path, std::vector<int> shape) {
  StaticData item;
  item.path = path;
  item.description = table.description;
  item.units = table.units;
  item.integer = table.integer;
  const auto size = static_cast<std::ptrdiff_t>(numbers_of(shape));
  if (table.integer)
    item.indices.assign(table.indices.begin() + entity * size, table.indices.begin() + (entity + 1) * size);
  else
    item.numbers.assign(table.numbers.begin() + entity * size, table.numbers.begin() + (entity + 1) * size);
  item.shape = std::move(shape);
  return item;
}

// The tables, and each row of them by name where the group is small. Single numbers are lists of one by name.
void add_tables(const EntityGroup& group, std::vector<StaticData> tables, Layout& layout) {
  add_names_of(group, layout);
  const std::size_t first = layout.statics.size();
  for (StaticData& table : tables) layout.statics.push_back(std::move(table));
  const std::size_t end = layout.statics.size();
  if (group.names.size() > most_by_name) return;
  for (std::size_t entity = 0; entity < group.names.size(); ++entity) {
    // The first table tells whether it has nodes.
    const StaticData& nodes = layout.statics[first];
    const bool has_nodes = nodes.indices[entity * nodes.indices.size() / group.names.size()] != no_node;
    if (!has_nodes || !is_free(layout, group.name, group.names[entity])) continue;
    for (std::size_t i = first; i < end; ++i) {
      const StaticData& table = layout.statics[i];
      std::vector<int> shape(table.shape.begin() + 1, table.shape.end());
      if (shape.empty()) shape.push_back(1);
      std::string path = table.path;
      path.insert(group.name.size() + 1, '/' + group.names[entity]);
      layout.statics.push_back(item_of(table, static_cast<int>(entity), path, std::move(shape)));
    }
  }
}

// Nodes along each beam, one after the other, and pairs of neighbors as lines of a picture.
void add_beams(const assembly::System& system, const std::vector<int>& places, const EntityGroup& group,
               Layout& layout) {
  if (system.beams().empty()) return;
  add_names_of(group, layout);
  std::vector<int> nodes;
  std::vector<int> ranges(2 * group.names.size(), 0);
  std::vector<int> segments;
  for (const model::BeamTopology& beam : system.beams()) {
    const auto row = 2 * static_cast<std::size_t>(group.index_of(beam.entry));
    ranges[row] = static_cast<int>(nodes.size());
    ranges[row + 1] = static_cast<int>(beam.nodes.size());
    for (std::size_t i = 0; i < beam.nodes.size(); ++i) {
      nodes.push_back(places[static_cast<std::size_t>(beam.nodes[i])]);
      if (i > 0) segments.insert(segments.end(), {*(nodes.end() - 2), nodes.back()});
    }
  }
  const auto length = [](const std::vector<int>& values, int width) { return static_cast<int>(values.size()) / width; };
  layout.statics.push_back(indices("/beams/node_ranges", "first place in /beams/nodes and number of nodes of each beam",
                                   {length(ranges, 2), 2}, ranges));
  layout.statics.push_back(indices("/beams/segments", "pairs of neighboring nodes, indices into /nodes/names",
                                   {length(segments, 2), 2}, segments));
  layout.statics.push_back(
      indices("/beams/nodes", "indices into /nodes/names along each beam, beam after beam", {length(nodes, 1)}, nodes));
  if (group.names.size() > most_by_name) return;
  for (std::size_t i = 0; i < group.names.size(); ++i) {
    if (!is_free(layout, "beams", group.names[i])) continue;
    const auto begin = nodes.begin() + ranges[2 * i];
    layout.statics.push_back(indices("/beams/" + group.names[i] + "/nodes", "indices into /nodes/names, along the beam",
                                     {ranges[2 * i + 1]}, {begin, begin + ranges[2 * i + 1]}));
  }
}

// Two nodes and the joint's point, in the frame of each: enough to draw it.
void add_joints(const assembly::System& system, const std::vector<int>& places, const EntityGroup& group,
                Layout& layout) {
  if (system.joints().empty()) return;
  const int count = length_of(group.names);
  StaticData nodes =
      indices("/joints/nodes", "indices of the two nodes into /nodes/names, -1 = ground, -2 = none", {count, 2});
  StaticData offsets =
      numbers("/joints/offsets", "the joint's point from each node, in the node's frame", "m", {count, 2, 3});
  for (const model::JointTopology& joint : system.joints()) {
    const auto row = static_cast<std::size_t>(group.index_of(joint.entry));
    for (std::size_t side = 0; side < 2; ++side) {
      nodes.indices[2 * row + side] = places[static_cast<std::size_t>(joint.nodes[side])];
      std::copy_n(joint.offsets[side].data(), 3, offsets.numbers.data() + 6 * row + 3 * side);
    }
  }
  add_tables(group, {std::move(nodes), std::move(offsets)}, layout);
}

// Mass and inertia of bodies, so that other programs can compute energies and momenta from the motion.
void add_bodies(const assembly::System& system, const std::vector<int>& places, const EntityGroup& group,
                Layout& layout) {
  if (system.bodies().empty()) return;
  const int count = length_of(group.names);
  StaticData node = indices("/bodies/node", "index of the node into /nodes/names", {count});
  StaticData mass = numbers("/bodies/mass", "mass", "kg", {count});
  StaticData center = numbers("/bodies/center_of_mass", "offset from the node, in the node's frame", "m", {count, 3});
  StaticData inertia =
      numbers("/bodies/inertia", "about the center of mass, in the node's frame", "kg m^2", {count, 3, 3});
  for (const model::BodyTopology& body : system.bodies()) {
    const auto row = static_cast<std::size_t>(group.index_of(body.entry));
    node.indices[row] = places[static_cast<std::size_t>(body.node)];
    mass.numbers[row] = body.mass;
    std::copy_n(body.center_of_mass.data(), 3, center.numbers.data() + 3 * row);
    std::copy_n(body.inertia.data(), 9, inertia.numbers.data() + 9 * row);
  }
  add_tables(group, {std::move(node), std::move(mass), std::move(center), std::move(inertia)}, layout);
}

}  // namespace

void add_fixed_data(const assembly::System& system, const Entities& entities, Layout& layout) {
  layout.statics.push_back(node_names(system));
  const std::vector<int> places = places_of_nodes(system);
  add_beams(system, places, entities.group("beams"), layout);
  add_joints(system, places, entities.group("joints"), layout);
  add_bodies(system, places, entities.group("bodies"), layout);
}

}  // namespace polhode::results
