// SPDX-License-Identifier: BSD-3-Clause
// What signals act on, and what they do to the iteration matrix.
#include <algorithm>

#include "polhode/assembly/signal_network.hpp"

namespace polhode::assembly {

using model::Measurement;
using model::Vec6;

// By structure, whatever the slopes are at present: the pattern of the matrix is made once.
std::vector<int> SignalNetwork::sensors_behind(std::span<const int> values) const {
  std::vector<int> found;
  for (std::size_t k = 0; k < sensors_.size(); ++k)
    if (std::any_of(values.begin(), values.end(), [&](int value) { return behind_[value][k]; }))
      found.push_back(static_cast<int>(k));
  return found;
}

// Functions and their order are the same in any state.
void SignalNetwork::find_actuators(const Batches& batches, const State& q) {
  const model::Context c{.signals = values_};
  for (const auto& batch : batches) {
    if (!batch->has_actuators()) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      std::size_t number = 0;
      batch->each_actuator(e, q, c, [&](const model::TimeFunction& function, std::span<const double>) {
        if (!function.signals().empty())
          actuators_.push_back({batch.get(), e, number, sensors_behind(function.signals()), {}});
        ++number;
      });
    }
  }
  for (Actuator& actuator : actuators_) {
    const auto at = actuator.batch->nodes_of(actuator.element);
    for (int local = 0; local < static_cast<int>(at.size()); ++local)
      for (const int sensor : actuator.sensors) {
        const auto looked_at = signals_[sensors_[sensor]].sensor->nodes();
        for (int side = 0; side < 2; ++side)
          if (at[local] != 0 && looked_at[side] != 0)
            actuator.blocks.push_back({at[local], looked_at[side], local, sensor, side, -1});
      }
  }
}

// Nodes that an element couples already are among them; the pattern drops doubles.
std::vector<std::pair<int, int>> SignalNetwork::couplings() const {
  std::vector<std::pair<int, int>> all;
  for (const Actuator& actuator : actuators_)
    for (const Block& block : actuator.blocks) all.emplace_back(block.row, block.column);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// K and C of a function's value w: (D r/D w)(D w/D sensor)(D sensor/D (q, v)).
void SignalNetwork::add_tangents_to(const State& q, const model::Context& c, const model::Factors& factors,
                                    double force_scale, std::span<const model::NodeUnknowns> unknowns,
                                    std::span<double> values) const {
  if (actuators_.empty()) return;
  evaluate(q, true);
  const auto add = [&](const Actuator& actuator, const model::TimeFunction& function,
                       std::span<const double> by_function) {
    const std::span<double> gradient(gradient_.data(), function.signals().size());
    function.value(q.t, values_, gradient);
    for (const Block& block : actuator.blocks) {
      double by_sensor = 0;
      for (std::size_t k = 0; k < gradient.size(); ++k)
        by_sensor += gradient[k] * by_sensor_(function.signals()[k], block.sensor);
      if (by_sensor == 0 || block.place < 0) continue;
      const Measurement& m = measured_[static_cast<std::size_t>(block.sensor)];
      const auto side = static_cast<std::size_t>(block.side);
      const auto column_node = static_cast<std::size_t>(block.column);
      const auto factored = [&](const Vec6& by, double scalar, std::span<const math::Mat3> rotations) {
        Vec6 row;
        row.head<3>() = scalar * by.head<3>();
        if (rotations.empty())
          row.tail<3>() = scalar * by.tail<3>();
        else
          row.tail<3>() = rotations[column_node].transpose() * by.tail<3>();
        return row;
      };
      const Vec6 row = factored(m.by_position[side], factors.k, factors.rot_k) +
                       factored(m.by_velocity[side], factors.c, factors.rot_c);
      const model::NodeUnknowns& rows = unknowns[static_cast<std::size_t>(block.row)];
      const model::NodeUnknowns& columns = unknowns[column_node];
      for (int j = 0; j < 6; ++j) {
        if (columns.local[j] < 0) continue;
        double* to = values.data() + block.place + columns.local[j] * rows.count;
        for (int i = 0; i < 6; ++i)
          if (rows.local[i] >= 0)
            to[rows.local[i]] += force_scale * by_sensor * row[j] * by_function[6 * block.local + i];
      }
    }
  };
  for (std::size_t a = 0; a < actuators_.size();) {
    const Actuator& first = actuators_[a];
    std::size_t number = 0;
    // All functions of one element in one visit
    first.batch->each_actuator(first.element, q, c,
                               [&](const model::TimeFunction& function, std::span<const double> by_function) {
                                 if (a < actuators_.size() && actuators_[a].batch == first.batch &&
                                     actuators_[a].element == first.element && actuators_[a].number == number)
                                   add(actuators_[a++], function, by_function);
                                 ++number;
                               });
  }
}

}  // namespace polhode::assembly
