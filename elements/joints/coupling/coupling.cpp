// SPDX-License-Identifier: BSD-3-Clause
// The coupling: finds the coordinates of the joints that it names, and makes the element.
// g++ 12 takes the loops of Eigen's product of a row and a large matrix for endless ones.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif
#include "elements/joints/coupling/coupling.hpp"

namespace polhode::elements {

// Angles and displacements mixed, so that samples cover pairs of both.
template <int joints>
typename Coupling<joints>::Data Coupling<joints>::sample(std::mt19937& random) {
  Data d;
  for (CoupledCoordinate& coordinate : d) {
    const Markers markers = sample_markers(random);
    coordinate = {markers, std::uniform_real_distribution<double>(-2, 2)(random), random() % 2 == 0};
  }
  return d;
}

namespace {

// The joints that have a coordinate about or along their axis.
struct Coordinates {
  std::string_view kind;
  bool rotation;
  bool translation;
};
constexpr Coordinates known[] = {{"revolute", true, false},
                                 {"prismatic", false, true},
                                 {"cylindrical", true, true},
                                 {"screw", true, true},
                                 {"point_on_line", false, true}};

constexpr std::array fields{model::Field{.name = "joints",
                                         .type = model::FieldType::weights,
                                         .unit = "",
                                         .doc =
                                             "two to four coordinates and the weight of each: the name of a joint, or "
                                             "joint.rotation, joint.translation where it has both",
                                         .required = true}};

// A coordinate with the two nodes of its joint.
struct Term {
  CoupledCoordinate coordinate{};
  int a = 0;
  int b = 0;
};

// Among the entries of the deck, not among what has been built: a coupling may stand before its joints.
const model::Entry* find_joint(const model::Model& model, std::string_view name) {
  for (const model::Entry& entry : model.entries)
    if (entry.family == model::Family::joint && entry.name == name) return &entry;
  return nullptr;
}

// The coordinate that `text` names, or what is wrong with it.
// Markers are made anew from the joint's own inputs, and give the same coordinate as the joint itself has.
// Weights of zero are refused: the row would not act on that joint, and its multiplier would be one of fewer
// coordinates.
std::string read_term(const std::string& text, double weight, model::Builder& builder, Term& term) {
  // The whole text may name a joint: entries of instances have dots.
  const std::size_t dot = find_joint(builder.model(), text) ? std::string::npos : text.rfind('.');
  const std::string name = text.substr(0, dot);
  const std::string which = dot == std::string::npos ? "" : text.substr(dot + 1);
  const model::Entry* joint = find_joint(builder.model(), name);
  if (!joint) return "there is no joint '" + name + "'";
  const auto* has = std::find_if(std::begin(known), std::end(known),
                                 [&](const Coordinates& c) { return c.kind == joint->kind->name; });
  if (has == std::end(known))
    return "a " + std::string(joint->kind->name) +
           " joint has no coordinate that can be coupled; those of revolute, prismatic, cylindrical, screw and "
           "point_on_line joints can";
  if (which.empty() && has->rotation && has->translation)
    return "a " + std::string(has->kind) + " joint has two coordinates; name '" + name + ".rotation' or '" + name +
           ".translation'";
  if (!which.empty() && !(which == "rotation" && has->rotation) && !(which == "translation" && has->translation))
    return "a " + std::string(has->kind) + " joint has no coordinate '" + which + "'";
  if (weight == 0) return "has the weight zero; remove it, or give its weight";
  term.a = builder.node(joint->names("connects")[0]);
  term.b = builder.node(joint->names("connects")[1]);
  const Markers markers = make_markers(builder, term.a, term.b, joint->vector3("at"), joint->vector3("axis"));
  term.coordinate = {markers, weight, which.empty() ? has->rotation : which == "rotation"};
  return "";
}

// Two, three and four joints are kinds of their own, since a kind has a fixed number of nodes.
template <int joints>
void add(const model::Entry& entry, model::Builder& builder, const std::vector<Term>& terms) {
  std::array<int, 2 * joints> at;
  typename Coupling<joints>::Data data;
  for (std::size_t i = 0; i < joints; ++i) {
    at[2 * i] = terms[i].a;
    at[2 * i + 1] = terms[i].b;
    data[i] = terms[i].coordinate;
  }
  builder.add<Coupling<joints>>(entry, at, data);
}

// All terms are read before anything is added, so that each wrong one is reported.
void build(const model::Entry& entry, model::Builder& builder) {
  const model::Weights& weights = entry.weights("joints");
  if (weights.size() < 2 || weights.size() > 4) {
    builder.problem(entry, "joints", "couples " + std::to_string(weights.size()) + " coordinates; give two to four");
    return;
  }
  std::vector<Term> terms;
  for (const auto& [name, weight] : weights) {
    Term term;
    const std::string problem = read_term(name, weight, builder, term);
    if (problem.empty())
      terms.push_back(term);
    else
      builder.problem(entry, "joints." + name, problem);
  }
  if (terms.size() < weights.size()) return;
  if (terms.size() == 2)
    add<2>(entry, builder, terms);
  else if (terms.size() == 3)
    add<3>(entry, builder, terms);
  else
    add<4>(entry, builder, terms);
}

}  // namespace

const model::KindInfo coupling_info{"coupling",
                                    model::Family::joint,
                                    "the weighted sum of coordinates of other joints stays constant: gears, racks",
                                    fields,
                                    {},
                                    build,
                                    model::samples<Coupling<2>, Coupling<3>, Coupling<4>>};

}  // namespace polhode::elements
