// SPDX-License-Identifier: BSD-3-Clause
// Building elements from the entries of a model: kinds resolve names here, add nodes and elements, and report problems.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "polhode/model/batch.hpp"
#include "polhode/model/event.hpp"
#include "polhode/model/model.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::model {

// A node of the computable model. Index 0 is the ground.
struct NodeData {
  // Unique, for results: "clamp", "arm.3"
  std::string name;
  // For messages: "nodes.clamp", "beams.arm node 3".
  std::string label() const;
  // In the initial configuration: m, inertial; orientation: node's frame to inertial
  Vec3 position = Vec3::Zero();
  math::so3::Quaternion orientation = math::so3::Quaternion::Identity();
  // At the start, as the deck has them: m/s, inertial; rad/s, node's frame
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  // From the unknowns; of points without rotation the last three too
  std::array<bool, 6> removed{};
  // A point without rotation
  bool translation_only = false;
  // By an entry of the model
  bool referenced = false;
  // Made by a beam: "arm.3" of the beam "arm"
  bool inner = false;

  // Without unknowns, as the ground is
  bool is_fixed() const;
};

// What pictures and results need to know of an entry, constant in time; lengths in the frames of its nodes.
struct BeamTopology {
  int entry;
  // Along the beam
  std::vector<int> nodes;
  // Integration points of each element; empty: one in each
  std::vector<int> points{};
  // What each node of each element stands for: the integral of its shape function, and the section's frame there.
  // Empty where no load along the beam asks for it.
  struct Share {
    int node;
    // m
    double length;
    // Section's frame to node's frame
    Mat3 section;
  };
  std::vector<Share> shares{};
  // Sections have frames, which moments and followers need; cables have none
  bool framed = true;
  // Of beams whose masses stand at the nodes (Model::directors), once an element and node, in the frame of the node.
  struct Mass {
    int node;
    // kg
    double mass;
    // Center of mass, m
    Vec3 center;
    // About the node, kg m^2
    Mat3 inertia;
  };
  std::vector<Mass> masses{};
};
// A joint connects a point of each of two nodes.
struct JointTopology {
  int entry;
  // 0: the ground
  std::array<int, 2> nodes;
  // Of the joint's point from each node, m, in the node's frame
  std::array<Vec3, 2> offsets;
};
// A mass at a node.
struct BodyTopology {
  int entry;
  int node;
  // kg
  double mass;
  // Offset in the node's frame, m
  Vec3 center_of_mass;
  // About the center of mass, in the node's frame, kg m^2
  Mat3 inertia;
};

// Collects nodes, elements and problems while the entries of a model are walked through. A kind's `build` gets its
// entry and the builder, and must not fail: what is wrong with an entry is reported by problem(), and nothing is added
// for it. All problems of a model are reported together, so a kind may meet entries whose neighbors have problems.
class Builder {
 public:
  // Makes the ground and the nodes of the deck. The model must live as long as the builder.
  explicit Builder(const Model& model);

  const Model& model() const { return model_; }
  // Index of the node; "ground" is 0. The name must exist; the node counts as referenced.
  int node(std::string_view name);
  // The node of this index; valid until the next node is added.
  const NodeData& at(int node) const { return nodes_[node]; }
  // Adds a node beside those of the deck, such as an inner one of a beam; returns its index.
  int add_node(NodeData data);
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
  // Reports a problem at a key of the entry; `message` continues "joints.pivot.axis ...", and says what to do. A
  // key "" is the entry itself.
  void problem(const Entry& entry, std::string_view key, std::string message);
  // Reports `at` of an entry that is off a node without rotation, which carries no lever, by more than round-off of
  // places in frames. `lever`: from the node, m; `what`: is to be put there, "the joint". True if all is well.
  bool check_lever(const Entry& entry, int node, const math::Vec3& lever, std::string_view what);

  // Adds the signal of an entry: a sensor, or a block with its inputs.
  void add_signal(SignalEntry signal) { signals_.push_back(std::move(signal)); }
  // Adds what an entry of `events` does.
  void add_event(Event event) { events_.push_back(std::move(event)); }
  // The same of what an analysis does at its start.
  void add_start(Event start) { starts_.push_back(std::move(start)); }
  // Whether anything measures or holds what entries have: else they need not make it known.
  bool needs_sensors() const { return needs_sensors_; }
  // How a coordinate of a joint is measured, `number` of those that its results have: `make(rate)` makes a sensor of
  // its value or of its rate.
  using MakeSensor = std::function<std::unique_ptr<Sensor>(bool rate)>;
  // How it is held: `hold(entry)` adds a constraint equation for it, of that entry; empty: it cannot be held.
  using Hold = std::function<Lock(const Entry& by)>;
  void add_coordinate(const Entry& entry, int number, MakeSensor make, Hold hold);
  // Null where the entry has no such coordinate that can be measured.
  const MakeSensor* coordinate(std::string_view joint, int number) const;
  // How other numbers of an entry's results are measured: `make(quantity, place, component)` makes a sensor of one of
  // the components of KindInfo::outputs `quantity`; `place`: of an integration point of a beam, else 0.
  using MakeOutputSensor = std::function<std::unique_ptr<Sensor>(std::string_view quantity, int place, int component)>;
  struct MeasuredOutputs {
    MakeOutputSensor make;
    // Integration points of a beam; 1 of others
    int places = 1;
    // That a sensor reads, from 0 on
    int components = 3;
  };
  void add_measured(const Entry& entry, MeasuredOutputs outputs);
  // Null where the entry of this path has none, or has problems.
  const MeasuredOutputs* measured(std::string_view path) const;
  // The locks of all coordinates of a joint, by their numbers in locks_; the first caller, `by`, makes them. Empty where
  // the joint has no coordinate that can be held.
  std::vector<int> lock(std::string_view joint, const Entry& by);
  // The constraint equations of this joint, an index into Model::entries, may be dropped.
  void may_come_apart(int joint) { separable_.insert(joint); }
  // The batch of a kind and the number of its last element: of what was just added.
  template <class K>
  std::pair<const BatchBase*, std::size_t> last_of() const {
    const auto& batch = batches_.at(std::string(K::name));
    return {batch.get(), batch->size() - 1};
  }

  // What pictures, results and loads along beams need to know of the entry; once an entry.
  void add_topology(BeamTopology t) { beams_.push_back(std::move(t)); }
  void add_topology(JointTopology t) { joints_.push_back(t); }
  void add_topology(BodyTopology t) { bodies_.push_back(t); }
  // The entry's index in Model::entries; the entry must be one of them.
  int index_of(const Entry& entry) const { return static_cast<int>(&entry - model_.entries.data()); }

  // The results of building; moved out by the assembly.
  // By index, the ground first
  std::vector<NodeData> nodes_;
  // By kind
  std::map<std::string, std::unique_ptr<BatchBase>> batches_;
  // In the order of the entries
  std::vector<BeamTopology> beams_;
  std::vector<JointTopology> joints_;
  std::vector<BodyTopology> bodies_;
  std::vector<SignalEntry> signals_;
  std::vector<Event> events_;
  std::vector<Event> starts_;
  std::vector<Lock> locks_;
  std::set<int> separable_;
  Problems problems_;

 private:
  const Model& model_;
  bool needs_sensors_;
  // By name: indices into nodes_, and into the sections of the model
  std::unordered_map<std::string, int> node_index_;
  std::unordered_map<std::string, int> section_index_;
  // Of beams, by name, and of all others
  std::unordered_map<std::string_view, const InitialMotion*> motion_of_beam_;
  const InitialMotion* motion_of_all_beams_ = nullptr;
  // By name of a joint and number
  struct Coordinate {
    int joint;  // its entry
    MakeSensor measure;
    Hold hold;
    // In locks_; -1: not held by anything
    int lock = -1;
  };
  std::map<std::pair<std::string, int>, Coordinate> coordinates_;
  // By path of the entry
  std::map<std::string, MeasuredOutputs, std::less<>> measured_;
};

// The velocity that `motion` gives to a point at x, and its angular velocity (both inertial).
struct PointMotion {
  Vec3 velocity;
  Vec3 angular_velocity;
};
PointMotion motion_at(const InitialMotion& motion, const Vec3& x);

}  // namespace polhode::model
