// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of a whole network by states and by what is added to its values; whose the states are.
#include "polhode/assembly/signal_linearization.hpp"

#include <algorithm>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::MatrixX;
using model::Vec6;
using model::VectorX;

// The ground, node 0, does not move, and its part is zero.
void SignalLinearization::set_rates_along(const std::vector<Vec6>& dx, const std::vector<Vec6>& dv,
                                          VectorX& rates_along) const {
  rates_along.setZero(rates_by_added.rows());
  for (std::size_t k = 0; k < measured.size(); ++k) {
    double sum = 0;
    for (std::size_t side = 0; side < measured[k].nodes.size(); ++side) {
      const auto node = static_cast<std::size_t>(measured[k].nodes[side]);
      sum += measured[k].by_position[side].dot(dx[node]) + measured[k].by_velocity[side].dot(dv[node]);
    }
    rates_along += sum * rates_by_added.col(value_of_sensor[k]);
  }
}

// Most networks have no such sensor, and callers do not ask.
void SignalLinearization::add_rates_by_dynamics(const std::vector<Vec6>& dvdot, const VectorX& dlambda,
                                                VectorX& rates_along) const {
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const model::Measurement& m = measured[k];
    double sum = 0;
    for (std::size_t side = 0; side < m.by_acceleration.size(); ++side)
      sum += m.by_acceleration[side].dot(dvdot[static_cast<std::size_t>(m.nodes[side])]);
    for (std::size_t row = 0; row < m.by_multiplier.size(); ++row)
      sum += m.by_multiplier[row] * dlambda[row_of_sensor[k] + static_cast<Eigen::Index>(row)];
    if (sum != 0) rates_along += sum * rates_by_added.col(value_of_sensor[k]);
  }
}

// Of positions they are smooth, of velocities squares at most.
void SignalLinearization::add_rates_by_sums(const model::State& q, double length, const std::vector<Vec6>& dx,
                                            const std::vector<Vec6>& dv, model::State& moved,
                                            VectorX& rates_along) const {
  constexpr double way = 1e-5;  // of the farthest node, by the length
  if (sums.empty()) return;
  const auto size_of = [&](const std::vector<Vec6>& all) {
    double most = 0;
    for (const Vec6& one : all) most = std::max({most, one.head<3>().norm() / length, one.tail<3>().norm()});
    return most;
  };
  double size = size_of(dx);
  if (size == 0) size = size_of(dv);
  if (!(size > 0)) return;
  const double step = way / size;
  moved = q;
  for (const int sign : {1, -1}) {
    for (std::size_t i = 1; i < q.x.size(); ++i) {
      moved.x[i] = q.x[i] + sign * step * dx[i].head<3>();
      const math::Vec3 turn = sign * step * dx[i].tail<3>();
      moved.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(turn)).normalized());
      moved.v[i] = q.v[i] + sign * step * dv[i];
    }
    for (const Sum& sum : sums) {
      // Of a sensor without derivatives: nothing is allocated
      model::Measurement m;
      sum.sensor->measure(moved, false, m);
      rates_along += sign * m.value / (2 * step) * rates_by_added.col(sum.value);
    }
  }
}

std::vector<Vec6> SignalLinearization::forces(const VectorX& ds, std::size_t nodes) const {
  std::vector<Vec6> all(nodes, Vec6::Zero());
  for (const Action& one : actions) all[static_cast<std::size_t>(one.node)] -= ds[one.value] * one.residual;
  return all;
}

// Those of drives; minus, as forces are.
VectorX SignalLinearization::rows(const VectorX& ds, Eigen::Index count) const {
  VectorX all = VectorX::Zero(count);
  for (const DrivenRow& one : driven) all[one.row] -= ds[one.value] * one.by_value;
  return all;
}

// What a rate would be if nothing cancelled: against it a rate at rest is round-off.
VectorX SignalLinearization::sizes(const VectorX& z, double length) const {
  const MatrixX by_state = rates_by_state.cwiseAbs();
  VectorX of_sensors = VectorX::Zero(z.size());
  for (std::size_t k = 0; k < measured.size(); ++k) {
    double sum = std::abs(measured[k].value);
    for (const Vec6& by : measured[k].by_position) sum += length * by.head<3>().norm() + by.tail<3>().norm();
    of_sensors += sum * rates_by_added.col(value_of_sensor[k]).cwiseAbs();
  }
  // A state that rests at zero is as large as its rate would make it within the time of its own row: so along chains
  VectorX size_of_z = z.cwiseAbs();
  VectorX all;
  for (Eigen::Index round = 0; round <= z.size(); ++round) {
    all = by_state * size_of_z + of_sensors;
    for (Eigen::Index k = 0; k < z.size(); ++k)
      if (const double row = by_state.row(k).sum(); row > 0) size_of_z[k] = std::max(size_of_z[k], all[k] / row);
  }
  return all;
}

// With G the gradients of all inputs by values and Y, F the derivatives of outputs and rates of all blocks,
//   delta s = (1 - Y_u G)^-1 (Y_z delta z + delta m + delta w),   delta z' = F_u G delta s + F_z delta z.
// Dense: a network has tens of values, and is linearized once an analysis.
SignalLinearization SignalNetwork::linearize(const State& q) const {
  find(q);
  find_derivatives(q);
  const auto values = static_cast<Eigen::Index>(values_.size());
  MatrixX by_value = MatrixX::Identity(values, values);     // 1 - Y_u G
  MatrixX by_state = MatrixX::Zero(values, states_);        // Y_z
  MatrixX rates_by_value = MatrixX::Zero(states_, values);  // F_u G
  SignalLinearization made;
  made.rates = VectorX::Zero(states_);
  made.rates_by_state = MatrixX::Zero(states_, states_);
  for (const Node& node : nodes_) {
    const model::SignalBlock::Values& of = node.values;
    node.set_states(q);
    for (std::size_t j = 0; j < node.inputs.size(); ++j) {
      const SignalInput& input = node.inputs[j];
      input.differentiate(q.t, values_);
      for (std::size_t k = 0; k < input.taken.size(); ++k) {
        const auto column = static_cast<Eigen::Index>(j);
        by_value.col(input.taken[k]).segment(node.first_value, of.y.size()) -=
            input.gradient[k] * of.y_by_u.col(column);
        rates_by_value.col(input.taken[k]).segment(node.first_state, of.f.size()) +=
            input.gradient[k] * of.f_by_u.col(column);
      }
    }
    by_state.block(node.first_value, node.first_state, of.y.size(), of.f.size()) = of.y_by_z;
    made.rates_by_state.block(node.first_state, node.first_state, of.f.size(), of.f.size()) = of.f_by_z;
    made.rates.segment(node.first_state, of.f.size()) = of.f;
  }
  // A loop without delay has a matrix that is regular wherever it has a solution: the same as in signal_loops.cpp, for
  // all values at once.
  made.values_by_added = by_value.partialPivLu().inverse();
  made.values_by_state = made.values_by_added * by_state;
  made.rates_by_added = rates_by_value * made.values_by_added;
  made.rates_by_state += rates_by_value * made.values_by_state;
  made.measured = kept_->measured;
  made.value_of_sensor = sensor_value_;
  made.reads_dynamics = reads_dynamics();
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    const model::Sensor& sensor = *signals_[static_cast<std::size_t>(sensors_[k])].sensor;
    const model::Sensor::Element of = sensor.multipliers();
    made.row_of_sensor.push_back(of.batch ? of.batch->first_row_of(of.number) : 0);
    if (!sensor.has_derivatives()) made.sums.push_back({sensor_value_[k], &sensor});
  }
  made.actions = actions(q);
  for (const Drive& drive : drives_) {
    const std::span<const int> taken = drive.function->signals();
    std::vector<double> gradient(taken.size());
    drive.function->value(q.t, values_, gradient);
    const int row = drive.batch->first_row_of(drive.element) + drive.row;
    for (std::size_t k = 0; k < taken.size(); ++k) made.driven.push_back({row, taken[k], gradient[k]});
  }
  return made;
}

// All functions of one element in one visit; values have been found.
std::vector<SignalLinearization::Action> SignalNetwork::actions(const State& q) const {
  const model::Context c{.t = q.t, .load_factor = q.load_factor, .signals = values_};
  std::vector<SignalLinearization::Action> all;
  const Actuator* before = nullptr;
  for (const Actuator& actuator : actuators_) {
    const bool is_visited = before && before->batch == actuator.batch && before->element == actuator.element;
    before = &actuator;
    if (is_visited) continue;
    const auto acted_on = actuator.batch->nodes_of(actuator.element);
    actuator.batch->each_actuator(
        actuator.element, q, c, [&](const model::TimeFunction& function, std::span<const double> by_function) {
          std::vector<double> gradient(function.signals().size());
          if (!gradient.empty()) function.value(q.t, values_, gradient);
          for (std::size_t k = 0; k < gradient.size(); ++k)
            for (std::size_t local = 0; local < acted_on.size(); ++local)
              if (acted_on[local] != 0)
                all.push_back({acted_on[local], function.signals()[k],
                               gradient[k] * Eigen::Map<const Vec6>(&by_function[6 * local])});
        });
  }
  return all;
}

// For messages and for names of states in results; a linear search over blocks, asked once an analysis.
int SignalNetwork::entry_of_state(int state) const {
  const auto owns = [&](const Node& node) {
    return node.first_state <= state && state < node.first_state + node.z.size();
  };
  return signals_[std::find_if(nodes_.begin(), nodes_.end(), owns)->signal].entry;
}

// What is noted does not know of it: forgetting that makes the next evaluation a whole one.
void SignalNetwork::add_to_value(std::size_t value, double number) const {
  kept_->added.clear();
  if (number != 0) kept_->added.assign(values_.size(), 0);
  if (number != 0) kept_->added[value] = number;
  kept_->noted.clear();
}

}  // namespace polhode::assembly
