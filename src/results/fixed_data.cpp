// SPDX-License-Identifier: BSD-3-Clause
// Names and connections of the model, as data of the results.
#include "polhode/results/fixed_data.hpp"

#include "polhode/results/kept_fields.hpp"

namespace polhode::results {
namespace {

// A list of indices.
StaticData indices(std::string path, std::string doc, std::vector<int> values) {
  StaticData data;
  data.path = std::move(path);
  data.description = std::move(doc);
  data.shape = {static_cast<int>(values.size())};
  data.indices = std::move(values);
  return data;
}

// An array of numbers, last index fastest; as many as the shape has are copied.
StaticData numbers(std::string path, std::string doc, std::string unit, std::vector<int> shape, const double* from) {
  StaticData data;
  data.path = std::move(path);
  data.description = std::move(doc);
  data.units = std::move(unit);
  data.numbers.assign(from, from + numbers_of(shape));
  data.shape = std::move(shape);
  return data;
}

// The axis of nodes in all histories has this order.
StaticData node_names(const assembly::System& system) {
  StaticData data;
  data.path = "/nodes/names";
  data.description = "names of the nodes, in the order of the node axis";
  for (std::size_t i = 1; i < system.nodes(); ++i) data.names.push_back(system.node(i).name);
  return data;
}

}  // namespace

// The program counts nodes with the ground as 0; files count without it.
std::vector<StaticData> fixed_data(const assembly::System& system) {
  std::vector<StaticData> all = {node_names(system)};
  // The folder of an entry, as its histories have it.
  const auto group = [&](const char* family, int entry) {
    return std::string(family) + system.model().entries[static_cast<std::size_t>(entry)].name + '/';
  };
  for (const model::BeamTopology& beam : system.beams()) {
    std::vector<int> nodes;
    for (const int node : beam.nodes) nodes.push_back(node - 1);
    all.push_back(
        indices(group("/beams/", beam.entry) + "nodes", "indices into /nodes/names, along the beam", std::move(nodes)));
  }
  // Two nodes and the joint's point, in the frame of each: enough to draw it.
  for (const model::JointTopology& joint : system.joints()) {
    const std::string path = group("/joints/", joint.entry);
    all.push_back(indices(path + "nodes", "indices of the two nodes into /nodes/names, -1 = ground",
                          {joint.nodes[0] - 1, joint.nodes[1] - 1}));
    std::vector<double> offsets;
    for (const auto& offset : joint.offsets) offsets.insert(offsets.end(), offset.data(), offset.data() + 3);
    all.push_back(numbers(path + "offsets", "the joint's point from each node, in the node's frame", "m", {2, 3},
                          offsets.data()));
  }
  // Mass and inertia of bodies, so that other programs can compute energies and momenta from the motion.
  for (const model::BodyTopology& body : system.bodies()) {
    const std::string path = group("/bodies/", body.entry);
    all.push_back(indices(path + "node", "index of the node into /nodes/names", {body.node - 1}));
    all.push_back(numbers(path + "mass", "mass", "kg", {1}, &body.mass));
    all.push_back(numbers(path + "center_of_mass", "offset from the node, in the node's frame", "m", {3},
                          body.center_of_mass.data()));
    all.push_back(numbers(path + "inertia", "about the center of mass, in the node's frame", "kg m^2", {3, 3},
                          body.inertia.data()));
  }
  return all;
}

}  // namespace polhode::results
