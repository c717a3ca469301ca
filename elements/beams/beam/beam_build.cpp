// SPDX-License-Identifier: BSD-3-Clause
// From a beam of the deck to nodes and elements: two-node elements where the beam is straight and uniform, elements on
// spectral nodes for all else.
#include <algorithm>
#include <cmath>

#include "elements/beams/beam/beam.hpp"
#include "elements/beams/beam/layout.hpp"
#include "elements/beams/director/kind.hpp"
#include "elements/beams/entry/entry.hpp"
#include "elements/beams/spectral/section_sensor.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Mat3;
using math::Vec3;
using math::so3::Quaternion;
using model::Field;
using model::FieldType;

namespace {

constexpr std::string_view integrations[] = {"reduced", "full", "stations"};
constexpr std::array fields{
    Field{.name = "section",
          .type = FieldType::section,
          .unit = "",
          .doc = "the cross-section, the same along the whole beam"},
    Field{.name = "sections",
          .type = FieldType::sections,
          .unit = "",
          .doc = "instead of `section`: one section for each of `stations`, data linear between them"},
    Field{
        .name = "stations",
        .type = FieldType::numbers,
        .unit = "",
        .doc = "fractions of the length of the axis, ascending from 0 to 1, at which `sections` and `twist` are given",
        .min = 0,
        .max = 1},
    Field{
        .name = "twist",
        .type = FieldType::numbers,
        .unit = "rad",
        .doc = "angle of the sections about the axis, from `from` to `to`, one for each of `stations`, linear between"},
    beam_fields::from,
    beam_fields::to,
    beam_fields::arc,
    beam_fields::points,
    beam_fields::interpolation,
    beam_fields::elements,
    Field{.name = "order",
          .type = FieldType::integer,
          .unit = "",
          .doc = "polynomial order of an element, which has order + 1 nodes; 1 = two nodes",
          .min = 1,
          .max = spectral::most_nodes - 1,
          .default_text = "1"},
    Field{.name = "integration",
          .type = FieldType::choice_or_integer,
          .unit = "",
          .doc =
              "of internal forces: reduced = as many Gauss points an element as its order, full = one more (shear may "
              "lock), stations = Gauss points between all stations inside an element, or the number of Gauss points",
          .min = 1,
          .max = spectral::most_points,
          .default_text = "reduced",
          .choices = integrations},
    Field{.name = "orientation",
          .type = FieldType::direction,
          .unit = "",
          .doc = "the section's y axis is the part of this vector normal to the beam (inertial); default: z, or y for "
                 "a beam that starts along z",
          .frame = model::Frame::direction},
};
constexpr std::array outputs{
    model::Output{"strains", "1, 1, 1, 1/m, 1/m, 1/m", "section",
                  "generalized strains at the integration points (order N, Qy, Qz, Mx, My, Mz)", 6, true},
    model::Output{"forces", "N, N, N, N m, N m, N m", "section", "section forces and moments at the integration points",
                  6, true},
};

// The parts of the length at which the nodes stand, ends included.
// Elements meet in one node. Inside an element nodes stand at the Lobatto points of its own length,
// so that interpolation stays well behaved at high order.
std::vector<double> parts_of_nodes(const Layout& layout, int order) {
  const std::vector<double> inside = spectral::lobatto_nodes(order + 1);
  std::vector<double> parts{0};
  for (std::size_t e = 0; e + 1 < layout.ends.size(); ++e) {
    const double begin = layout.ends[e];
    const double end = layout.ends[e + 1];
    for (int k = 1; k < order; ++k)
      parts.push_back(begin + 0.5 * (1 + inside[static_cast<std::size_t>(k)]) * (end - begin));
    parts.push_back(end);
  }
  return parts;
}

// Orientations of inner nodes follow the sections, so that the frames E of two-node elements are identities.
std::vector<int> add_nodes(const model::Entry& entry, model::Builder& builder, int from, int to, const Layout& layout,
                           const std::vector<double>& parts) {
  std::vector<InnerNode> inner;
  for (std::size_t i = 1; i + 1 < parts.size(); ++i)
    inner.push_back({parts[i], layout.axis.position(parts[i]), Quaternion(layout.frame(parts[i])).normalized()});
  return add_inner_nodes(entry, builder, from, to, inner, false);
}

// A straight, uniform beam of two-node elements.
// Such beams come in thousands of elements and have kernels over lanes.
void add_plain_elements(const model::Entry& entry, model::Builder& builder, const Layout& layout,
                        model::BeamTopology& topology) {
  const model::SectionEntry& section = *layout.sections[0];
  const Quaternion orientation = Quaternion(layout.frame(0)).normalized();
  const double mass = section.mass(0, 0);
  // Rows of the momentum against Omega hold m c~^T: order of velocities (u, Omega).
  const Mat3 coupling = section.mass.bottomLeftCorner<3, 3>();
  const Vec3 c = mass > 0 ? Vec3(Vec3(coupling(2, 1), coupling(0, 2), coupling(1, 0)) / mass) : Vec3(Vec3::Zero());
  const bool wanted = shares_wanted(entry, builder);
  const math::Mat6 D = spectral::damping(layout.station(0));
  Beam::Data data{{},
                  layout.axis.length() / static_cast<double>(layout.ends.size() - 1),
                  {},
                  false,
                  !c.isZero(0),
                  !D.isZero(0),
                  section.mass_damping != 0,
                  mass,
                  c,
                  section.mass.bottomRightCorner<3, 3>(),
                  section.mass_damping};
  data.set_section(section.stiffness, D);
  for (std::size_t e = 0; e + 1 < topology.nodes.size(); ++e) {
    const std::array<int, 2> at{topology.nodes[e], topology.nodes[e + 1]};
    data.turned = false;
    data.round_off = RoundOff::of_positions(
        std::max(builder.at(at[0]).position.norm(), builder.at(at[1]).position.norm()), data.length);
    for (std::size_t i = 0; i < 2; ++i) {
      Quaternion E = builder.at(at[i]).orientation.conjugate() * orientation;
      // Round-off is no turn: nodes along the sections take the faster kernels.
      if (E.vec().norm() < 1e-15) E.setIdentity();
      data.E[i] << E.w(), E.vec();
      data.turned = data.turned || !E.vec().isZero(0);
      if (wanted) topology.shares.push_back({at[i], 0.5 * data.length, E.toRotationMatrix()});
    }
    builder.add<Beam>(entry, at, data);
  }
}

// Integration points of an element; 0: between the stations; -1 after a problem.
// A point has six strains, and an element 6 p that are not rigid motions: with fewer points some have no stiffness.
int read_integration(const model::Entry& entry, model::Builder& builder, int order) {
  const auto refuse = [&](std::string message) {
    builder.problem(entry, "integration", std::move(message));
    return -1;
  };
  const auto given = entry.values.find("integration");
  if (given == entry.values.end()) return order;
  if (const double* number = std::get_if<double>(&given->second)) {
    const int points = static_cast<int>(*number);
    if (points >= order) return points;
    return refuse(std::to_string(points) + (points == 1 ? " point leaves" : " points leave") +
                  " strains of an element of order " + std::to_string(order) +
                  " without stiffness; give as many as the order at least, or a lower `order` and more `elements`");
  }
  const std::string& rule = entry.text("integration");
  if (rule != "stations") return rule == "full" ? order + 1 : order;
  if (!entry.has("stations"))
    return refuse("is between `stations`, of which there are none; give `reduced`, `full` or a number of points");
  if (order == 1)
    return refuse(
        "stations: an element of order 1 with more than one point locks in shear; give `order: 2` or more, or "
        "`elements` short enough for the stations");
  return 0;
}

// Stations inside an element, as xi in (-1, 1) of it.
std::vector<double> breaks_of(const Layout& layout, std::size_t element) {
  const double begin = layout.ends[element];
  const double size = layout.ends[element + 1] - begin;
  std::vector<double> breaks;
  for (const double station : layout.stations)
    if (const double xi = 2 * (station - begin) / size - 1; std::abs(xi) < 1 - 1e-9) breaks.push_back(xi);
  return breaks;
}

// `points` as read_integration gives it.
spectral::Quadrature rule_of(int points, int order, const std::vector<double>& breaks) {
  return points > 0 ? spectral::gauss(points) : spectral::between_breaks(order, breaks);
}

// Before any node is added.
bool check_points(const model::Entry& entry, model::Builder& builder, const Layout& layout, int points, int order) {
  for (std::size_t e = 0; points == 0 && e + 1 < layout.ends.size(); ++e) {
    const std::vector<double> breaks = breaks_of(layout, e);
    const std::size_t count = rule_of(points, order, breaks).points.size();
    if (count <= spectral::most_points) continue;
    builder.problem(entry, "elements",
                    "element " + std::to_string(e + 1) + " has " + std::to_string(breaks.size()) +
                        " stations inside, and " + std::to_string(count) + " integration points between them; " +
                        std::to_string(spectral::most_points) + " are the most: give more elements");
    return false;
  }
  return true;
}

bool check_director_sections(const model::Entry& entry, model::Builder& builder, const Layout& layout) {
  const bool damped = std::any_of(layout.sections.begin(), layout.sections.end(),
                                  [](const model::SectionEntry* section) { return section->mass_damping != 0; });
  if (damped)
    builder.problem(entry, entry.has("section") ? "section" : "sections",
                    "has damping proportional to mass (`mass_damping`, or a `ratio`), which `energy_momentum` and "
                    "`variational` do not take; give time constants as `damping`, or take another method");
  return !damped;
}

// Masses stand at the nodes, where a structure-preserving method looks for them.
void add_director_element(const model::Entry& entry, model::Builder& builder, std::span<const int> at,
                          spectral::Element constants, model::BeamTopology& topology) {
  director::Element element = director::make_element(std::move(constants));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const director::NodeMass& m = element.masses[i];
    if (m.mass < 0)
      return builder.problem(entry, "",
                             "changes its mass so steeply that a node would get less than none; give more "
                             "`elements` or a lower `order`");
    if (m.mass > 0) topology.masses.push_back({at[i], m.mass, m.c, m.J});
  }
  director::add_element(builder, entry, at, std::move(element));
}

// How a beam is cut: the order of its elements, their integration points as read_integration gives them, and the parts
// of the length at which its nodes stand.
struct Cut {
  int order;
  int points;
  const std::vector<double>& parts;
};

// Element `e`, between the nodes `at`. Sections are evaluated at xi in [-1, 1] of it: part = begin + (1 + xi) size/2.
// Stations inside are breaks of its mass integrals. Valid as long as the layout.
spectral::Recipe recipe_of(const Layout& layout, const model::Builder& builder, const Cut& cut, std::span<const int> at,
                           std::size_t e) {
  const double begin = layout.ends[e];
  const double size = layout.ends[e + 1] - begin;
  spectral::Recipe recipe;
  recipe.station = [&layout, begin, size](double xi) { return layout.station(begin + 0.5 * (1 + xi) * size); };
  recipe.breaks = breaks_of(layout, e);
  recipe.rule = rule_of(cut.points, cut.order, recipe.breaks);
  for (std::size_t i = 0; i < at.size(); ++i) {
    recipe.positions.push_back(layout.axis.position(cut.parts[e * (at.size() - 1) + i]));
    recipe.orientations.push_back(builder.at(at[i]).orientation.toRotationMatrix());
  }
  return recipe;
}

// Strains and forces at all integration points. Sensors have elements of their own, made when one asks for it: elements
// of two nodes are the same whether they are made for lanes or not.
void add_section_sensors(const model::Entry& entry, model::Builder& builder, const Layout& layout, const Cut& cut,
                         const std::vector<int>& nodes) {
  if (!builder.needs_sensors()) return;
  std::vector<int> before{0};  // points of all elements before
  for (std::size_t e = 0; e + 1 < layout.ends.size(); ++e)
    before.push_back(before.back() +
                     static_cast<int>(rule_of(cut.points, cut.order, breaks_of(layout, e)).points.size()));
  const auto make = [&builder, layout, order = cut.order, points = cut.points, parts = cut.parts, nodes, before](
                        std::string_view quantity, int place, int component) {
    const auto e = static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), place) - before.begin()) - 1;
    const auto first = static_cast<std::size_t>(order) * e;
    const std::span<const int> at(nodes.data() + first, static_cast<std::size_t>(order) + 1);
    const spectral::Element element = spectral::make_element(recipe_of(layout, builder, {order, points, parts}, at, e));
    return spectral::make_section_sensor(element, at, static_cast<std::size_t>(place - before[e]),
                                         component + (quantity == "forces" ? 6 : 0));
  };
  builder.add_measured(entry, {make, before.back(), 6});
}

// Follower loads need the section's frame at each node, too.
void add_spectral_elements(const model::Entry& entry, model::Builder& builder, const Layout& layout, int order,
                           int points, const std::vector<double>& parts, model::BeamTopology& topology) {
  const auto nodes = static_cast<std::size_t>(order) + 1;
  const bool wanted = shares_wanted(entry, builder);
  for (std::size_t e = 0; e + 1 < layout.ends.size(); ++e) {
    const double begin = layout.ends[e];
    const double size = layout.ends[e + 1] - begin;
    const std::span<const int> at(topology.nodes.data() + e * (nodes - 1), nodes);
    const spectral::Recipe recipe = recipe_of(layout, builder, {order, points, parts}, at, e);
    topology.points.push_back(static_cast<int>(recipe.rule.points.size()));
    const std::vector<double> shares = wanted ? spectral::shares(recipe) : std::vector<double>{};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double inside = 1 - 1e-12;  // at a corner the frame of this element, not of its neighbour
      const double xi = std::clamp(2 * (parts[e * (nodes - 1) + i] - begin) / size - 1, -inside, inside);
      topology.shares.push_back({at[i], shares[i], recipe.orientations[i].transpose() * recipe.station(xi).frame});
    }
    if (builder.model().directors)
      add_director_element(entry, builder, at, spectral::make_element(recipe), topology);
    else
      spectral::add_element(builder, entry, at, spectral::make_element(recipe));
  }
}

bool check_ends(const model::Entry& entry, model::Builder& builder, int from, int to) {
  if (!check_length(entry, builder, from, to, "a beam")) return false;
  for (const auto& [node, key] : {std::pair{from, "from"}, std::pair{to, "to"}})
    if (builder.at(node).translation_only)
      builder.problem(
          entry, key,
          "is a point without rotation, and a beam's end needs one; take `dofs: translation` from the node");
  return true;
}

// The axis and all sections are checked before any node is added: a beam with problems adds nothing.
// Two-node elements of spectral nodes and of lanes are the same element; which of them is made is a question
// of speed alone.
void build(const model::Entry& entry, model::Builder& builder) {
  const int from = builder.node(entry.text("from"));
  const int to = builder.node(entry.text("to"));
  if (!check_ends(entry, builder, from, to)) return;
  const auto layout = read_layout(entry, builder, builder.at(from).position, builder.at(to).position);
  if (!layout) return;
  const int order = static_cast<int>(entry.number("order", 1));
  const int points = read_integration(entry, builder, order);
  if (points < 0 || !check_points(entry, builder, *layout, points, order)) return;
  if (builder.model().directors && !check_director_sections(entry, builder, *layout)) return;
  const std::vector<double> parts = parts_of_nodes(*layout, order);
  model::BeamTopology topology{builder.index_of(entry), add_nodes(entry, builder, from, to, *layout, parts)};
  if (!builder.model().directors && order == 1 && points == 1 && layout->axis.is_straight() && layout->is_uniform())
    add_plain_elements(entry, builder, *layout, topology);
  else
    add_spectral_elements(entry, builder, *layout, order, points, parts, topology);
  add_section_sensors(entry, builder, *layout, {order, points, parts}, topology.nodes);
  builder.add_topology(std::move(topology));
}

// All families of elements, each order once.
std::vector<std::unique_ptr<model::BatchBase>> samples(std::mt19937& random) {
  auto all = model::samples<Beam>(random);
  spectral::add_samples_to(all, random);
  director::add_samples_to(all, random);
  return all;
}

}  // namespace

const model::KindInfo beam_info{
    "beam", model::Family::beam, "geometrically exact beam of elements of any order", fields, outputs, build, samples,
    true};

}  // namespace polhode::elements
