// SPDX-License-Identifier: BSD-3-Clause
// The spring-damper: forces, tangents, energy, outputs and building.
#include "elements/forces/spring_damper/spring_damper.hpp"

#include <stdexcept>

#include "elements/forces/measured/output_sensor.hpp"
#include "elements/forces/spring_damper/tension.hpp"

namespace polhode::elements {

using model::Field;
using model::FieldType;

namespace {

// What acts beside the spring.
Tension further(const SpringDamper::Data& d) { return {d.damping, d.actuator, d.law}; }

// Of a state: the tension with its derivatives, along the gradient of the length.
struct Along {
  double length;
  PointDistance::Gradient g;
  math::Mat<12> v;
  CoordinateLaw::Value tension;
  Along(const SpringDamper::Data& d, const SpringDamper::Nodes& n, const model::Context& c)
      : length(d.distance.length(n)), g(d.distance.gradient(n)), v(velocities(n)) {
    const ForceCurve::Value spring = d.spring(length - d.free_length);
    tension = further(d).total(spring.force, spring.stiffness, length, g.dot(v), c);
  }
};

}  // namespace

// r += T g: tension is positive where it pulls, against the growth of the length, whose gradient is g.
void SpringDamper::add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<12>& r) {
  const Along along(d, n, c);
  r += along.tension.force * along.g;
}

void SpringDamper::add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                         model::Tangents<SpringDamper>& t) {
  const Along along(d, n, c);
  add_tension_tangents_to(along.tension, along.g, d.distance.gradient_tangent(n), along.v, t.C, t.K);
}

model::Energies SpringDamper::energies(const Data& d, const Nodes& n, const model::Context&) {
  return {0, d.spring(d.distance.length(n) - d.free_length).energy, 0};
}

double SpringDamper::power(const Data& d, const Nodes& n, const model::Context& c) {
  return further(d).power(d.distance.length(n), d.distance.gradient(n).dot(velocities(n)), c);
}

void SpringDamper::write_outputs(const Data& d, const Nodes& n, const model::Context& c,
                                 const model::Rows<SpringDamper>&, const double*, double* out) {
  const Along along(d, n, c);
  out[0] = along.tension.force;
  out[1] = along.length;
}

void SpringDamper::set_output_gradient(const Data& d, const Nodes& n, const model::Context& c, int number,
                                       math::Mat<12>& by_position, math::Mat<12>& by_velocity) {
  const Along along(d, n, c);
  if (number == 1)
    by_position = along.g;
  else
    set_tension_gradient(along.tension, along.g, d.distance.gradient_tangent(n), along.v, by_position, by_velocity);
}

void SpringDamper::breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
  add_times_to(d.actuator, t0, t1, out);
  d.law.add_times_to(t0, t1, out);
}

namespace {

CoordinateLaw sample_law() {
  const std::vector<std::string> variables(length_variables.begin(), length_variables.end());
  return model::Expression::parse("0.3*length^2*cos(t) + 0.5*rate*abs(rate)", {}, true, variables);
}

}  // namespace

// Tables with a kink, and straight lines.
SpringDamper::Data SpringDamper::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 2);
  const Markers points = sample_markers(random);
  const bool table = number(random) > 1;
  ForceCurve spring = table ? ForceCurve({-9, 0.1 * number(random), 9}, {-number(random), number(random), 20})
                            : ForceCurve(number(random));
  return {{points.s_a, points.s_b, 1e-8},
          std::move(spring),
          number(random),
          number(random),
          model::Expression::parse("0.4*cos(3*t)", {}, true),
          sample_law()};
}

namespace {

constexpr std::array fields{
    spring_nodes_field,
    Field{.name = "at",
          .type = FieldType::point_pair,
          .unit = "m",
          .doc = "a point of a and a point of b, inertial, in the initial configuration; default: the nodes",
          .frame = model::Frame::point},
    Field{.name = "stiffness",
          .type = FieldType::number,
          .unit = "N/m",
          .doc = "force over elongation; instead, a table: `elongation` and `force`",
          .min = 0,
          .default_text = "0"},
    Field{.name = "elongation",
          .type = FieldType::numbers,
          .unit = "m",
          .doc = "strictly ascending, with `force`: the spring's force is linear between these points and continues "
                 "linearly beyond the ends"},
    Field{.name = "force",
          .type = FieldType::numbers_or_law,
          .unit = "N",
          .doc = "tension of the spring at each `elongation`; or a law of a further tension",
          .variables = length_variables},
    damping_field("N s/m", "tension over rate of the length"),
    Field{.name = "free_length",
          .type = FieldType::number,
          .unit = "m",
          .doc = "length without elongation; default: the distance of the points in the deck",
          .min = 0},
    actuator_field("N", "further tension, as a function of time and signals"),
};
constexpr std::array outputs{
    model::Output{"force", "N", "", "tension: positive pulls the points together", 1},
    model::Output{"length", "m", "", "distance of the two points", 1},
};

// The spring's law; nothing, with the reason reported, if there is none.
std::optional<ForceCurve> read_curve(const model::Entry& entry, model::Builder& builder) {
  const bool law = entry.has_law("force");
  const bool table = entry.has("elongation") || (entry.has("force") && !law);
  if (!table) return ForceCurve(entry.number("stiffness", 0));
  if (law)
    builder.problem(entry, "elongation", "is of a table of forces, and `force` is an expression; remove one of them");
  else if (entry.has("stiffness"))
    builder.problem(entry, "stiffness", "stands beside a table of forces; remove one of them");
  else if (!entry.has("elongation") || !entry.has("force"))
    builder.problem(entry, entry.has("force") ? "force" : "elongation",
                    "is half a table; give both `elongation` and `force`");
  else
    try {
      const math::VectorX& e = entry.vector("elongation");
      const math::VectorX& f = entry.vector("force");
      return ForceCurve({e.begin(), e.end()}, {f.begin(), f.end()});
    } catch (const std::invalid_argument& error) {
      builder.problem(entry, "force", error.what());
    }
  return std::nullopt;
}

// Without `at` the force acts between the nodes; with the ground as one end, whose node is the origin,
// both points have to be given. The deck's distance is the free length by default.
void build(const model::Entry& entry, model::Builder& builder) {
  const std::array at = connected(entry, builder);
  std::array<math::Vec3, 2> points;
  for (std::size_t i = 0; i < 2; ++i) {
    const model::NodeData& node = builder.at(at[i]);
    points[i] = node.position;
    if (entry.has("at"))
      points[i] = entry.matrix("at").col(static_cast<Eigen::Index>(i));
    else if (at[i] == 0)
      return builder.problem(entry, "", "needs `at`, the two points: one end is the ground");
    builder.check_lever(entry, at[i], points[i] - node.position, "this end");
  }
  // Two points at one place give no direction; round-off of their coordinates does not count as a distance.
  const double length = (points[1] - points[0]).norm();
  if (length <= 1e-12 * (points[0].norm() + points[1].norm()))
    return builder.problem(entry, entry.has("at") ? "at" : "connects",
                           "both ends are at the same place, so that the force has no direction; move one of them, "
                           "or take a bushing");
  std::optional<ForceCurve> curve = read_curve(entry, builder);
  if (!curve) return;
  if (!entry.has("stiffness") && !entry.has("force") && !entry.has("damping") && !entry.has("actuator"))
    return builder.problem(entry, "", "does nothing; give `stiffness`, `force`, `damping` or `actuator`");
  const auto offset = [&](std::size_t i) -> math::Vec3 {
    return builder.at(at[i]).orientation.conjugate() * (points[i] - builder.at(at[i]).position);
  };
  const PointDistance distance{offset(0), offset(1), 1e-8 * length};
  CoordinateLaw law;
  if (entry.has_law("force")) {
    const StartingPair pair(builder, at);
    law = read_law(entry, builder, "force", length, distance.gradient(pair.nodes()).dot(velocities(pair.nodes())));
  }
  model::TimeFunction actuator = read_actuator(entry);
  const bool follows_signals = !actuator.signals().empty();
  add_measured_force<SpringDamper>(entry, builder, at,
                                   {distance, std::move(*curve), entry.number("damping", 0),
                                    entry.number("free_length", length), std::move(actuator), std::move(law)},
                                   follows_signals);
}

}  // namespace

const model::KindInfo spring_damper_info{"spring_damper",
                                         model::Family::force,
                                         "a spring, a damper, an actuator and a law between two points",
                                         fields,
                                         outputs,
                                         build,
                                         model::samples<SpringDamper>};

}  // namespace polhode::elements
