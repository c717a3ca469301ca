// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of the results of a force K, as K::write_outputs has them, with the derivatives of
//   static void set_output_gradient(const Data&, const Nodes&, const Context&, int number, Vector<K>& by_position,
//                                   Vector<K>& by_velocity);
// of the number `number` of the outputs; both are zero before.
#pragma once
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "polhode/model/builder.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

template <class K>
class OutputSensor final : public model::Sensor {
 public:
  using Data = typename K::Data;
  // `element`: the batch and number of the force, which remembers what history it has; `number`: among its `outputs`.
  OutputSensor(std::shared_ptr<const Data> data, const std::array<int, K::nodes>& nodes, Element element, int number,
               int outputs)
      : data_(std::move(data)),
        nodes_(nodes),
        element_(element),
        number_(static_cast<std::size_t>(number)),
        outputs_(static_cast<std::size_t>(outputs)) {}

  std::span<const int> nodes() const override { return nodes_; }
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const model::Nodes<K::nodes> n = nodes_at(q, std::make_index_sequence<K::nodes>{});
    const model::Context c{.t = q.t, .load_factor = q.load_factor, .history = history(q)};
    K::write_outputs(*data_, n, c, model::Rows<K>::Zero(), c.history, outputs_.data());
    m.value = outputs_[number_];
    if (!derivatives) return;
    model::Vector<K> by_position = model::Vector<K>::Zero();
    model::Vector<K> by_velocity = model::Vector<K>::Zero();
    K::set_output_gradient(*data_, n, c, static_cast<int>(number_), by_position, by_velocity);
    for (std::size_t i = 0; i < K::nodes; ++i) {
      m.by_position[i] = by_position.template segment<6>(6 * static_cast<Eigen::Index>(i));
      m.by_velocity[i] = by_velocity.template segment<6>(6 * static_cast<Eigen::Index>(i));
    }
  }

 private:
  template <std::size_t... I>
  model::Nodes<K::nodes> nodes_at(const model::State& q, std::index_sequence<I...>) const {
    const auto at = [this](std::size_t i) { return static_cast<std::size_t>(nodes_[i]); };
    return {model::Node{q.x[at(I)], q.quat[at(I)], q.R[at(I)], q.v[at(I)], q.vdot[at(I)]}...};
  }
  const double* history(const model::State& q) const {
    return q.history.data() + element_.batch->first_history() + static_cast<int>(element_.number) * K::history;
  }

  std::shared_ptr<const Data> data_;
  std::array<int, K::nodes> nodes_;
  Element element_;
  std::size_t number_;
  mutable std::vector<double> outputs_;  // of the last state: nothing is allocated for one
};

// Adds the force, and makes its outputs known to sensors, if there are any; those that functions of signals change
// (`follows_signals`, the first of the outputs alone) are not measured: they would depend on themselves.
template <class K>
void add_measured_force(const model::Entry& entry, model::Builder& builder, const std::array<int, K::nodes>& nodes,
                        typename K::Data data, bool follows_signals = false) {
  std::shared_ptr<const typename K::Data> kept;
  if (builder.needs_sensors()) kept = std::make_shared<const typename K::Data>(data);
  builder.add<K>(entry, nodes, std::move(data));
  if (!kept) return;
  const auto [batch, number] = builder.last_of<K>();
  const model::Sensor::Element element{batch, number};
  const auto make = [=, kind = entry.kind](std::string_view quantity, int,
                                           int component) -> std::unique_ptr<model::Sensor> {
    int found = -1;
    int count = 0;
    for (const model::Output& output : kind->outputs) {
      if (output.name == quantity) found = count + component;
      count += output.size;
    }
    if (found < 0 || (follows_signals && found == 0)) return nullptr;
    return std::make_unique<OutputSensor<K>>(kept, nodes, element, found, count);
  };
  builder.add_measured(entry, {make});
}

}  // namespace polhode::elements
