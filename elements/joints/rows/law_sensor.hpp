// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of a law along an axis: its force or torque tau(s, sdot, t) on b, as results have it.
#pragma once
#include <memory>

#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint_element.hpp"

namespace polhode::elements {

template <class Coordinate>
class LawSensor final : public model::Sensor {
 public:
  // `element`: of the joint; its angle, if it counts one, is what it remembers first.
  LawSensor(std::shared_ptr<const Markers> markers, std::shared_ptr<const AxisLaw> law, const std::array<int, 2>& nodes,
            const Element& element)
      : markers_(std::move(markers)), law_(std::move(law)), nodes_(nodes), element_(element) {}

  std::span<const int> nodes() const override { return nodes_; }
  // Zero where the joint is apart.
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const PairNodes n = pair_of(q, nodes_);
    const typename Coordinate::Reading at(*markers_, n);
    const model::Context c{.t = q.t, .load_factor = q.load_factor};
    const double counted = remembered(q, element_, 0);
    const bool apart = q.dropped.is_open(element_.batch->first_row_of(element_.number));
    m.value = apart ? 0 : axis_force(*law_, at, c, counted);
    if (!derivatives) return;
    const AxisLaw::Value tau =
        apart || !law_->follows_coordinate() ? AxisLaw::Value{0, 0, 0} : (*law_)(at.value(counted), at.rate(), c);
    // What the rows do not set is zero always
    std::array<math::Vec6, 2> row{math::Vec6::Zero(), math::Vec6::Zero()};
    std::array<math::Vec6, 2> rate_row = row;
    at.set_row(row);
    at.set_rate_row(rate_row);
    for (std::size_t i = 0; i < 2; ++i) {
      m.by_position[i] = tau.by_position * row[i] + tau.by_rate * rate_row[i];
      m.by_velocity[i] = tau.by_rate * row[i];
    }
  }

 private:
  std::shared_ptr<const Markers> markers_;
  std::shared_ptr<const AxisLaw> law_;
  std::array<int, 2> nodes_;
  Element element_;
};

// Of the law of `Kind` along the axis of this name. None where it has no such law, or one whose motor follows signals:
// it would depend on itself.
template <class Kind>
std::unique_ptr<model::Sensor> make_law_sensor(const std::shared_ptr<const typename Kind::Data>& data,
                                               std::string_view quantity, const std::array<int, 2>& nodes,
                                               const model::Sensor::Element& element) {
  std::unique_ptr<model::Sensor> made;
  if constexpr (std::is_base_of_v<AxisForces<Kind>, Kind>) {
    Kind::laws(*data, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      constexpr std::string_view name = std::is_same_v<Coordinate, AxisAngle> ? "axis_torque" : "axis_force";
      if (quantity == name && law.motor.signals().empty())
        made =
            std::make_unique<LawSensor<Coordinate>>(data, std::shared_ptr<const AxisLaw>(data, &law), nodes, element);
    });
  }
  return made;
}

}  // namespace polhode::elements
