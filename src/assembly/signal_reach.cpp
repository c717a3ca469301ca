// SPDX-License-Identifier: BSD-3-Clause
// Finds what follows sensors of more than positions and velocities of a few nodes, which methods and analyses may refuse:
// reactions and accelerations, which come out of the equations of motion themselves, and sums over the whole model.
//
// A force that follows one of the first at once would be a part of the matrix that accelerations and multipliers are found
// with, everywhere, and may have no solution at all: a state or a delay has to stand in between. A force that follows
// an energy within a step would fill the iteration matrix.
#include <algorithm>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

namespace {

// Whether an output follows the input where states stand: blocks with states are affine, so that any point will do.
bool passes_at_once(const model::SignalBlock& block, int input) {
  if (block.delay().time > 0) return false;
  if (block.sizes().states == 0) return true;
  model::SignalBlock::Values values(block.sizes());
  const std::vector<double> u(static_cast<std::size_t>(block.sizes().inputs), 0.0);
  const std::vector<double> z(static_cast<std::size_t>(block.sizes().states), 0.0);
  const std::vector<double> held(static_cast<std::size_t>(block.sizes().held), 0.0);
  block.evaluate(0, u, z, held, values);
  return !values.y_by_u.col(input).isZero(0);
}

}  // namespace

// All of them: those that read multipliers or accelerations, and those that sum up the model.
bool SignalNetwork::is_wide(std::size_t sensor) const {
  const model::Sensor& of = *signals_[static_cast<std::size_t>(sensors_[sensor])].sensor;
  return of.multipliers().batch != nullptr || of.accelerates() || !of.has_derivatives();
}

// From block to block until nothing is added: there may be loops.
std::vector<char> SignalNetwork::reached_from(std::size_t sensor, bool at_once) const {
  std::vector<char> reached(values_.size(), 0);
  reached[static_cast<std::size_t>(sensor_value_[sensor])] = 1;
  for (bool added = true; added;) {
    added = false;
    for (const Node& node : nodes_) {
      if (reached[static_cast<std::size_t>(node.first_value)]) continue;
      for (int i = 0; i < static_cast<int>(node.inputs.size()); ++i) {
        const std::span<const int> taken = node.inputs[static_cast<std::size_t>(i)].taken;
        const bool takes = std::any_of(taken.begin(), taken.end(), [&](int value) { return reached[value] != 0; });
        if (!takes || !node.block->follows(i) || (at_once && !passes_at_once(*node.block, i))) continue;
        std::fill_n(reached.begin() + node.first_value, node.values.y.size(), 1);
        added = true;
        break;
      }
    }
  }
  return reached;
}

// A search over all blocks. What is only sampled has no rate in equilibrium, and is not reached.
bool SignalNetwork::reaches_states(std::size_t sensor, bool only_acting) const {
  const std::vector<char> reached = reached_from(sensor, false);
  for (const Node& node : nodes_)
    for (const SignalInput& input : node.inputs)
      if (node.z.size() > 0 && (!only_acting || acts(node.first_state)) &&
          std::any_of(input.taken.begin(), input.taken.end(), [&](int value) { return reached[value] != 0; }))
        return true;
  return false;
}

// Such a reaction is one of many that hold the same motion: methods find each another one.
std::vector<int> SignalNetwork::changed_by(const State& q, const math::VectorX& combination) const {
  constexpr double round_off = 1e-9;
  std::vector<int> changed;
  if (rows_.empty()) return changed;
  find(q);
  find_derivatives(q);
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    const model::SignalEntry& signal = signals_[static_cast<std::size_t>(sensors_[k])];
    const model::Sensor::Element of = signal.sensor->multipliers();
    const std::vector<double>& by = kept_->measured[k].by_multiplier;
    if (!of.batch) continue;
    const Eigen::Map<const math::VectorX> row(by.data(), static_cast<Eigen::Index>(by.size()));
    const double change = row.dot(combination.segment(of.batch->first_row_of(of.number), row.size()));
    if (std::abs(change) > round_off * row.norm() * combination.norm()) changed.push_back(signal.entry);
  }
  return changed;
}

// Forces that follow it through samples alone have no part in a linear model.
int SignalNetwork::first_wide_with_states() const {
  for (std::size_t k = 0; k < sensors_.size(); ++k)
    if (is_wide(k) && reaches_states(k, true)) return signals_[static_cast<std::size_t>(sensors_[k])].entry;
  return -1;
}

bool SignalNetwork::states_follow_dynamics() const {
  for (std::size_t k = 0; k < sensors_.size(); ++k)
    if (is_wide(k) && signals_[static_cast<std::size_t>(sensors_[k])].sensor->has_derivatives() &&
        reaches_states(k, false))
      return true;
  return false;
}

// Functions and their order are the same in any state. Reactions and accelerations may act through states, energies
// through samples alone; what events do with either is no part of a step. Equilibria have multipliers among their
// unknowns, and no accelerations.
void SignalNetwork::check_feedback(const State& q, const model::Model& model, const model::SignalForm& form,
                                   model::Problems& problems) const {
  const model::Context c{.signals = values_};
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    if (!is_wide(k)) continue;
    const model::SignalEntry& signal = signals_[static_cast<std::size_t>(sensors_[k])];
    const bool sums_up = !signal.sensor->has_derivatives();
    if (form.at_rest && !sums_up) continue;
    const std::string what = signal.sensor->accelerates() ? "an acceleration" : "a reaction";
    const std::vector<char> reached = reached_from(k, !sums_up);
    const Actuator* found = nullptr;
    for (const Actuator& actuator : actuators_) {
      std::size_t number = 0;
      actuator.batch->each_actuator(
          actuator.element, q, c, [&](const model::TimeFunction& function, std::span<const double>) {
            const auto taken = function.signals();
            if (number++ == actuator.number &&
                std::any_of(taken.begin(), taken.end(), [&](int v) { return reached[v] != 0; }))
              found = &actuator;
          });
      if (found) break;
    }
    if (!found) continue;
    const auto entry = static_cast<std::size_t>(found->batch->entry_of(found->element));
    const std::string force = model.entries[entry].path();
    std::string way_out = sums_up ? "put a sample_hold in between, or a switch or an event"
                                  : "put a low_pass, a delay or a sample_hold in between";
    if (form.at_rest) way_out = "at rest a delay or a sample passes it on; leave this analysis out";
    problems.push_back(
        {model.entries[static_cast<std::size_t>(signal.entry)].path("of"),
         (sums_up
              ? "is a sum over the whole model, and a force follows it (" + force + "), which would couple all nodes; "
              : "is " + what + ", and a force follows it at once (" + force + "), on which it depends itself; ") +
             way_out});
  }
}

}  // namespace polhode::assembly
