// SPDX-License-Identifier: BSD-3-Clause
// The torsional spring-damper: moments, tangents, energy, outputs and building.
#include "elements/forces/torsional_spring_damper/torsional_spring_damper.hpp"

#include "elements/forces/measured/output_sensor.hpp"
#include "elements/forces/spring_damper/tension.hpp"
#include "elements/forces/torsional_spring_damper/twist.hpp"

namespace polhode::elements {

using model::Field;
using model::FieldType;

namespace {

using Data = TorsionalSpringDamper::Data;

// What acts beside the spring.
Tension further(const Data& d) { return {d.damping, d.actuator, d.law}; }

// Angle, rate and moment of a state: what residual, tangents and outputs begin with.
struct Law {
  Mat<12> v;
  Mat<12> g;
  double angle;
  double rate;
  CoordinateLaw::Value moment;
  Law(const Data& d, const PairNodes& n, const model::Context& c) : g(twist::gradient(d.E_a.col(2), d.E_b.col(2), n)) {
    v = velocities(n);
    angle = unwrap(twist::angle(d.E_a, d.E_b, n), c.history[0]);
    rate = g.dot(v);
    moment = further(d).total(d.stiffness * (angle - d.free_angle), d.stiffness, angle, rate, c);
  }
};

}  // namespace

void TorsionalSpringDamper::add_forces_to(const Data& d, const PairNodes& n, const model::Context& c, Mat<12>& r) {
  const Law law(d, n, c);
  r += law.moment.force * law.g;
}

void TorsionalSpringDamper::add_force_tangents_to(const Data& d, const PairNodes& n, const model::Context& c,
                                                  model::Tangents<TorsionalSpringDamper>& t) {
  const Law law(d, n, c);
  const PairBlock G = twist::gradient_tangent(d.E_a.col(2), d.E_b.col(2), n);
  add_tension_tangents_to(law.moment, law.g, G, law.v, t.C, t.K);
}

namespace {

// Of the mean angle, begin + change/2, and the mean rate, change/h. The spring's work over the change is
// then that of its energy exactly, as k is constant.
CoordinateLaw::Value moment_over(const Data& d, const TorsionalSpringDamper::Step& s, double change) {
  const double middle = unwrap(twist::angle(d.E_a, d.E_b, s.begin), s.middle.history[0]) + 0.5 * change;
  return further(d).total(d.stiffness * (middle - d.free_angle), d.stiffness, middle, change / s.h, s.middle);
}

}  // namespace

void TorsionalSpringDamper::add_discrete_forces_to(const Data& d, const Step& s, Mat<12>& r) {
  const StepAngle twist = twist::over(d.E_a, d.E_b, s);
  r += moment_over(d, s, twist.coordinate().change).force * twist.coordinate().row.transpose();
}

// The row turns with the moment held; the moment varies by half of phi+ in the angle and by phi+/h in the rate.
void TorsionalSpringDamper::add_discrete_force_tangents_to(const Data& d, const Step& s, PairBlock& K) {
  const StepAngle twist = twist::over(d.E_a, d.E_b, s);
  const StepCoordinate& phi = twist.coordinate();
  const CoordinateLaw::Value moment = moment_over(d, s, phi.change);
  twist.add_tangent_to(moment.force, K);
  K.noalias() += (0.5 * moment.by_position + moment.by_rate / s.h) * phi.row.transpose() * phi.by_end;
}

// Of the counted angle: two turns have four times the energy of one.
model::Energies TorsionalSpringDamper::energies(const Data& d, const PairNodes& n, const model::Context& c) {
  const double twisted = Law(d, n, c).angle - d.free_angle;
  return {0, 0.5 * d.stiffness * twisted * twisted, 0};
}

double TorsionalSpringDamper::power(const Data& d, const PairNodes& n, const model::Context& c) {
  const Law law(d, n, c);
  return further(d).power(law.angle, law.rate, c);
}

// Counted on without limit: a torsion spring knows its turns.
void TorsionalSpringDamper::update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
  h[0] = unwrap(twist::angle(d.E_a, d.E_b, n), h[0]);
}

void TorsionalSpringDamper::write_outputs(const Data& d, const PairNodes& n, const model::Context& c,
                                          const model::Rows<TorsionalSpringDamper>&, const double*, double* out) {
  const Law law(d, n, c);
  out[0] = law.moment.force;
  out[1] = law.angle;
}

void TorsionalSpringDamper::set_output_gradient(const Data& d, const PairNodes& n, const model::Context& c, int number,
                                                Mat<12>& by_position, Mat<12>& by_velocity) {
  const Law law(d, n, c);
  const PairBlock G = twist::gradient_tangent(d.E_a.col(2), d.E_b.col(2), n);
  if (number == 1)
    by_position = law.g;
  else
    set_tension_gradient(law.moment, law.g, G, law.v, by_position, by_velocity);
}

Mat<12> TorsionalSpringDamper::angle_gradient(const Data& d, const PairNodes& n) {
  return twist::gradient(d.E_a.col(2), d.E_b.col(2), n);
}

void TorsionalSpringDamper::breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
  add_times_to(d.actuator, t0, t1, out);
  d.law.add_times_to(t0, t1, out);
}

TorsionalSpringDamper::Data TorsionalSpringDamper::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 2);
  const Markers axes = sample_markers(random);
  const std::vector<std::string> variables(angle_variables.begin(), angle_variables.end());
  return {axes.E_a,
          axes.E_b,
          number(random),
          number(random),
          number(random),
          model::Expression::parse("0.4*cos(3*t)", {}, true),
          model::Expression::parse("0.3*angle^3*cos(t) + 0.5*rate*abs(rate)", {}, true, variables)};
}

namespace {

constexpr std::array fields{
    spring_nodes_field,
    axis_field,
    Field{.name = "stiffness",
          .type = FieldType::number,
          .unit = "N m/rad",
          .doc = "moment over angle",
          .min = 0,
          .default_text = "0"},
    damping_field("N m s/rad", "moment over rate of the angle"),
    Field{.name = "free_angle",
          .type = FieldType::number,
          .unit = "rad",
          .doc = "angle of b against a without moment, counted from the deck's configuration",
          .default_text = "0"},
    actuator_field("N m", "further moment, with the sign of the spring's, as a function of time and signals"),
    Field{.name = "moment",
          .type = FieldType::law,
          .unit = "N m",
          .doc = "further moment, with the sign of the spring's",
          .variables = angle_variables},
};
constexpr std::array outputs{
    model::Output{"moment", "N m", "", "positive turns b back towards smaller angles", 1},
    model::Output{"angle", "rad", "", "of b against a about the axis, counted without jumps", 1},
};

// Axes of both nodes from one direction, so that the twist is zero in the deck's configuration. No point:
// a moment has none.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  if (!check_rotations(entry, builder, a, b)) return;
  if (!entry.has("stiffness") && !entry.has("damping") && !entry.has("actuator") && !entry.has("moment"))
    return builder.problem(entry, "", "does nothing; give `stiffness`, `damping`, `actuator` or `moment`");
  const Markers markers = make_markers(builder, a, b, Vec3::Zero(), entry.vector3("axis"));
  const StartingPair pair(builder, {a, b});
  const double rate =
      twist::gradient(markers.E_a.col(2), markers.E_b.col(2), pair.nodes()).dot(velocities(pair.nodes()));
  model::TimeFunction actuator = read_actuator(entry);
  const bool follows_signals = !actuator.signals().empty();
  add_measured_force<TorsionalSpringDamper>(
      entry, builder, {a, b},
      {markers.E_a, markers.E_b, entry.number("stiffness", 0), entry.number("damping", 0),
       entry.number("free_angle", 0), std::move(actuator), read_law(entry, builder, "moment", 0, rate)},
      follows_signals);
}

}  // namespace

const model::KindInfo torsional_spring_damper_info{"torsional_spring_damper",
                                                   model::Family::force,
                                                   "a spring, a damper, an actuator and a law about an axis",
                                                   fields,
                                                   outputs,
                                                   build,
                                                   model::samples<TorsionalSpringDamper>};

}  // namespace polhode::elements
