// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of an element of a cable: its strain, or its tension with damping.
#pragma once
#include "elements/beams/cable/cable.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

class CableSensor final : public model::Sensor {
 public:
  CableSensor(const Cable::Data& data, const std::array<int, 2>& nodes, bool tension)
      : d_(data), nodes_(nodes), tension_(tension) {}
  std::span<const int> nodes() const override { return nodes_; }
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override;

 private:
  Cable::Data d_;
  std::array<int, 2> nodes_;
  bool tension_;
};

}  // namespace polhode::elements
