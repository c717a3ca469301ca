// SPDX-License-Identifier: BSD-3-Clause
// Loops of signals without delay: their outputs by Newton's method, and the derivatives of those.
#include <algorithm>
#include <cmath>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

// 1 - D y/D u D u/D x, over the outputs of the loop alone.
void SignalNetwork::set_matrix(const Loop& loop) const {
  const int number = loop_of_[loop.values.front()];
  loop.by_x.setIdentity();
  Eigen::Index row = 0;
  for (const int n : loop.nodes) {
    const Node& node = nodes_[n];
    for (Eigen::Index i = 0; i < node.values.y.size(); ++i, ++row)
      for (std::size_t j = 0; j < node.inputs.size(); ++j)
        for (std::size_t k = 0; k < node.inputs[j].taken.size(); ++k)
          if (const int value = node.inputs[j].taken[k]; loop_of_[value] == number)
            loop.by_x(row, place_of_[value]) -=
                node.y_by_u(i, static_cast<Eigen::Index>(j)) * node.inputs[j].gradient[k];
  }
}

// Newton's method for the outputs x = y(u(x)) of all blocks of the loop, from those of the last accepted state.
bool SignalNetwork::solve(const Loop& loop, const State& q) const {
  const auto count = static_cast<Eigen::Index>(loop.values.size());
  for (Eigen::Index i = 0; i < count; ++i) loop.x[i] = q.signals.values[loop.values[static_cast<std::size_t>(i)]];
  for (int iteration = 0; iteration <= most_iterations; ++iteration) {
    Eigen::Index row = 0;
    for (const int n : loop.nodes) {
      // All take the outputs that are sought, none what another one has just found
      for (Eigen::Index i = 0; i < count; ++i) values_[loop.values[static_cast<std::size_t>(i)]] = loop.x[i];
      const Node& node = nodes_[n];
      if (!evaluate_node(node, q)) return false;
      differentiate_node(node, q);
      for (Eigen::Index i = 0; i < node.values.y.size(); ++i, ++row)
        loop.missed[row] = loop.x[row] - values_[static_cast<std::size_t>(node.first_value + i)];
    }
    set_matrix(loop);
    loop.lu.compute(loop.by_x);
    const auto pivots = loop.lu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > 1e-13 * pivots.maxCoeff())) return false;
    loop.missed = loop.lu.solve(loop.missed).eval();
    loop.x -= loop.missed;
    if (!loop.x.allFinite()) return false;
    if (loop.missed.norm() > last_bits * (1 + loop.x.norm())) continue;
    for (Eigen::Index i = 0; i < count; ++i) values_[loop.values[static_cast<std::size_t>(i)]] = loop.x[i];
    return true;
  }
  return false;
}

// Rows of D s/D sensor: y_by_u of each block times those of what it takes; of a closed loop also times the inverse of
// its matrix.
void SignalNetwork::differentiate(const Loop& loop) const {
  auto& by_sensor = kept_->by_sensor;
  const int number = loop.closed ? loop_of_[loop.values.front()] : -2;
  for (const int n : loop.nodes) {
    const Node& node = nodes_[n];
    for (Eigen::Index i = 0; i < node.values.y.size(); ++i) {
      const Eigen::Index to = node.first_value + i;
      for (const int sensor : behind_[to]) by_sensor(to, sensor) = 0;
      for (std::size_t j = 0; j < node.inputs.size(); ++j)
        for (std::size_t k = 0; k < node.inputs[j].taken.size(); ++k) {
          const int value = node.inputs[j].taken[k];
          const double by_value = node.y_by_u(i, static_cast<Eigen::Index>(j)) * node.inputs[j].gradient[k];
          if (loop_of_[value] == number) continue;
          for (const int sensor : behind_[value]) by_sensor(to, sensor) += by_value * by_sensor(value, sensor);
        }
    }
  }
  if (!loop.closed) return;
  set_matrix(loop);
  loop.lu.compute(loop.by_x);
  for (std::size_t i = 0; i < loop.values.size(); ++i)
    loop.rows.row(static_cast<Eigen::Index>(i)) = by_sensor.row(loop.values[i]);
  loop.rows = loop.lu.solve(loop.rows).eval();
  for (std::size_t i = 0; i < loop.values.size(); ++i)
    by_sensor.row(loop.values[i]) = loop.rows.row(static_cast<Eigen::Index>(i));
}

// Entry of the element whose function has none by the signals that it takes.
int SignalNetwork::actuator_without_slope(const State& q) const {
  const model::Context c{.t = q.t, .load_factor = q.load_factor, .signals = values_};
  int found = -1;
  for (const Actuator& actuator : actuators_)
    actuator.batch->each_actuator(
        actuator.element, q, c, [&](const model::TimeFunction& function, std::span<const double>) {
          VectorX gradient = VectorX::Zero(static_cast<Eigen::Index>(function.signals().size()));
          function.value(q.t, values_, numbers_of(gradient));
          if (found < 0 && !gradient.allFinite()) found = actuator.batch->entry_of(actuator.element);
        });
  return found;
}

// In the order of evaluation, so that the first has inputs with slopes.
int SignalNetwork::first_without_slope(const State& q) const {
  if (actuators_.empty() && drives_.empty()) return -1;
  find(q);
  find_derivatives(q);
  std::vector<int> followed;
  for (const Actuator& actuator : actuators_)
    followed.insert(followed.end(), actuator.taken.begin(), actuator.taken.end());
  for (const Drive& drive : drives_)
    followed.insert(followed.end(), drive.function->signals().begin(), drive.function->signals().end());
  std::vector<int> blocks;
  for (const int value : followed) blocks.push_back(node_of_[static_cast<std::size_t>(value)]);
  std::vector<int> acting = upstream(blocks);
  std::sort(acting.begin(), acting.end());
  for (const Loop& loop : order_)
    for (std::size_t i = 0; i < loop.values.size(); ++i) {
      const int n = node_of_[static_cast<std::size_t>(loop.values[i])];
      if (!kept_->by_sensor.row(loop.values[i]).allFinite() && std::binary_search(acting.begin(), acting.end(), n))
        return signals_[nodes_[static_cast<std::size_t>(n)].signal].entry;
    }
  return actuator_without_slope(q);
}

// At the first loop that fails: those behind it have no values either.
void SignalNetwork::check(const State& q, const model::Model& model, const model::SignalForm& form,
                          model::Problems& problems) const {
  find(q);
  for (const Loop& loop : order_) {
    const bool sound = std::all_of(loop.nodes.begin(), loop.nodes.end(),
                                   [&](int n) { return std::isfinite(values_[nodes_[n].first_value]); });
    if (sound) continue;
    const auto entry = [&](int n) -> const model::Entry& {
      return model.entries[static_cast<std::size_t>(signals_[nodes_[n].signal].entry)];
    };
    std::string names;
    for (const int n : loop.nodes) (names += names.empty() ? "" : ", ") += entry(n).name;
    problems.push_back({entry(loop.nodes.front()).path(),
                        loop.closed
                            ? "the signals that depend on each other without delay (" + names +
                                  ") have no solution at the start, or none that their derivatives lead to; put a "
                                  "low_pass or a sample_hold between them"
                            : "is not finite at the start"});
    return;
  }
  check_feedback(q, model, form, problems);
  check_drives(q, model, problems);
}

}  // namespace polhode::assembly
