// SPDX-License-Identifier: BSD-3-Clause
// Networks of the same signals with blocks in different forms: at rest, and with approximants of delays.
#include <algorithm>
#include <typeinfo>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"
#include "signal_past.hpp"

namespace polhode::assembly {

using model::SignalState;

// In the order of the blocks, those of approximants behind the others: states of the deck keep their numbers.
void SignalNetwork::number_states() {
  for (const bool approximated : {false, true})
    for (Node& node : nodes_) {
      if (signals_[node.signal].approximated != approximated) continue;
      node.first_state = states_;
      states_ += node.block->sizes().states;
      if (approximated) approximant_states_ += node.block->sizes().states;
    }
}

// Held numbers of a block that samples are a count of samples, its x and its outputs (SignalBlock::resting()). Blocks
// of other types have nothing in common, as where a signal has been cut.
void SignalNetwork::take_over(const Node& node, const Node& from, const SignalState& values, SignalState& to) {
  const Eigen::Index states = node.z.size();
  const bool samples = node.block->period() > 0;
  if (typeid(*node.block) == typeid(*from.block)) {
    to.z.segment(node.first_state, states) = values.z.segment(from.first_state, states);
    const int held = node.block->sizes().held + (samples ? 1 : 0);
    to.held.segment(node.first_held, held) = values.held.segment(from.first_held, held);
  } else if (samples) {
    // From rest: what is held are its states and outputs there
    auto held = to.held.segment(node.first_held + 1, from.z.size() + from.values.y.size());
    held << values.z.segment(from.first_state, from.z.size()),
        values.values.segment(from.first_value, from.values.y.size());
  } else if (from.block->period() > 0) {
    // To rest: sought from the last x on
    to.z.segment(node.first_state, states) = values.held.segment(from.first_held + 1, states);
  }
}

// Both networks have the entries of the deck in its order, though what is a sensor in one may be a block in the other.
// A past of rest is one value for as long as the longest delay looks back.
void SignalNetwork::take_over(const SignalNetwork& other, const SignalState& from, State& q) const {
  std::vector<double> given(delays_.size(), 0);
  auto match = other.nodes_.begin();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const int entry = signals_[node.signal].entry;
    while (match != other.nodes_.end() && other.signals_[match->signal].entry < entry) ++match;
    if (match == other.nodes_.end() || other.signals_[match->signal].entry != entry) continue;
    take_over(node, *match, from, q.signals);
    const auto delay = std::find(delays_.begin(), delays_.end(), static_cast<int>(n));
    if (delay != delays_.end())
      given[static_cast<std::size_t>(delay - delays_.begin())] = from.values[match->first_value];
  }
  // Two rows, of which neither is behind a jump
  if (!delays_.empty()) {
    start_delays(q);
    for (const double t : {q.t - 2 * longest_delay_, q.t}) {
      q.signals.past.insert(q.signals.past.end(), {t, 0});
      q.signals.past.insert(q.signals.past.end(), given.begin(), given.end());
    }
  }
  settle(q);
}

// Newton's method: one step where all blocks between the delays are linear.
bool SignalNetwork::rest_approximants(State& q) const {
  constexpr double last_digits = 1e-12;
  const Eigen::Index count = approximant_states_;
  if (count == 0) return true;
  for (int i = 0; i < most_iterations; ++i) {
    const SignalLinearization at = linearize(q);
    const Eigen::PartialPivLU<model::MatrixX> lu(at.rates_by_state.bottomRightCorner(count, count));
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > 1e-13 * pivots.maxCoeff())) return false;
    const model::VectorX change = lu.solve(at.rates.tail(count));
    if (!change.allFinite()) return false;
    q.signals.z.tail(count) -= change;
    settle(q);
    if (change.norm() <= last_digits * (1 + q.signals.z.tail(count).norm())) return true;
  }
  return false;
}

}  // namespace polhode::assembly
