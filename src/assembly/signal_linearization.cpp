// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of a whole network by states, sensors and what is added to its values.
#include "polhode/assembly/signal_linearization.hpp"

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::MatrixX;
using model::Vec6;
using model::VectorX;

// Sensors look at two nodes at most; the ground, node 0, does not move, and its part is zero.
VectorX SignalLinearization::rates_along(const std::vector<Vec6>& dx, const std::vector<Vec6>& dv) const {
  VectorX change(static_cast<Eigen::Index>(measured.size()));
  for (std::size_t k = 0; k < measured.size(); ++k) {
    double sum = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto node = static_cast<std::size_t>(measured[k].nodes[side]);
      sum += measured[k].by_position[side].dot(dx[node]) + measured[k].by_velocity[side].dot(dv[node]);
    }
    change[static_cast<Eigen::Index>(k)] = sum;
  }
  return rates_by_sensor * change;
}

// What a rate would be if nothing cancelled: against it a rate at rest is round-off.
VectorX SignalLinearization::sizes(const VectorX& z, double length) const {
  VectorX moved(static_cast<Eigen::Index>(measured.size()));
  for (std::size_t k = 0; k < measured.size(); ++k) {
    double sum = std::abs(measured[k].value);
    for (const Vec6& by : measured[k].by_position) sum += length * by.head<3>().norm() + by.tail<3>().norm();
    moved[static_cast<Eigen::Index>(k)] = sum;
  }
  return rates_by_sensor.cwiseAbs() * moved + rates_by_state.cwiseAbs() * z.cwiseAbs();
}

// With G the gradients of all inputs by values and Y, F the derivatives of outputs and rates of all blocks,
//   delta s = (1 - Y_u G)^-1 (Y_z delta z + delta m + delta w),   delta z' = F_u G delta s + F_z delta z.
// Dense: a network has tens of values, and is linearized once an analysis.
SignalLinearization SignalNetwork::linearize(const State& q, std::size_t nodes) const {
  find(q);
  find_derivatives(q);
  const auto values = static_cast<Eigen::Index>(values_.size());
  const auto sensors = static_cast<Eigen::Index>(sensors_.size());
  MatrixX by_value = MatrixX::Identity(values, values);     // 1 - Y_u G
  MatrixX by_state = MatrixX::Zero(values, states_);        // Y_z
  MatrixX rates_by_value = MatrixX::Zero(states_, values);  // F_u G
  SignalLinearization made;
  made.rates = VectorX::Zero(states_);
  made.rates_by_state = MatrixX::Zero(states_, states_);
  for (const Node& node : nodes_) {
    const model::SignalBlock::Values& of = node.values;
    for (const SignalInput& input : node.inputs) input.differentiate(q.t, values_);
    for (std::size_t j = 0; j < node.inputs.size(); ++j)
      for (std::size_t k = 0; k < node.inputs[j].taken.size(); ++k) {
        const auto input = static_cast<Eigen::Index>(j);
        const double slope = node.inputs[j].gradient[k];
        const Eigen::Index value = node.inputs[j].taken[k];
        by_value.col(value).segment(node.first_value, of.y.size()) -= slope * of.y_by_u.col(input);
        rates_by_value.col(value).segment(node.first_state, of.f.size()) += slope * of.f_by_u.col(input);
      }
    by_state.block(node.first_value, node.first_state, of.y.size(), of.f.size()) = of.y_by_z;
    made.rates_by_state.block(node.first_state, node.first_state, of.f.size(), of.f.size()) = of.f_by_z;
    made.rates.segment(node.first_state, of.f.size()) = of.f;
  }
  // A loop without delay has a matrix that is regular wherever it has a solution: the same as in signal_loops.cpp, for
  // all values at once.
  const MatrixX by_added = by_value.partialPivLu().inverse();
  const MatrixX values_by_state = by_added * by_state;
  made.rates_by_added = rates_by_value * by_added;
  made.rates_by_state += rates_by_value * values_by_state;
  made.rates_by_sensor.resize(states_, sensors);
  for (Eigen::Index k = 0; k < sensors; ++k)
    made.rates_by_sensor.col(k) = made.rates_by_added.col(sensor_value_[static_cast<std::size_t>(k)]);
  made.measured = kept_->measured;
  made.by_state.assign(static_cast<std::size_t>(states_), SignalLinearization::Forces(nodes, Vec6::Zero()));
  made.by_added.assign(values_.size(), SignalLinearization::Forces(nodes, Vec6::Zero()));
  const model::Context c{.t = q.t, .load_factor = q.load_factor, .signals = values_};
  const model::BatchBase* batch = nullptr;
  std::size_t element = 0;
  for (const Actuator& actuator : actuators_) {
    if (actuator.batch == batch && actuator.element == element) continue;  // all functions of one in one visit
    batch = actuator.batch;
    element = actuator.element;
    const auto acted_on = batch->nodes_of(element);
    batch->each_actuator(element, q, c, [&](const model::TimeFunction& function, std::span<const double> by_function) {
      std::vector<double> gradient(function.signals().size());
      if (gradient.empty()) return;
      function.value(q.t, values_, gradient);
      const auto add = [&](const MatrixX& by, Eigen::Index column, SignalLinearization::Forces& to) {
        double sum = 0;
        for (std::size_t k = 0; k < gradient.size(); ++k) sum += gradient[k] * by(function.signals()[k], column);
        for (std::size_t local = 0; local < acted_on.size(); ++local)
          if (acted_on[local] != 0)
            to[static_cast<std::size_t>(acted_on[local])] += sum * Eigen::Map<const Vec6>(&by_function[6 * local]);
      };
      for (Eigen::Index k = 0; k < states_; ++k) add(values_by_state, k, made.by_state[static_cast<std::size_t>(k)]);
      for (Eigen::Index k = 0; k < values; ++k) add(by_added, k, made.by_added[static_cast<std::size_t>(k)]);
    });
  }
  return made;
}

}  // namespace polhode::assembly
