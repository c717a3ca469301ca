// SPDX-License-Identifier: BSD-3-Clause
// The screw joint: rows, counted angle, inputs and building.
#include "elements/joints/screw/screw.hpp"

#include <fmt/format.h>

#include "elements/joints/cylindrical/cylindrical.hpp"
#include "elements/joints/rows/axis_sensor.hpp"
#include "elements/joints/rows/driven_coordinate.hpp"
#include "elements/joints/rows/initial_coordinate.hpp"

namespace polhode::elements {

// The fifth row, p phi/(2 pi) - s, is in m. Only a counted angle may stand in it: with phi in (-pi, pi] the
// row would jump by the pitch once a turn.
void Screw::constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi) {
  rows::Values<Rows> axle{n, c, phi};
  Axle::list(d, axle);
  phi[4] = d.advance() * AxisAngle::value(d, n, c.history[0]) - AxisDisplacement::value(d, n);
}

// Row by row: four of the list, and the difference of both coordinates' gradients.
void Screw::gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
  rows::Gradients<Gradient> axle{n, B};
  Axle::list(d, axle);
  B.row(4) = d.advance() * AxisAngle::gradient(d, n) - AxisDisplacement::gradient(d, n);
}

// Of the fifth row: p/(2 pi) lambda D grad phi - lambda D grad s.
void Screw::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                     PairBlock& K) {
  rows::GeometricTangents<Rows> axle{n, lambda, K};
  Axle::list(d, axle);
  axle.finish();
  AxisAngle::add_tangent_to(d, n, d.advance() * lambda[4], K);
  AxisDisplacement::add_tangent_to(d, n, -lambda[4], K);
}

// Both coordinates have rows whose work is their change over the step, so their difference keeps the fifth
// row exactly.
void Screw::mean_gradient(const Data& d, const PairStep& s, Gradient& G) {
  rows::MeanGradients<Gradient> axle{s, G};
  Axle::list(d, axle);
  G.row(4) = d.advance() * AxisAngle::over(d, s).row - AxisDisplacement::over(d, s).row;
}

void Screw::add_mean_tangent_to(const Data& d, const PairStep& s, const Rows& lambda, PairBlock& K) {
  rows::MeanTangents<Rows> axle{s, lambda, K};
  Axle::list(d, axle);
  AxisAngle::add_mean_tangent_to(d, s, d.advance() * lambda[4], K);
  AxisDisplacement::add_mean_tangent_to(d, s, -lambda[4], K);
}

// Where the rows hold, the displacement gives the number of turns. Counting on from the last angle would lose turns
// if a step ever made more than half of one.
void Screw::update_history(const Data& d, const PairNodes& n, const model::Context&, double* h) {
  h[0] = unwrap(rows::angle(d, n), AxisDisplacement::value(d, n) / d.advance());
}

// The reaction contains the force along the axis and the torque about it; both belong to the one multiplier.
void Screw::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                          const double* h, double* out) {
  Gradient B = Gradient::Zero();
  gradient(d, n, c, B);
  write_reaction(B, lambda, d, n, out);
  out[6] = h[0];
  out[7] = AxisDisplacement::value(d, n);
  out[8] = axis_rate<AxisAngle>(d, n);
  out[9] = axis_rate<AxisDisplacement>(d, n);
}

Screw::Data Screw::sample(std::mt19937& random) {
  const Markers markers = sample_markers(random);
  return {markers, std::uniform_real_distribution<double>(1, 3)(random)};
}

namespace {

constexpr std::array fields{
    connects_field, at_field, axis_field,
    model::Field{.name = "pitch",
                 .type = model::FieldType::number,
                 .unit = "m",
                 .doc = "advance of b along the axis a turn of b about it; below zero: a left-handed screw",
                 .required = true},
    initial_both_field};
constexpr std::array outputs{force_output, moment_output,
                             model::Output{"coordinates", "rad, m", "",
                                           "angle of b against a about the axis, without jumps, and displacement", 2},
                             model::Output{"rates", "rad/s, m/s", "", "rates of both", 2}};

// Both of a pair of initial values, of which one follows from the other.
void check_advance(const model::Entry& entry, model::Builder& builder, double pitch) {
  constexpr double round_off = 1e-12;
  struct Pair {
    std::string_view of_angle;
    std::string_view of_displacement;
    std::string_view angle_unit;
    std::string_view displacement_unit;
  };
  for (const Pair& pair : {Pair{"initial.angle", "initial.displacement", "rad", "m"},
                           Pair{"initial.angle_rate", "initial.displacement_rate", "rad/s", "m/s"}}) {
    if (!entry.has(pair.of_angle) || !entry.has(pair.of_displacement)) continue;
    const double angle = entry.number(pair.of_angle);
    const double displacement = entry.number(pair.of_displacement);
    const double advance = pitch / (2 * std::numbers::pi) * angle;
    if (std::abs(displacement - advance) <= round_off * (std::abs(advance) + std::abs(displacement))) continue;
    builder.problem(
        entry, pair.of_displacement,
        fmt::format("is {:.6g} {}, and the pitch makes {:.6g} {} of `{}`, {:.6g} {}; give one of both, from "
                    "which the other follows",
                    displacement, pair.displacement_unit, advance, pair.displacement_unit,
                    pair.of_angle.substr(pair.of_angle.find('.') + 1), angle, pair.angle_unit));
  }
}

// With a pitch of zero the angle drops out of the row, and turns, which are the displacement over the pitch,
// are lost.
void build(const model::Entry& entry, model::Builder& builder) {
  const auto [a, b] = connected(entry, builder);
  const double pitch = entry.number("pitch");
  if (pitch == 0)
    builder.problem(entry, "pitch", "is zero: such a screw does not advance; use a revolute joint, or give the pitch");
  if (pitch != 0) check_advance(entry, builder, pitch);
  if (!check_rotations(entry, builder, a, b) || pitch == 0) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  add_joint<Screw>(entry, builder, {a, b}, {markers, pitch});
  // What holds the angle holds the displacement
  add_coordinate<Screw, AxisAngle>(entry, builder, {a, b}, markers, 0);
  add_measured_coordinate<Screw, AxisDisplacement>(entry, builder, {a, b}, markers, 1);
  add_driven_coordinates(entry, builder, {a, b}, markers);
}

}  // namespace

const model::KindInfo screw_info{
    "screw", model::Family::joint, "an axis in common, along which b advances as it turns", fields, outputs,
    build,   model::samples<Screw>};

}  // namespace polhode::elements
