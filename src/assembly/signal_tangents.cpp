// SPDX-License-Identifier: BSD-3-Clause
// What signals act on, and what they do to the iteration matrix.
#include <algorithm>
#include <cmath>
#include <functional>

#include "polhode/assembly/signal_network.hpp"
#include "polhode/math/column_width.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::Measurement;
using model::Vec6;

// By structure, whatever the slopes are at present: the pattern of the matrix is made once.
std::vector<int> SignalNetwork::sensors_behind(std::span<const int> values) const {
  std::vector<int> found;
  for (const int value : values) found.insert(found.end(), behind_[value].begin(), behind_[value].end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<int> SignalNetwork::measured_behind(std::span<const int> values) const {
  std::vector<int> found;
  for (const int sensor : sensors_behind(values)) found.push_back(sensors_[static_cast<std::size_t>(sensor)]);
  return found;
}

// Functions and their order are the same in any state.
void SignalNetwork::find_actuators(const Batches& batches, const State& q) {
  const model::Context c{.signals = values_};
  std::vector<int> acting;  // blocks
  for (const auto& batch : batches) {
    if (!batch->has_actuators()) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      std::size_t number = 0;
      batch->each_actuator(e, q, c, [&](const model::TimeFunction& function, std::span<const double>) {
        const std::span<const int> taken = function.signals();
        const std::span<const double> slopes = function.slopes();
        if (!taken.empty())
          actuators_.push_back({.batch = batch.get(),
                                .element = e,
                                .number = number,
                                .taken = {taken.begin(), taken.end()},
                                .slopes = {slopes.begin(), slopes.end()},
                                .sensors = sensors_behind(taken),
                                .looked_at = {},
                                .by_multipliers = {}});
        for (const int value : taken) acting.push_back(node_of_[static_cast<std::size_t>(value)]);
        ++number;
      });
    }
  }
  find_drives(batches, q.x.size(), acting);
  acting_.assign(static_cast<std::size_t>(states_), 0);
  for (const int n : upstream(acting)) {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    std::fill_n(acting_.begin() + node.first_state, node.z.size(), 1);
  }
  for (Actuator& actuator : actuators_) find_blocks(batches, q, actuator);
  for (Drive& drive : drives_)
    each_group_read(drive.sensors, batches, q.x.size(), [&](int number, int group) {
      drive.by_multipliers.push_back(
          {{group_of({drive.batch, drive.element}, batches, q.x.size()), group, drive.row}, number});
    });
}

// Nodes that several sensors look at have one block, whose row is summed up before.
std::vector<SignalNetwork::LookedAt> SignalNetwork::looked_at_by(std::span<const int> sensors) const {
  std::vector<LookedAt> all;
  for (const int number : sensors) {
    const model::Sensor& sensor = *signals_[sensors_[number]].sensor;
    const auto nodes = sensor.nodes();
    for (int side = 0; side < static_cast<int>(nodes.size()); ++side) {
      if (nodes[side] == 0) continue;
      auto found =
          std::find_if(all.begin(), all.end(), [&](const LookedAt& other) { return other.node == nodes[side]; });
      if (found == all.end()) found = all.insert(found, {.node = nodes[side], .by = {}});
      found->by.push_back({number, side});
      found->turns_alone = found->turns_alone && sensor.turns_alone();
    }
  }
  return all;
}

// Sensors of positions and velocities read none.
template <class Add>
void SignalNetwork::each_group_read(std::span<const int> sensors, const Batches& batches, std::size_t nodes,
                                    const Add& add) const {
  for (const int number : sensors) {
    const model::Sensor::Element of = signals_[sensors_[number]].sensor->multipliers();
    if (of.batch && of.batch->rows() > 0) add(number, group_of(of, batches, nodes));
  }
}

// Each reaction has a block of its own, since two sensors of one joint rarely reach the same force.
void SignalNetwork::find_blocks(const Batches& batches, const State& q, Actuator& actuator) const {
  const auto at = actuator.batch->nodes_of(actuator.element);
  actuator.looked_at = looked_at_by(actuator.sensors);
  each_group_read(actuator.sensors, batches, q.x.size(), [&](int number, int group) {
    for (int local = 0; local < static_cast<int>(at.size()); ++local)
      if (at[local] != 0) actuator.by_multipliers.push_back({{at[local], group, local}, number});
  });
  for (LookedAt& looked_at : actuator.looked_at)
    for (int local = 0; local < static_cast<int>(at.size()); ++local)
      if (at[local] != 0) looked_at.blocks.push_back({at[local], looked_at.node, local});
}

// Nodes that an element couples already are among them; the pattern drops doubles.
std::vector<std::pair<int, int>> SignalNetwork::couplings() const {
  std::vector<std::pair<int, int>> all;
  for (const Actuator& actuator : actuators_) {
    for (const LookedAt& looked_at : actuator.looked_at)
      for (const Block& block : looked_at.blocks) all.emplace_back(block.row, block.column);
    for (const Block& block : actuator.by_multipliers) all.emplace_back(block.row, block.column);
  }
  for (const Drive& drive : drives_) {
    for (const LookedAt& looked_at : drive.looked_at)
      for (const Block& block : looked_at.blocks) all.emplace_back(block.row, block.column);
    for (const Block& block : drive.by_multipliers) all.emplace_back(block.row, block.column);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

namespace {

// Adds the block column x row^T to the matrix, of nodes of six free unknowns, nearly all. Halves may be given alone:
// moments, written as four numbers of which the first, of a force, is zero, and what follows rotations.
template <int columns>
void add_whole_block_to(double* to, const double* column, bool moments_alone, const math::Mat<columns>& row) {
  to += 6 * (6 - columns);
  for (int j = 0; j < columns; ++j, to += 6)
    if (moments_alone)
      Eigen::Map<Eigen::Vector4d>(to + 2) += row[j] * Eigen::Map<const Eigen::Vector4d>(column + 2);
    else
      Eigen::Map<Vec6>(to) += row[j] * Eigen::Map<const Vec6>(column);
}

// The same of nodes without some of their unknowns.
template <int columns>
void add_block_to(double* to, const model::NodeUnknowns& of_rows, const model::NodeUnknowns& of_columns,
                  const double* column, const math::Mat<columns>& row) {
  constexpr int first = 6 - columns;
  for (int j = first; j < 6; ++j) {
    if (of_columns.local[j] < 0) continue;
    for (int i = 0; i < 6; ++i)
      if (of_rows.local[i] >= 0)
        to[of_columns.local[j] * of_rows.count + of_rows.local[i]] += row[j - first] * column[i];
  }
}

}  // namespace

// Inlined: a call costs as much as what it does.
template <int n>
[[gnu::always_inline]] inline math::Mat<n> SignalNetwork::row_of(const LookedAt& looked_at,
                                                                 const model::Factors& factors) const {
  math::Mat<n> by_position = math::Mat<n>::Zero();
  math::Mat<n> by_velocity = math::Mat<n>::Zero();
  math::Mat<n> by_acceleration = math::Mat<n>::Zero();
  for (const LookedAt::By& by : looked_at.by) {
    const Measurement& m = kept_->measured[static_cast<std::size_t>(by.sensor)];
    const double weight = kept_->by_function[static_cast<std::size_t>(by.sensor)];
    by_position += weight * m.by_position[static_cast<std::size_t>(by.side)].template tail<n>();
    by_velocity += weight * m.by_velocity[static_cast<std::size_t>(by.side)].template tail<n>();
    if (accelerates_ && !m.by_acceleration.empty())
      by_acceleration += weight * m.by_acceleration[static_cast<std::size_t>(by.side)].template tail<n>();
  }
  const auto turned = [&](const math::Mat<n>& by, double scalar, std::span<const math::Mat3> rotations) {
    math::Mat<n> row = scalar * by;
    if (!rotations.empty())
      row.template tail<3>() =
          rotations[static_cast<std::size_t>(looked_at.node)].transpose().lazyProduct(by.template tail<3>());
    return row;
  };
  math::Mat<n> sum = turned(by_position, factors.k, factors.rot_k) + turned(by_velocity, factors.c, factors.rot_c);
  if (accelerates_) sum += turned(by_acceleration, factors.m, factors.rot_m);
  return sum;
}

// K and C of a function's value w: (D r/D w)(D w/D sensor)(D sensor/D (q, v)). Columns of multipliers have no factors,
// since unknowns and forces are scaled alike; matrices without stiffness and damping have B^T alone there.
void SignalNetwork::add_tangent_to(const Actuator& actuator, std::span<const double> gradient,
                                   std::span<const double> by_function, const model::Factors& factors,
                                   double force_scale, std::span<const model::NodeUnknowns> unknowns,
                                   std::span<double> values) const {
  for (const int sensor : actuator.sensors) {
    double sum = 0;
    for (std::size_t k = 0; k < gradient.size(); ++k) sum += gradient[k] * kept_->by_sensor(actuator.taken[k], sensor);
    kept_->by_function[static_cast<std::size_t>(sensor)] = force_scale * sum;
  }
  bool moments_alone = true;
  for (std::size_t i = 0; i < by_function.size(); i += 6)
    moments_alone =
        moments_alone && std::abs(by_function[i]) + std::abs(by_function[i + 1]) + std::abs(by_function[i + 2]) == 0;
  for (const LookedAt& looked_at : actuator.looked_at) {
    const model::NodeUnknowns& columns = unknowns[static_cast<std::size_t>(looked_at.node)];
    const auto add = [&](const auto& row) {
      for (const Block& block : looked_at.blocks) {
        const model::NodeUnknowns& rows = unknowns[static_cast<std::size_t>(block.row)];
        const double* column = by_function.data() + 6 * block.local;
        if (rows.full() && columns.full())
          add_whole_block_to(values.data() + block.place, column, moments_alone, row);
        else
          add_block_to(values.data() + block.place, rows, columns, column, row);
      }
    };
    if (looked_at.turns_alone)
      add(row_of<3>(looked_at, factors));
    else
      add(row_of<6>(looked_at, factors));
  }
  if (force_scale == 0 || !(factors.has_k() || factors.c != 0)) return;
  for (const MultiplierBlock& block : actuator.by_multipliers) {
    const auto sensor = static_cast<std::size_t>(block.sensor);
    const double weight = kept_->by_function[sensor] / force_scale;
    const model::NodeUnknowns& rows = unknowns[static_cast<std::size_t>(block.row)];
    double* to = values.data() + block.place;
    for (const double by : kept_->measured[sensor].by_multiplier) {
      for (int i = 0; i < 6; ++i)
        if (rows.local[i] >= 0)
          to[rows.local[i]] += weight * by * by_function[static_cast<std::size_t>(6 * block.local + i)];
      to += rows.count;
    }
  }
}

// Rows of positions: states follow sensors within a step, by its gain. Matrices without stiffness have rows of velocities
// or accelerations, B alone.
void SignalNetwork::add_drive_tangents_to(const State& q, const model::Factors& factors, double scale,
                                          double force_scale, std::span<const model::NodeUnknowns> unknowns,
                                          std::span<double> values) const {
  if (!factors.has_k()) return;
  for (const Drive& drive : drives_) {
    if (drive.sensors.empty()) continue;
    const std::span<const int> taken = drive.function->signals();
    const std::span<double> gradient(kept_->gradient.data(), taken.size());
    drive.function->value(q.t, values_, gradient);
    for (const int sensor : drive.sensors) {
      double sum = 0;
      for (std::size_t k = 0; k < taken.size(); ++k) sum += gradient[k] * kept_->by_sensor(taken[k], sensor);
      kept_->by_function[static_cast<std::size_t>(sensor)] = scale * sum;
    }
    const int stride = math::column_width(drive.batch->rows());
    for (const LookedAt& looked_at : drive.looked_at) {
      const model::NodeUnknowns& columns = unknowns[static_cast<std::size_t>(looked_at.node)];
      const math::Mat<6> row = row_of<6>(looked_at, factors);
      for (const Block& block : looked_at.blocks)
        for (int j = 0; j < 6; ++j)
          if (columns.local[j] >= 0) values[block.place + columns.local[j] * stride + block.local] += row[j];
    }
    for (const MultiplierBlock& block : drive.by_multipliers) {
      const auto sensor = static_cast<std::size_t>(block.sensor);
      const double weight = kept_->by_function[sensor] / force_scale;
      double* to = values.data() + block.place + block.local;
      for (const double by : kept_->measured[sensor].by_multiplier) {
        *to += weight * by;
        to += stride;
      }
    }
  }
}

// z = base + gain z' and u = C z: what u' is by sensors is that of u divided by the gain, but for products of signals.
void SignalNetwork::add_velocity_tangents_to(const State& q, const model::Factors& factors, double force_scale,
                                             std::span<const model::NodeUnknowns> unknowns,
                                             std::span<double> values) const {
  if (drives_.empty() || q.signals.gain == 0) return;
  find_derivatives(q);
  add_drive_tangents_to(q, factors, 1 / q.signals.gain, force_scale, unknowns, values);
}

void SignalNetwork::add_tangents_to(const State& q, const model::Context& c, const model::Factors& factors,
                                    double force_scale, std::span<const model::NodeUnknowns> unknowns,
                                    std::span<double> values) const {
  if (actuators_.empty() && drives_.empty()) return;
  find_derivatives(q);
  add_drive_tangents_to(q, factors, 1, force_scale, unknowns, values);
  const Actuator* actuator = actuators_.data();
  const Actuator* const end = actuator + actuators_.size();
  const Actuator* first = nullptr;
  std::size_t number = 0;
  const auto add = [&](const model::TimeFunction& function, std::span<const double> by_function) {
    if (actuator != end && actuator->number == number && actuator->element == first->element &&
        actuator->batch == first->batch) {
      std::span<const double> gradient = actuator->slopes;
      if (gradient.empty()) {
        const std::span<double> places(kept_->gradient.data(), actuator->taken.size());
        function.value(q.t, values_, places);
        gradient = places;
      }
      add_tangent_to(*actuator++, gradient, by_function, factors, force_scale, unknowns, values);
    }
    ++number;
  };
  // By reference, since a copy of it would be allocated
  const model::BatchActuators::VisitActuator visit = std::ref(add);
  // All functions of one element in one visit
  while (actuator != end) {
    first = actuator;
    number = 0;
    first->batch->each_actuator(first->element, q, c, visit);
  }
}

}  // namespace polhode::assembly
