// SPDX-License-Identifier: BSD-3-Clause
// Names of results to sensors: components of a node's position, rotation, velocities and accelerations, coordinates of
// joints, their rates and reactions, strains and section forces of beams, results of forces, energies and momenta.
#include "elements/signals/sensor/sensor.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/blocks/near.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::elements {
namespace {

using model::Measurement;
using model::Vec6;

// An energy or a momentum of the whole model.
struct Sum {
  std::string_view family;
  std::string_view name;
  std::string_view unit;
  int size;
  double (*of)(const model::Totals& totals, int component);
};
constexpr std::array<Sum, 6> sums{
    Sum{"energy", "kinetic", "J", 1, [](const model::Totals& t, int) { return t.energies.kinetic; }},
    Sum{"energy", "strain", "J", 1, [](const model::Totals& t, int) { return t.energies.strain; }},
    Sum{"energy", "gravity", "J", 1, [](const model::Totals& t, int) { return t.energies.gravity; }},
    Sum{"energy", "total", "J", 1, [](const model::Totals& t, int) { return t.energies.total(); }},
    Sum{"invariants", "linear_momentum", "N s", 3, [](const model::Totals& t, int i) { return t.linear[i]; }},
    Sum{"invariants", "angular_momentum", "N m s", 3, [](const model::Totals& t, int i) { return t.angular[i]; }}};

// As /energy and /invariants have it. Signals have no part in any energy or momentum.
class SumSensor final : public model::Sensor {
 public:
  SumSensor(const model::Builder& builder, const Sum& which, int component)
      : gravity_(builder.model().gravity), which_(which), component_(component) {
    for (const auto& [kind, batch] : builder.batches_) batches_.push_back(batch.get());
  }
  std::span<const int> nodes() const override { return {}; }
  bool has_derivatives() const override { return false; }
  void measure(const model::State& q, bool, Measurement& m) const override {
    const model::Context c{.t = q.t, .gravity = q.load_factor * gravity_, .load_factor = q.load_factor};
    model::Totals all;
    for (const model::BatchBase* batch : batches_) all += batch->observe(0, batch->size(), q, c, nullptr, 0);
    m.value = which_.of(all, component_);
  }

 private:
  math::Vec3 gravity_;
  std::vector<const model::BatchBase*> batches_;
  const Sum& which_;
  int component_;
};

// One number of the unit quaternion (w, v) of a node. With a rotation dTheta in the node's frame
//   dw = -v . dTheta/2,   dv = (w dTheta + v x dTheta)/2.
class RotationSensor final : public model::Sensor {
 public:
  RotationSensor(int node, int component) : node_(node), component_(component) {}
  std::span<const int> nodes() const override { return {&node_, 1}; }
  bool turns_alone() const override { return true; }
  void measure(const model::State& q, bool derivatives, Measurement& m) const override {
    const math::so3::Quaternion& quat = q.quat[static_cast<std::size_t>(node_)];
    const double w = quat.w();
    const math::Vec3 v = quat.vec();
    if (component_ == 0) {
      m.value = w;
      if (derivatives) m.by_position[0].tail<3>() = -0.5 * v;
      return;
    }
    m.value = v[component_ - 1];
    if (!derivatives) return;
    const math::Vec3 e = math::Vec3::Unit(component_ - 1);
    m.by_position[0].tail<3>() = 0.5 * (w * e + e.cross(v));
  }

 private:
  int node_;
  int component_;
};

// One component of [x, -], of [u, Omega] or of their rates of a node.
class NodeSensor final : public model::Sensor {
 public:
  enum class Of { position, velocity, acceleration };
  NodeSensor(int node, int component, Of of) : node_(node), component_(component), of_(of) {}
  std::span<const int> nodes() const override { return {&node_, 1}; }
  bool accelerates() const override { return of_ == Of::acceleration; }
  bool turns_alone() const override { return component_ >= 3; }
  void measure(const model::State& q, bool, Measurement& m) const override {
    const auto i = static_cast<std::size_t>(node_);
    switch (of_) {
      case Of::position:
        m.value = q.x[i][component_];
        m.by_position[0][component_] = 1;
        return;
      case Of::velocity:
        m.value = q.v[i][component_];
        m.by_velocity[0][component_] = 1;
        return;
      case Of::acceleration:
        m.value = q.vdot[i][component_];
        m.by_acceleration[0][component_] = 1;
    }
  }

 private:
  int node_;
  int component_;
  Of of_;
};

// "beams.arm.forces[3].x": family, name, quantity, and what is behind it: numbers in brackets, or a letter.
struct Reference {
  std::string family;
  std::string name;
  std::string quantity;
  std::vector<int> numbers;
  bool by_letter = false;  // the last of them

  std::optional<int> component() const { return numbers.empty() ? std::nullopt : std::optional<int>(numbers.back()); }
};

// Takes a number in brackets or a letter off the end; false: there is none.
bool take_number(std::string& text, int& number) {
  if (text.size() > 2 && text[text.size() - 2] == '.' && text.back() >= 'x' && text.back() <= 'z') {
    number = text.back() - 'x';
    text.resize(text.size() - 2);
    return true;
  }
  if (text.empty() || text.back() != ']') return false;
  const auto open = text.rfind('[');
  if (open == std::string::npos) return false;
  const char* begin = text.data() + open + 1;
  const char* end = text.data() + text.size() - 1;
  if (begin == end || *begin == '-' || std::from_chars(begin, end, number).ptr != end) return false;
  text.resize(open);
  return true;
}

// The family ends at the first dot; the quantity is the last word that is no letter of a component.
std::optional<Reference> parse(std::string text) {
  Reference made;
  made.by_letter = !text.empty() && text.back() != ']';
  for (int number = 0; take_number(text, number);) made.numbers.insert(made.numbers.begin(), number);
  const auto first = text.find('.');
  const auto last = text.rfind('.');
  if (first == std::string::npos || text.find_first_of("[]") != std::string::npos) return std::nullopt;
  made.family = text.substr(0, first);
  if (first != last) made.name = text.substr(first + 1, last - first - 1);
  made.quantity = text.substr(last + 1);
  return made;
}

constexpr std::string_view known =
    "a sensor reads nodes.NAME.position, .velocity, .acceleration, .angular_velocity or .angular_acceleration with a "
    "component (.x, .y, .z), nodes.NAME.rotation[k] (the quaternion, [0] to [3]), joints.NAME.coordinates or .rates "
    "(with [k] where the joint has several), "
    "joints.NAME.force or .moment (.x, .y, "
    ".z), .axis_torque or .axis_force of a drive or a law, .multipliers[k], beams.NAME.strains[i][k] or .forces[i][k] "
    "(integration point i, "
    "component k), the results of a force such as forces.NAME.force, energy.kinetic, .strain, .gravity or .total, and "
    "invariants.linear_momentum or .angular_momentum (.x, .y, .z); a work is an `integrator` of its power";

// Nothing comes back, so that callers return what this does.
std::unique_ptr<model::Sensor> refuse(const model::Entry& entry, model::Builder& builder, std::string message) {
  builder.problem(entry, "of", std::move(message));
  return nullptr;
}

// An entry with problems has made nothing known that could be measured, and they are reported.
bool has_problems(std::string_view path, const model::Builder& builder) {
  return std::any_of(builder.problems_.begin(), builder.problems_.end(),
                     [&](const model::Problem& problem) { return problem.path.starts_with(path); });
}

// The family is one that has sensors, the word behind the name is not.
std::unique_ptr<model::Sensor> no_quantity(const model::Entry& entry, model::Builder& builder) {
  return refuse(entry, builder, "is no quantity that can be measured: " + std::string(known));
}

// The entry of a family that is named; a misspelt name is reported with the nearest.
const model::Entry* entry_of(const Reference& r, model::Family family, std::string_view what, const model::Entry& entry,
                             model::Builder& builder) {
  for (const model::Entry& other : builder.model().entries)
    if (other.family == family && other.name == r.name) return &other;
  refuse(entry, builder,
         "names no " + std::string(what) + " of the deck: '" + r.name + "'" +
             signals::hint(r.name, signals::names_of(family, builder)));
  return nullptr;
}

struct NodeQuantity {
  std::string_view name;
  std::string_view unit;
  int size;
  std::string_view component;
  std::unique_ptr<model::Sensor> (*make)(int node, int component);
};
// The numbers from `first` on of the six of a node.
template <NodeSensor::Of of, int first>
std::unique_ptr<model::Sensor> make_node_sensor(int node, int component) {
  return std::make_unique<NodeSensor>(node, first + component, of);
}
std::unique_ptr<model::Sensor> make_rotation_sensor(int node, int component) {
  return std::make_unique<RotationSensor>(node, component);
}
using Of = NodeSensor::Of;
constexpr std::string_view letter = "needs a component: .x, .y or .z";
constexpr std::array<NodeQuantity, 6> node_quantities{
    NodeQuantity{"position", "m", 3, letter, make_node_sensor<Of::position, 0>},
    NodeQuantity{"rotation", "1", 4, "needs the number in the quaternion (w, x, y, z): [0] to [3]",
                 make_rotation_sensor},
    NodeQuantity{"velocity", "m/s", 3, letter, make_node_sensor<Of::velocity, 0>},
    NodeQuantity{"acceleration", "m/s^2", 3, letter, make_node_sensor<Of::acceleration, 0>},
    NodeQuantity{"angular_velocity", "rad/s", 3, letter, make_node_sensor<Of::velocity, 3>},
    NodeQuantity{"angular_acceleration", "rad/s^2", 3, letter, make_node_sensor<Of::acceleration, 3>}};

// A sensor of a node that is fixed is allowed, and constant.
std::unique_ptr<model::Sensor> of_node(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  const auto quantity = std::find_if(node_quantities.begin(), node_quantities.end(),
                                     [&](const NodeQuantity& one) { return one.name == r.quantity; });
  if (quantity == node_quantities.end()) return no_quantity(entry, builder);
  if (r.numbers.size() != 1 || *r.component() >= quantity->size || (quantity->size == 4 && r.by_letter))
    return refuse(entry, builder, std::string(quantity->component));
  // Inner nodes of beams stand behind those of the deck; a beam with problems has made none
  const auto& nodes = builder.nodes_;
  const auto found =
      std::find_if(nodes.begin() + 1, nodes.end(), [&](const model::NodeData& node) { return node.name == r.name; });
  if (found == nodes.end() && has_problems("beams." + r.name.substr(0, r.name.rfind('.')), builder)) return nullptr;
  if (found == nodes.end())
    return refuse(
        entry, builder,
        "names no node of the deck: '" + r.name + "'" + signals::hint(r.name, signals::names_of_nodes(builder)));
  return quantity->make(builder.node(r.name), *r.component());
}

// Joints and beams have made known what can be measured of them when they were built, since signals are built last.
// A drive is a reaction along its axis; what a law does is a function of coordinate, rate and time, unless its motor
// follows signals. Multipliers are counted as results have them.
struct JointNumber {
  std::string_view name;
  std::size_t numbers;  // that stand behind the name
  std::string_view needs;
};
constexpr std::string_view along_axis =
    "can be measured of a joint with a drive along this axis, or with a spring, damper, law or motor whose motor "
    "follows no signals: what that does is the signal itself";
constexpr std::array<JointNumber, 3> joint_numbers{
    JointNumber{"axis_torque", 0, along_axis}, JointNumber{"axis_force", 0, along_axis},
    JointNumber{"multipliers", 1, "needs [k] within the constraint equations of this joint, from [0] on"}};

std::unique_ptr<model::Sensor> of_number(const JointNumber& number, const Reference& r, const model::Entry& entry,
                                         model::Builder& builder) {
  const auto* outputs = builder.measured("joints." + r.name);
  const bool fits = outputs && r.numbers.size() == number.numbers;
  auto sensor = fits ? outputs->make(r.quantity, 0, r.component().value_or(0)) : nullptr;
  if (sensor || has_problems("joints." + r.name, builder)) return sensor;
  return refuse(entry, builder, std::string(number.needs));
}

std::unique_ptr<model::Sensor> of_reaction(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  if (r.numbers.size() != 1 || *r.component() > 2)
    return refuse(entry, builder, "needs a component: .x, .y or .z, inertial");
  const auto* outputs = builder.measured("joints." + r.name);
  if (!outputs && has_problems("joints." + r.name, builder)) return nullptr;
  return outputs ? outputs->make(r.quantity, 0, *r.component())
                 : refuse(entry, builder, "is of a joint without a reaction of its own; name one of another joint");
}

// Coordinates are counted here: how many a joint has is not known otherwise.
std::unique_ptr<model::Sensor> of_joint(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  const bool is_reaction = r.quantity == "force" || r.quantity == "moment";
  const auto number = std::find_if(joint_numbers.begin(), joint_numbers.end(),
                                   [&](const JointNumber& one) { return one.name == r.quantity; });
  const bool is_number = number != joint_numbers.end();
  if (!is_reaction && !is_number && r.quantity != "coordinates" && r.quantity != "rates")
    return no_quantity(entry, builder);
  if (!entry_of(r, model::Family::joint, "joint", entry, builder)) return nullptr;
  if (is_reaction) return of_reaction(r, entry, builder);
  if (is_number) return of_number(*number, r, entry, builder);
  int count = 0;
  while (builder.coordinate(r.name, count)) ++count;
  if (count == 0 && has_problems("joints." + r.name, builder)) return nullptr;
  if (count == 0) return refuse(entry, builder, "is of a joint without coordinates: " + std::string(known));
  if (r.numbers.empty() && count > 1)
    return refuse(entry, builder,
                  "needs [k]: the joint has several coordinates, [0] to [" + std::to_string(count - 1) + "]");
  if (r.numbers.size() > 1 || r.component().value_or(0) >= count)
    return refuse(entry, builder,
                  "is beyond the coordinates of this joint, of which there are " + std::to_string(count) +
                      ", [0] to [" + std::to_string(count - 1) + "]");
  return (*builder.coordinate(r.name, r.component().value_or(0)))(r.quantity == "rates");
}

// As the results index them: integration points of all elements in turn, then N, Qy, Qz, Mx, My, Mz.
std::unique_ptr<model::Sensor> of_beam(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  if (r.quantity != "strains" && r.quantity != "forces") return no_quantity(entry, builder);
  if (!entry_of(r, model::Family::beam, "beam", entry, builder)) return nullptr;
  if (r.numbers.size() != 2)
    return refuse(
        entry, builder,
        "needs [i][k]: the integration point, counted from 0 along the beam, and the component (0 to 5: N, Qy, "
        "Qz, Mx, My, Mz)");
  if (r.numbers[1] > 5) return refuse(entry, builder, "has a component beyond [5]: they are N, Qy, Qz, Mx, My, Mz");
  const auto* outputs = builder.measured("beams." + r.name);
  if (!outputs) return nullptr;  // its own problems are reported
  if (r.numbers[0] >= outputs->places)
    return refuse(entry, builder,
                  "is beyond the integration points of this beam, of which there are " +
                      std::to_string(outputs->places) + ", [0] to [" + std::to_string(outputs->places - 1) + "]");
  if (r.numbers[1] >= outputs->components)
    return refuse(
        entry, builder,
        "is zero always: a cable has a strain and a tension alone; take [" + std::to_string(r.numbers[0]) + "][0]");
  return outputs->make(r.quantity, r.numbers[0], r.numbers[1]);
}

// "force (.x, .y, .z), moment (.x, .y, .z), deformation ([0] to [5])".
std::string named(std::span<const model::Output> outputs) {
  std::string all;
  for (const model::Output& output : outputs) {
    all += (all.empty() ? "" : ", ") + std::string(output.name);
    if (output.size == 3) all += " (.x, .y, .z)";
    if (output.size > 3) all += " ([0] to [" + std::to_string(output.size - 1) + "])";
  }
  return all;
}

// Forces have results of their own kind.
std::unique_ptr<model::Sensor> of_force(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  const model::Entry* const force = entry_of(r, model::Family::force, "force", entry, builder);
  if (!force) return nullptr;
  const std::string kind(force->kind->name);
  const std::span<const model::Output> outputs = force->kind->outputs;
  if (outputs.empty())
    return refuse(entry, builder,
                  "is of a " + kind + ", which has no results; what its functions take can be measured");
  const auto output =
      std::find_if(outputs.begin(), outputs.end(), [&](const model::Output& one) { return one.name == r.quantity; });
  if (output == outputs.end())
    return refuse(entry, builder, "is no result of a " + kind + ", which has " + named(outputs));
  const int component = r.component().value_or(0);
  if (r.numbers.size() != (output->size > 1 ? 1u : 0u) || component >= output->size)
    return refuse(entry, builder, "is not one number; the results of a " + kind + " are " + named(outputs));
  const auto* measured = builder.measured("forces." + r.name);
  auto sensor = measured ? measured->make(r.quantity, 0, component) : nullptr;
  if (sensor || has_problems("forces." + r.name, builder)) return sensor;
  return refuse(entry, builder,
                "cannot be measured: the actuator of this " + kind +
                    " follows signals, which would depend on themselves; put the actuator into an entry of its own");
}

bool is_of_sums(std::string_view family) {
  return std::any_of(sums.begin(), sums.end(), [&](const Sum& sum) { return sum.family == family; });
}

// Without the name of an entry: of the whole model.
std::unique_ptr<model::Sensor> of_sum(const Reference& r, const model::Entry& entry, model::Builder& builder) {
  const auto found = std::find_if(sums.begin(), sums.end(),
                                  [&](const Sum& sum) { return sum.family == r.family && sum.name == r.quantity; });
  if (found == sums.end() || !r.name.empty()) return no_quantity(entry, builder);
  const int component = r.component().value_or(0);
  if (r.numbers.size() == (found->size > 1 ? 1u : 0u) && component < found->size)
    return std::make_unique<SumSensor>(builder, *found, component);
  return found->size > 1 ? refuse(entry, builder, "needs a component: .x, .y or .z, inertial")
                         : no_quantity(entry, builder);
}

// The unit of a component of an output: one each, or the same for all.
std::string unit_of(const model::Output& output, int component) {
  std::string_view units = output.unit;
  for (std::size_t comma = 0; component > 0 && (comma = units.find(", ")) != std::string_view::npos; --component)
    units.remove_prefix(comma + 2);
  return std::string(units.substr(0, units.find(", ")));
}

// As the results have it.
std::string unit_of(const Reference& r, const model::Builder& builder) {
  for (const Sum& sum : sums)
    if (sum.family == r.family && sum.name == r.quantity) return std::string(sum.unit);
  for (const NodeQuantity& one : node_quantities)
    if (r.family == "nodes" && one.name == r.quantity) return std::string(one.unit);
  for (const model::Entry& entry : builder.model().entries)
    if (entry.name == r.name && model::deck_key(entry.family) == r.family)
      for (const model::Output& output : entry.kind->outputs)
        if (output.name == r.quantity) return unit_of(output, r.component().value_or(0));
  return "";
}

constexpr std::array fields{
    model::Field{.name = "of",
                 .type = model::FieldType::text,
                 .unit = "",
                 .doc = "what is measured: nodes.NAME.position, .velocity, .acceleration, "
                        ".angular_velocity, .angular_acceleration with .x, .y or .z, "
                        ".rotation[k]; joints.NAME.coordinates, .rates, with [k] where "
                        "there are several; joints.NAME.force, .moment with .x, .y or .z, "
                        "joints.NAME.axis_torque, .axis_force of drives and laws, .multipliers[k]; "
                        "beams.NAME.strains[i][k], .forces[i][k], integration point and "
                        "component; forces.NAME with a result of that force; "
                        "energy.kinetic, .strain, .gravity, .total; "
                        "invariants.linear_momentum, .angular_momentum with .x, .y or .z",
                 .required = true}};

// Names are those of the results, so that what is measured can be found there.
void build_sensor(const model::Entry& entry, model::Builder& builder) {
  const std::optional<Reference> reference = parse(entry.text("of"));
  std::unique_ptr<model::Sensor> sensor;
  if (!reference || (reference->name.empty() && !is_of_sums(reference->family)))
    refuse(entry, builder, "is nothing that can be measured: " + std::string(known));
  else if (reference->family == "nodes")
    sensor = of_node(*reference, entry, builder);
  else if (reference->family == "joints")
    sensor = of_joint(*reference, entry, builder);
  else if (reference->family == "beams")
    sensor = of_beam(*reference, entry, builder);
  else if (reference->family == "forces")
    sensor = of_force(*reference, entry, builder);
  else if (is_of_sums(reference->family))
    sensor = of_sum(*reference, entry, builder);
  else if (reference->family == "reactions")
    refuse(
        entry, builder,
        "is of a support, which cannot be measured; hold the node by a joint (`fixed` to ground) in the place of the "
        "support, and measure its force or moment");
  else
    refuse(entry, builder, "is nothing that can be measured: " + std::string(known));
  if (sensor)
    builder.add_signal({builder.index_of(entry), std::move(sensor), nullptr, {}, false, unit_of(*reference, builder)});
}

}  // namespace

const model::KindInfo sensor_info{"sensor",
                                  model::Family::signal,
                                  "measures a node, a joint, a beam, a force, an energy or a momentum",
                                  fields,
                                  {},
                                  build_sensor,
                                  signals::no_samples,
                                  true};

}  // namespace polhode::elements
