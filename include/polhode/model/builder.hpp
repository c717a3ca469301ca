// SPDX-License-Identifier: BSD-3-Clause
// Building elements from the entries of a model: kinds resolve names here, add nodes and elements, and report problems.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "polhode/model/batch.hpp"
#include "polhode/model/model.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::model {

// A node of the computable model. Index 0 is the ground.
struct NodeData {
  std::string name;           // unique, for results: "clamp", "arm.3"
  std::string label() const;  // for messages: "nodes.clamp", "beams.arm node 3"
  Vec3 position = Vec3::Zero();
  math::so3::Quaternion orientation = math::so3::Quaternion::Identity();
  Vec3 velocity = Vec3::Zero();          // inertial
  Vec3 angular_velocity = Vec3::Zero();  // node's frame
  std::array<bool, 6> removed{};         // from the unknowns; of points without rotation the last three too
  bool translation_only = false;
  bool referenced = false;  // by an entry of the model
};

// What pictures and results need to know of an entry, constant in time; lengths in the frames of its nodes.
struct BeamTopology {
  int entry;
  std::vector<int> nodes;  // along the beam
  int points = 1;          // integration points of an element
  // What each node of each element stands for: the integral of its shape function, and the section's frame there.
  // Empty where no load along the beam asks for it.
  struct Share {
    int node;
    double length;  // m
    Mat3 section;   // section's frame to node's frame
  };
  std::vector<Share> shares{};
};
// A joint connects a point of each of two nodes.
struct JointTopology {
  int entry;
  std::array<int, 2> nodes;     // 0 = ground
  std::array<Vec3, 2> offsets;  // of the joint's point from each node, in the node's frame
};
// A mass at a node.
struct BodyTopology {
  int entry;
  int node;
  double mass;          // kg
  Vec3 center_of_mass;  // offset in the node's frame
  Mat3 inertia;         // about the centre of mass, in the node's frame
};

// Collects nodes, elements and problems while the entries of a model are walked through. A kind's `build` gets its entry
// and the builder, and must not fail: what is wrong with an entry is reported by problem(), and nothing is added for it.
// All problems of a model are reported together, so a kind may meet entries whose neighbors have problems.
class Builder {
 public:
  // Makes the ground and the nodes of the deck. The model must live as long as the builder.
  explicit Builder(const Model& model);

  const Model& model() const { return model_; }
  int node(std::string_view name);  // "ground" = 0; the name must exist; the node counts as referenced
  const NodeData& at(int node) const { return nodes_[node]; }
  // Nodes beside those of the deck, such as the inner ones of a beam.
  int add_node(NodeData data);  // returns its index
  // The section of this name, which must exist.
  const SectionEntry& section(std::string_view name) const;
  // The initial motion that holds for every node of this beam, or nullptr.
  const InitialMotion* motion_of_beam(std::string_view name) const;

  // Adds an element of kind K between the nodes `at` (0: the ground) to the batch of its kind, for the entry.
  template <class K>
  void add(const Entry& entry, const std::array<int, K::nodes>& at, typename K::Data data) {
    std::unique_ptr<BatchBase>& batch = batches_[std::string(K::name)];
    if (!batch) batch = std::make_unique<Batch<K>>();
    static_cast<Batch<K>&>(*batch).add(index_of(entry), at, std::move(data));
  }
  // Reports a problem at a key of the entry; `message` continues "joints.pivot.axis ...", and says what to do.
  void problem(const Entry& entry, std::string_view key, std::string message);  // key "" = the entry itself

  // What pictures, results and loads along beams need to know of the entry; once an entry.
  void add_topology(BeamTopology t) { beams_.push_back(std::move(t)); }
  void add_topology(JointTopology t) { joints_.push_back(t); }
  void add_topology(BodyTopology t) { bodies_.push_back(t); }
  // The entry's index in Model::entries; the entry must be one of them.
  int index_of(const Entry& entry) const { return static_cast<int>(&entry - model_.entries.data()); }

  // The results of building; moved out by the assembly.
  std::vector<NodeData> nodes_;
  std::map<std::string, std::unique_ptr<BatchBase>> batches_;  // by kind
  std::vector<BeamTopology> beams_;
  std::vector<JointTopology> joints_;
  std::vector<BodyTopology> bodies_;
  Problems problems_;

 private:
  const Model& model_;
  std::unordered_map<std::string, int> node_index_;
  std::unordered_map<std::string, int> section_index_;
};

// The velocity that `motion` gives to a point at x, and its angular velocity (both inertial).
struct PointMotion {
  Vec3 velocity;
  Vec3 angular_velocity;
};
PointMotion motion_at(const InitialMotion& motion, const Vec3& x);

}  // namespace polhode::model
