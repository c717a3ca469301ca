// SPDX-License-Identifier: BSD-3-Clause
// Names of results to sensors: components of a node's position and velocities, coordinates of joints and their rates.
#include "elements/signals/sensor/sensor.hpp"

#include <charconv>
#include <optional>

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/blocks/near.hpp"

namespace polhode::elements {
namespace {

using model::Measurement;
using model::Vec6;

// One component of [x, -] or of [u, Omega] of a node.
class NodeSensor final : public model::Sensor {
 public:
  NodeSensor(int node, int component, bool velocity) : node_(node), component_(component), velocity_(velocity) {}
  std::array<int, 2> nodes() const override { return {node_, 0}; }
  bool turns_alone() const override { return component_ >= 3; }
  void measure(const model::State& q, bool derivatives, Measurement& m) const override {
    const auto i = static_cast<std::size_t>(node_);
    if (derivatives) m = {};
    m.nodes = nodes();
    m.value = velocity_ ? q.v[i][component_] : q.x[i][component_];
    (velocity_ ? m.by_velocity : m.by_position)[0][component_] = 1;
  }

 private:
  int node_;
  int component_;
  bool velocity_;
};

// "joints.hinge.coordinates[1]": family, name, quantity, and a number or a letter behind it.
struct Reference {
  std::string family;
  std::string name;
  std::string quantity;
  std::optional<int> component;
};

// The family ends at the first dot; the quantity is the last word that is no letter of a component.
std::optional<Reference> parse(std::string text) {
  Reference made;
  if (!text.empty() && text.back() == ']') {
    const auto open = text.rfind('[');
    int number = 0;
    if (open == std::string::npos) return std::nullopt;
    const char* begin = text.data() + open + 1;
    const char* end = text.data() + text.size() - 1;
    if (std::from_chars(begin, end, number).ptr != end || begin == end || number < 0) return std::nullopt;
    made.component = number;
    text.resize(open);
  } else if (text.size() > 2 && text[text.size() - 2] == '.' && text.back() >= 'x' && text.back() <= 'z') {
    made.component = text.back() - 'x';
    text.resize(text.size() - 2);
  }
  const auto first = text.find('.');
  const auto last = text.rfind('.');
  if (first == std::string::npos || first == last) return std::nullopt;
  made.family = text.substr(0, first);
  made.name = text.substr(first + 1, last - first - 1);
  made.quantity = text.substr(last + 1);
  return made;
}

constexpr std::string_view known =
    "a sensor reads nodes.NAME.position, .velocity or .angular_velocity with a component (.x, .y, .z), or "
    "joints.NAME.coordinates or .rates (with [k] where the joint has several)";

// Velocities stand behind positions in the same six numbers of a node; a sensor of a node that is fixed is allowed, and
// constant.
std::unique_ptr<model::Sensor> of_node(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  const bool velocity = r.quantity == "velocity" || r.quantity == "angular_velocity";
  if (!velocity && r.quantity != "position") {
    builder.problem(entry, "of", "is no quantity that can be measured: " + std::string(known));
    return nullptr;
  }
  if (!r.component || *r.component > 2) {
    builder.problem(entry, "of", "needs a component: .x, .y or .z");
    return nullptr;
  }
  const auto& nodes = builder.model().nodes;
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const model::NodeEntry& node) { return node.name == r.name; });
  if (found == nodes.end()) {
    builder.problem(
        entry, "of",
        "names no node of the deck: '" + r.name + "'" + signals::hint(r.name, signals::names_of_nodes(builder)));
    return nullptr;
  }
  const int component = *r.component + (r.quantity == "angular_velocity" ? 3 : 0);
  return std::make_unique<NodeSensor>(builder.node(r.name), component, velocity);
}

// Joints have made their coordinates known when they were built, since signals are built last. What is not there is
// told apart: no such joint, a number that is missing, or a joint whose coordinates have no derivatives yet.
std::unique_ptr<model::Sensor> of_joint(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  if (r.quantity != "coordinates" && r.quantity != "rates") {
    builder.problem(entry, "of", "is no quantity that can be measured: " + std::string(known));
    return nullptr;
  }
  if (const auto* make = builder.coordinate(r.name, r.component.value_or(0)))
    if (r.component || !builder.coordinate(r.name, 1)) return (*make)(r.quantity == "rates");
  const auto& entries = builder.model().entries;
  const bool is_joint = std::any_of(entries.begin(), entries.end(), [&](const model::Entry& other) {
    return other.family == model::Family::joint && other.name == r.name;
  });
  if (!is_joint)
    builder.problem(
        entry, "of",
        "names no joint of the deck: '" + r.name + "'" + signals::hint(r.name, signals::names_of_joints(builder)));
  else if (builder.coordinate(r.name, 0) && !r.component)
    builder.problem(entry, "of", "needs [k]: the joint has several coordinates");
  else
    builder.problem(entry, "of",
                    "is no coordinate that can be measured; those of revolute, prismatic and cylindrical joints can");
  return nullptr;
}

constexpr std::array fields{model::Field{.name = "of",
                                         .type = model::FieldType::text,
                                         .unit = "",
                                         .doc = "what is measured: nodes.NAME.position, .velocity, .angular_velocity "
                                                "with .x, .y or .z; joints.NAME.coordinates, .rates, with [k] where "
                                                "there are several",
                                         .required = true}};

// Names are those of the results, so that what is measured can be found there.
void build_sensor(const model::Entry& entry, model::Builder& builder) {
  const std::optional<Reference> reference = parse(entry.text("of"));
  std::unique_ptr<model::Sensor> sensor;
  if (reference && reference->family == "nodes")
    sensor = of_node(*reference, entry, builder);
  else if (reference && reference->family == "joints")
    sensor = of_joint(*reference, entry, builder);
  else
    builder.problem(entry, "of", "is nothing that can be measured: " + std::string(known));
  if (sensor) builder.add_signal({builder.index_of(entry), std::move(sensor), nullptr, {}});
}

}  // namespace

const model::KindInfo sensor_info{"sensor", model::Family::signal, "measures a node or a joint", fields,
                                  {},       build_sensor,          signals::no_samples,          true};

}  // namespace polhode::elements
