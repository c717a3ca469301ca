// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of a coordinate of a joint (AxisAngle or AxisDisplacement): its value, or its rate g . v.
#pragma once
#include <algorithm>

#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/held_coordinate.hpp"
#include "elements/joints/rows/joint_element.hpp"

namespace polhode::elements {

template <class Coordinate>
class AxisSensor final : public model::Sensor {
 public:
  // `counted_by`: the batch and number of the joint's element, which remembers the angle; `number`: of the angle there.
  AxisSensor(const Markers& markers, const std::array<int, 2>& nodes, bool rate,
             std::pair<const model::BatchBase*, std::size_t> counted_by, int number)
      : markers_(markers), nodes_(nodes), rate_(rate), element_{counted_by.first, counted_by.second}, number_(number) {}

  std::span<const int> nodes() const override { return nodes_; }
  bool turns_alone() const override { return std::is_same_v<Coordinate, AxisAngle>; }
  // What is zero always is zero from the start.
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const PairNodes n = pair_of(q, nodes_);
    const typename Coordinate::Reading reading(markers_, n);
    if (!rate_) {
      m.value = reading.value(counted(q));
      if (derivatives) reading.set_row(m.by_position);
      return;
    }
    m.value = reading.rate();
    if (!derivatives) return;
    reading.set_rate_row(m.by_position);
    reading.set_row(m.by_velocity);
  }
  // Value and rate of one coordinate.
  bool shares_reading(const model::Sensor& other) const override {
    const auto* const that = dynamic_cast<const AxisSensor*>(&other);
    return that && that->rate_ != rate_ && that->element_.batch == element_.batch &&
           that->element_.number == element_.number && that->number_ == number_ && that->nodes_ == nodes_ &&
           that->markers_.s_a == markers_.s_a && that->markers_.s_b == markers_.s_b &&
           that->markers_.E_a == markers_.E_a && that->markers_.E_b == markers_.E_b;
  }
  void measure_both(const model::State& q, bool derivatives, model::Measurement& own, const model::Sensor&,
                    model::Measurement& of_other) const override {
    const PairNodes n = pair_of(q, nodes_);
    const typename Coordinate::Reading reading(markers_, n);
    model::Measurement& value = rate_ ? of_other : own;
    model::Measurement& rate = rate_ ? own : of_other;
    // Written last: before, the compiler has to read nodes and markers again
    const double at = reading.value(counted(q));
    const double moving = reading.rate();
    if (derivatives) {
      reading.set_rows(value.by_position, rate.by_position);
      std::copy(value.by_position.begin(), value.by_position.end(), rate.by_velocity.begin());
    }
    value.value = at;
    rate.value = moving;
  }
  // Nothing but the rate has to be found of an angle.
  void measure_counted(const model::State& q, model::Measurement& own, const model::Sensor* other,
                       model::Measurement* of_other) const override {
    const double angle = counted(q);
    if (!std::is_same_v<Coordinate, AxisAngle> || place_ < 0) return Sensor::measure_counted(q, own, other, of_other);
    model::Measurement* const value = rate_ ? of_other : &own;
    model::Measurement* const rate = rate_ ? &own : of_other;
    if (value) value->value = angle;
    if (rate) rate->value = typename Coordinate::Reading(markers_, pair_of(q, nodes_)).rate();
  }

 private:
  // Batches are numbered when the first state is measured, once and for all.
  double counted(const model::State& q) const {
    if (place_ == unknown) place_ = place_remembered(element_, number_);
    return place_ < 0 ? 0 : q.history[place_];
  }

  Markers markers_;
  std::array<int, 2> nodes_;
  bool rate_;
  Element element_;
  int number_;
  static constexpr int unknown = -2;
  mutable int place_ = unknown;  // in the history; -1: it remembers none
};

// Makes the coordinate `number` of the joint K that was just added known to sensors, if there are any; `angle`: its number
// among the angles that the joint remembers.
template <class K, class Coordinate>
void add_measured_coordinate(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                             const Markers& markers, int number, int angle = 0, model::Builder::Hold hold = {}) {
  if (!builder.needs_sensors()) return;
  const auto element = builder.last_of<K>();
  const auto measure = [=](bool rate) {
    return std::make_unique<AxisSensor<Coordinate>>(markers, nodes, rate, element, angle);
  };
  builder.add_coordinate(entry, number, measure, std::move(hold));
}

// How an element of the kind Held holds it.
template <class Held>
model::Builder::Hold hold_by(model::Builder& builder, const std::array<int, 2>& nodes, const Markers& markers) {
  return [=, &builder](const model::Entry& by) {
    builder.add<Held>(by, nodes, markers);
    const auto [batch, held] = builder.last_of<Held>();
    return model::Lock{batch, held};
  };
}

// The same for events, too, which hold it.
template <class K, class Coordinate>
void add_coordinate(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                    const Markers& markers, int number, int angle = 0) {
  add_measured_coordinate<K, Coordinate>(entry, builder, nodes, markers, number, angle,
                                         hold_by<HeldCoordinate<Coordinate>>(builder, nodes, markers));
}

// Displacements along the first axes of the markers, as many as `axes`: the coordinates from 0 on.
template <class K>
void add_displacements(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                       const Markers& markers, int axes) {
  for (int i = 0; i < axes; ++i)
    add_coordinate<K, AxisDisplacement>(entry, builder, nodes, with_axes(markers, (i + 1) % 3, (i + 2) % 3, i), i);
}

}  // namespace polhode::elements
