// SPDX-License-Identifier: BSD-3-Clause
// A force at a point of a node, at the offset c in its frame, and a moment, both times a history: inertial components,
// or those of the node's frame (follower).
//
//   dead      r -= s(t) [F; R^T M + c x R^T F]   K, rotation by rotation:    -s ((R^T M)~ + c~ (R^T F)~)
//   follower  r -= s(t) [R F; M + c x F]         K, translation by rotation:  s R F~
// Over a step (polhode/model/discrete.hpp): at its middle, with R that of the lever.
#pragma once
#include <random>

#include "polhode/model/actuation.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::model {
class Builder;
}

namespace polhode::elements {

// It is a dead or a follower force; a follower is not the gradient of a potential. None of the functions allocates.
struct Load {
  static constexpr std::string_view name = "load";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::forces | model::can::power | model::can::breakpoints |
                                                      model::can::discrete_forces | model::can::midpoint |
                                                      model::can::signals;
  struct Data {
    // N and N m, inertial, or in the node's frame if it follows
    math::Vec3 force;
    math::Vec3 moment;  // N m
    // Offset of the point of the force, m, node's frame
    math::Vec3 c;
    bool follower;
    // s(t), without unit; multiplied by the load factor
    model::TimeFunction scale;
  };
  using Nodes = model::Nodes<1>;

  // At s = 1: force inertial, moment in the node's frame.
  static math::Vec6 wrench(const Data& d, const model::Node& n);
  // r -= the load: force inertial, moment in the node's frame.
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  // t.K as above: the load depends on the rotation alone.
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::Tangents<Load>& t);
  using Step = model::ElementStep<1>;
  // Spatial wrench at the middle of the step, r -= it; K only of mean levers, since others are held.
  static void add_discrete_forces_to(const Data& d, const Step& s, math::Vec6& r);
  static void add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat6& K);
  // No load counts as a potential, not even a constant one: its work counts.
  static double discrete_energy(const Data&, const Step&) { return 0; }
  // Work over the step, J.
  static double discrete_work(const Data& d, const Step& s);
  // Power on the model, W.
  static double power(const Data& d, const Nodes& n, const model::Context& c);
  template <class Act>
  static void each_actuator(const Data& d, const Nodes& n, const model::Context& c, const Act& act) {
    act(d.scale, math::Vec6(-load_factor_of(d.scale, c) * wrench(d, n[0])));
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo load_info;

// What loads on nodes and loads along beams share: inputs, and reading them. Force and moment are per length on beams.
namespace loads {

// Fields of the deck: a force or moment, whether it follows, and the history s(t).
inline constexpr model::Field vector(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name,
          .type = model::FieldType::vector3,
          .unit = unit,
          .doc = doc,
          .default_text = "[0, 0, 0]",
          .frame = model::Frame::direction,
          .own_with = "follower"};
}
inline constexpr model::Field follower(std::string_view doc) {
  return {.name = "follower", .type = model::FieldType::flag, .unit = "", .doc = doc, .default_text = "false"};
}
inline constexpr model::Field history{.name = "history",
                                      .type = model::FieldType::function,
                                      .unit = "",
                                      .doc = "function of time and signals that multiplies both",
                                      .default_text = "1",
                                      .signals = true};

// The data of an entry with `force`, `moment`, `follower` and `history`, at the node itself; an entry with neither
// force nor moment is reported.
Load::Data read(const model::Entry& entry, model::Builder& builder);

}  // namespace loads

}  // namespace polhode::elements
