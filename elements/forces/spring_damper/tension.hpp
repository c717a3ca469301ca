// SPDX-License-Identifier: BSD-3-Clause
// What a spring-damper along a length and one about an axis share: with the coordinate s, its gradient g by the motion
// of both nodes, its rate sdot = g . v and H = D_q g, the tension (or moment) is
//   T = T_spring(s) + d sdot + T_actuator(t) + T_law(t, s, sdot),   residual r += T g,
//   C += T_sdot g g^T,   K += g (T_s g + T_sdot H^T v)^T + T H.
#pragma once
#include "elements/joints/rows/coordinate_law.hpp"
#include "elements/joints/rows/rows.hpp"
#include "polhode/model/actuation.hpp"

namespace polhode::elements {

// Damper, actuator and law of an element; the spring is the kind's own.
struct Tension {
  // N s/m or N m s/rad
  double damping;
  // N or N m; both must outlive this
  const model::TimeFunction& actuator;
  const CoordinateLaw& law;

  // T and its derivatives by s and sdot, with the tension and the slope of the spring.
  CoordinateLaw::Value total(double spring, double stiffness, double s, double rate, const model::Context& c) const {
    const CoordinateLaw::Value sum{spring + damping * rate + acting(actuator, c), stiffness, damping};
    if (!law.is_given()) return sum;
    const CoordinateLaw::Value further = law(s, rate, c.t);
    return {sum.force + further.force, sum.by_position + further.by_position, sum.by_rate + further.by_rate};
  }
  // Of all but the spring.
  CoordinateLaw::Value without_spring(double s, double rate, const model::Context& c) const {
    return total(0, 0, s, rate, c);
  }
  // Power of damper, actuator and law on the model, W.
  double power(double s, double rate, const model::Context& c) const {
    return -without_spring(s, rate, c).force * rate;
  }
};

// Adds the tangents of the tension T at the rate g . v to C and K (12 x 12).
void add_tension_tangents_to(const CoordinateLaw::Value& T, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                             PairBlock& C, PairBlock& K);

// Sets the derivatives of T by positions and velocities of both nodes.
void set_tension_gradient(const CoordinateLaw::Value& T, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                          Mat<12>& by_position, Mat<12>& by_velocity);

// The velocities of both nodes.
// [u_a Omega_a u_b Omega_b].
Mat<12> velocities(const PairNodes& n);

// Inputs that stand in both tables.
inline constexpr model::Field spring_nodes_field{.name = "connects",
                                                 .type = model::FieldType::node_pair,
                                                 .unit = "",
                                                 .doc = "the two nodes a, b (or ground)",
                                                 .required = true};
// Not negative, zero by default.
inline constexpr model::Field damping_field(std::string_view unit, std::string_view doc) {
  return {.name = "damping", .type = model::FieldType::number, .unit = unit, .doc = doc, .min = 0, .default_text = "0"};
}
// A function of time and signals, zero by default.
inline constexpr model::Field actuator_field(std::string_view unit, std::string_view doc) {
  return {.name = "actuator",
          .type = model::FieldType::function,
          .unit = unit,
          .doc = doc,
          .default_text = "0",
          .signals = true};
}
// The actuator of an entry, or zero.
model::TimeFunction read_actuator(const model::Entry& entry);

}  // namespace polhode::elements
