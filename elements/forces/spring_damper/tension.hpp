// SPDX-License-Identifier: BSD-3-Clause
// What a spring-damper along a length and one about an axis share: with the coordinate s, its gradient g by the motion
// of both nodes, its rate sdot = g . v and H = D_q g, the tension (or moment) is
//   T = T_spring(s) + d sdot + T_actuator(t),   residual r += T g,
//   C += d g g^T,   K += g (T_spring' g + d H^T v)^T + T H.
#pragma once
#include "elements/joints/rows/rows.hpp"
#include "polhode/model/actuation.hpp"

namespace polhode::elements {

// Damper and actuator of an element; the spring is the kind's own.
struct Tension {
  // N s/m or N m s/rad
  double damping;
  // N or N m; must outlive this
  const model::TimeFunction& actuator;

  // `spring`, the spring's tension, and the rest at this rate and time.
  double total(double spring, double rate, const model::Context& c) const {
    return spring + damping * rate + acting(actuator, c);
  }
  // Of damper and actuator alone.
  double without_spring(double rate, const model::Context& c) const { return damping * rate + acting(actuator, c); }
  // Power of damper and actuator on the model, W.
  double power(double rate, const model::Context& c) const { return -without_spring(rate, c) * rate; }
  // `total` at the rate g . v; `stiffness` the spring's slope.
  // C and K (12 x 12) accumulate.
  void add_tangents_to(double total, double stiffness, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                       PairBlock& C, PairBlock& K) const;
};

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
