// SPDX-License-Identifier: BSD-3-Clause
// From a cable of the deck to nodes and elements.
#include <algorithm>
#include <limits>

#include "elements/beams/cable/cable.hpp"
#include "elements/beams/cable/cable_sensor.hpp"
#include "elements/beams/cable/cable_step.hpp"
#include "elements/beams/cable/hanging.hpp"
#include "elements/beams/entry/entry.hpp"

namespace polhode::elements {

using math::Vec3;
using model::Field;
using model::FieldType;

namespace {

constexpr std::array fields{
    Field{.name = "section",
          .type = FieldType::section,
          .unit = "",
          .doc = "the cross-section, of which EA, mass per length and their damping count",
          .required = true},
    beam_fields::from,
    beam_fields::to,
    beam_fields::arc,
    beam_fields::points,
    beam_fields::interpolation,
    beam_fields::elements,
    Field{.name = "length",
          .type = FieldType::number,
          .unit = "m",
          .doc = "of the whole cable without tension; between its ends alone it hangs by its weight then. Default: "
                 "that of the line of its nodes",
          .min = 0,
          .min_exclusive = true},
    Field{.name = "tension",
          .type = FieldType::number,
          .unit = "N",
          .doc = "instead of `length`: of all elements in the initial configuration",
          .min = 0},
    Field{.name = "slack",
          .type = FieldType::flag,
          .unit = "",
          .doc = "true: goes slack where it would be pressed; false: takes pressure, as a bar does",
          .default_text = "true"},
};
constexpr std::array outputs{
    model::Output{"strains", "1, -, -, -, -, -", "section",
                  "strain along the cable, negative where it is slack, and five zeros", 6, true},
    model::Output{"forces", "N, -, -, -, -, -", "section", "tension, and five zeros", 6, true},
};

// Constants of a section along its axis; nothing, with the problem reported, of one that other strains have a part in.
std::optional<Cable::Data> read_constants(const model::Entry& entry, model::Builder& builder) {
  const model::SectionEntry& section = builder.section(entry.text("section"));
  const auto couples = [](const math::Mat6& X) { return !X.row(0).tail<5>().isZero(0); };
  const auto problem = [&](std::string message) {
    builder.problem(entry, "section", "(" + section.name + ") " + std::move(message));
    return std::nullopt;
  };
  if (couples(section.stiffness) || couples(section.damping_matrix))
    return problem(
        "couples its tension with other strains, which a cable does not have; give a section of `EA` alone, or make "
        "the cable a `type: beam`");
  if (!section.mass.topRightCorner<3, 3>().isZero(0))
    return problem(
        "has its center of mass beside the axis, and a cable has no directions across; move it to the axis, or make "
        "the cable a `type: beam`");
  const bool slack = entry.flag("slack", true);
  Cable::Data data;
  data.stiffness = section.stiffness(0, 0);
  data.damping = section.damping[0] * section.stiffness(0, 0) + section.damping_matrix(0, 0);
  data.mass = section.mass(0, 0);
  data.mass_damping = section.mass_damping;
  data.least = slack ? 0 : -std::numeric_limits<double>::infinity();
  data.damped = data.damping != 0 || data.mass_damping != 0;
  return data;
}

// Nodes along a curve, and the length without tension of each element.
struct Line {
  std::vector<InnerNode> inner;
  std::vector<double> lengths;
};

// The straight lines between the nodes have the tension, or the given length as a whole.
Line along(const Axis& axis, const std::vector<double>& ends, const model::Entry& entry, double stiffness) {
  Line line;
  for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
    line.lengths.push_back((axis.position(ends[e + 1]) - axis.position(ends[e])).norm());
    if (e > 0) line.inner.push_back({ends[e], axis.position(ends[e])});
  }
  double scale = 1 / (1 + entry.number("tension", 0) / stiffness);
  if (entry.has("length")) {
    double sum = 0;
    for (const double length : line.lengths) sum += length;
    scale = entry.number("length", sum) / sum;
  }
  for (double& length : line.lengths) length *= scale;
  return line;
}

// A straight axis whose length is given: equal elements in the shape in which they hang. Without weight, and shorter
// than the distance, that is the straight line.
std::optional<Line> hanging(const model::Entry& entry, model::Builder& builder, const std::vector<double>& ends,
                            const std::array<Vec3, 2>& at, const Cable::Data& data) {
  const auto elements = static_cast<int>(ends.size()) - 1;
  const double length = entry.number("length", 0) / elements;
  const auto nodes =
      hanging_nodes({elements, length, data.stiffness, data.mass * length * builder.model().gravity}, at[0], at[1]);
  if (!nodes) {
    builder.problem(entry, "length",
                    "leaves a cable longer than the distance of its ends without a shape, since there is no gravity to "
                    "make one; give `points` or an `arc`");
    return std::nullopt;
  }
  Line line{{}, std::vector<double>(static_cast<std::size_t>(elements), length)};
  for (std::size_t i = 0; i < nodes->size(); ++i) line.inner.push_back({ends[i + 1], (*nodes)[i]});
  return line;
}

std::optional<Line> read_line(const model::Entry& entry, model::Builder& builder, const std::array<Vec3, 2>& at,
                              const Cable::Data& data) {
  if (entry.has("length") && entry.has("tension")) {
    builder.problem(entry, "tension", "goes not together with `length`; give one of them");
    return std::nullopt;
  }
  const auto axis = read_axis(entry, builder, at[0], at[1]);
  if (!axis) return std::nullopt;
  const std::vector<double> ends = read_ends(entry, builder, *axis);
  if (ends.empty()) return std::nullopt;
  if (entry.has("length") && axis->is_straight()) return hanging(entry, builder, ends, at, data);
  return along(*axis, ends, entry, data.stiffness);
}

// Elements differ in their lengths alone; each has one place in the results.
void add_sensors(const model::Entry& entry, model::Builder& builder, const Cable::Data& data,
                 const std::vector<double>& lengths, const std::vector<int>& nodes) {
  if (!builder.needs_sensors()) return;
  const auto make = [data, lengths, nodes](std::string_view quantity, int place, int) {
    const auto e = static_cast<std::size_t>(place);
    Cable::Data of_element = data;
    of_element.length = lengths[e];
    return std::make_unique<CableSensor>(of_element, std::array{nodes[e], nodes[e + 1]}, quantity == "forces");
  };
  builder.add_measured(entry, {make, static_cast<int>(lengths.size()), 1});
}

// Structure-preserving methods want masses at the nodes.
void build(const model::Entry& entry, model::Builder& builder) {
  const int from = builder.node(entry.text("from"));
  const int to = builder.node(entry.text("to"));
  if (!check_length(entry, builder, from, to, "a cable")) return;
  auto data = read_constants(entry, builder);
  if (!data) return;
  const bool steps = builder.model().directors;
  if (steps && data->mass_damping != 0)
    return builder.problem(entry, "section",
                           "has damping proportional to mass (`mass_damping`, or a `ratio`), which `energy_momentum` "
                           "and `variational` do not take; give time constants as `damping`, or take another method");
  const auto line = read_line(entry, builder, {builder.at(from).position, builder.at(to).position}, *data);
  if (!line) return;
  model::BeamTopology topology{builder.index_of(entry), add_inner_nodes(entry, builder, from, to, line->inner, true)};
  topology.framed = false;
  const bool wanted = shares_wanted(entry, builder);
  for (std::size_t e = 0; e < line->lengths.size(); ++e) {
    const std::array<int, 2> at{topology.nodes[e], topology.nodes[e + 1]};
    data->length = line->lengths[e];
    for (const int node : at) {
      if (wanted) topology.shares.push_back({node, 0.5 * data->length, math::Mat3::Identity()});
      if (steps) topology.masses.push_back({node, 0.5 * data->length * data->mass, Vec3::Zero(), math::Mat3::Zero()});
    }
    if (steps)
      builder.add<CableStep>(entry, at, *data);
    else
      builder.add<Cable>(entry, at, *data);
  }
  add_sensors(entry, builder, *data, line->lengths, topology.nodes);
  builder.add_topology(std::move(topology));
}

}  // namespace

const model::KindInfo cable_info{"cable",
                                 model::Family::beam,
                                 "cable: a line without bending and torsion that may go slack",
                                 fields,
                                 outputs,
                                 build,
                                 model::samples<Cable, CableStep>};

}  // namespace polhode::elements
