// SPDX-License-Identifier: BSD-3-Clause
// Signals in the order of what they take, and loops of them.
#include "polhode/assembly/signal_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "signal_nodes.hpp"

namespace polhode::assembly {
namespace {

using model::MatrixX;
using model::VectorX;

// Tarjan (1972).
class Components {
 public:
  explicit Components(const std::vector<std::vector<int>>& takes)
      : takes_(takes), number_(takes.size(), -1), lowest_(takes.size(), 0), on_stack_(takes.size(), 0) {
    for (int v = 0; v < static_cast<int>(takes.size()); ++v)
      if (number_[v] < 0) visit(v);
  }
  std::vector<std::vector<int>> found;

 private:
  void visit(int v) {
    number_[v] = lowest_[v] = next_++;
    stack_.push_back(v);
    on_stack_[v] = 1;
    for (const int w : takes_[v]) {
      if (number_[w] < 0) visit(w);
      if (on_stack_[w]) lowest_[v] = std::min(lowest_[v], lowest_[w]);
    }
    if (lowest_[v] != number_[v]) return;
    auto& component = found.emplace_back();
    for (int w = -1; w != v;) {
      w = stack_.back();
      stack_.pop_back();
      on_stack_[w] = 0;
      component.push_back(w);
    }
    std::sort(component.begin(), component.end());
  }

  const std::vector<std::vector<int>>& takes_;
  std::vector<int> number_;
  std::vector<int> lowest_;
  std::vector<char> on_stack_;
  std::vector<int> stack_;
  int next_ = 0;
};

// Moments of sampling are k periods, but for round-off.
double samples_until(double t, double period) { return std::floor(t / period + 1e-9) + 1; }

}  // namespace

std::vector<std::vector<int>> components(const std::vector<std::vector<int>>& takes) { return Components(takes).found; }

SignalNetwork::SignalNetwork() = default;
SignalNetwork::~SignalNetwork() = default;
SignalNetwork::SignalNetwork(SignalNetwork&& other) noexcept = default;
SignalNetwork& SignalNetwork::operator=(SignalNetwork&& other) noexcept = default;

// Values are numbered in the order of the deck, a block's outputs one behind the other: the reader has numbered the names
// in expressions the same way. Held numbers follow in the order of the blocks.
SignalNetwork::SignalNetwork(std::vector<model::SignalEntry> signals, const Batches& batches, const State& q)
    : signals_(std::move(signals)), kept_(std::make_unique<Kept>()) {
  int next = 0;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    model::SignalEntry& signal = signals_[i];
    first_.push_back(static_cast<std::size_t>(next));
    if (signal.sensor) {
      sensors_.push_back(static_cast<int>(i));
      sensor_value_.push_back(next++);
      continue;
    }
    const model::SignalBlock::Sizes& sizes = signal.block->sizes();
    Node node(signal);
    node.signal = i;
    node.first_value = next;
    node.first_held = held_;
    next += sizes.outputs;
    held_ += sizes.held + (signal.block->period() > 0 ? 1 : 0);
    if (node.delay.time > 0) delays_.push_back(static_cast<int>(nodes_.size()));
    longest_delay_ = std::max(longest_delay_, node.delay.time);
    nodes_.push_back(std::move(node));
  }
  number_states();
  values_.assign(static_cast<std::size_t>(next), 0);
  const auto sensors = static_cast<Eigen::Index>(sensors_.size());
  for (const int signal : sensors_) {
    const model::Sensor& sensor = *signals_[static_cast<std::size_t>(signal)].sensor;
    const model::Sensor::Element of = sensor.multipliers();
    const int rows = of.batch ? of.batch->rows() : 0;
    for (int k = 0; k < rows; ++k) rows_.push_back(of.batch->first_row_of(of.number) + k);
    sums_up_ = sums_up_ || !sensor.has_derivatives();
    accelerates_ = accelerates_ || sensor.accelerates();
    if (sensor.accelerates())
      for (const int node : sensor.nodes()) kept_->accelerating.push_back(static_cast<std::size_t>(node));
    kept_->measured.emplace_back(sensor, static_cast<std::size_t>(rows));
  }
  pair_sensors();
  kept_->by_sensor.setZero(next, sensors);
  for (Eigen::Index k = 0; k < sensors; ++k) kept_->by_sensor(sensor_value_[static_cast<std::size_t>(k)], k) = 1;
  kept_->gradient.assign(values_.size(), 0);
  kept_->by_function.assign(sensors_.size(), 0);
  order_nodes();
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  find_looked_at(q.x.size());
  find_actuators(batches, q);
}

// Of the sensors of the same nodes; decks list an angle and its rate in any order.
void SignalNetwork::pair_sensors() {
  std::map<std::vector<int>, std::vector<std::size_t>> alone;  // readings
  std::vector<Kept::Reading>& readings = kept_->readings;
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    const model::Sensor& sensor = *signals_[static_cast<std::size_t>(sensors_[k])].sensor;
    std::vector<std::size_t>& near = alone[{sensor.nodes().begin(), sensor.nodes().end()}];
    const auto found = std::find_if(near.begin(), near.end(), [&](std::size_t reading) {
      return sensor.shares_reading(*readings[reading].sensor);
    });
    if (found == near.end()) {
      near.push_back(readings.size());
      readings.push_back({&sensor, &kept_->measured[k]});
      continue;
    }
    readings[*found].other = &sensor;
    readings[*found].to_other = &kept_->measured[k];
    near.erase(found);
  }
}

void SignalNetwork::measure(const State& q, bool derivatives, bool counted) const {
  for (const auto& [sensor, to, other, to_other] : kept_->readings) {
    if (counted && !derivatives)
      sensor->measure_counted(q, *to, other, to_other);
    else if (other)
      sensor->measure_both(q, derivatives, *to, *other, *to_other);
    else
      sensor->measure(q, derivatives, *to);
  }
}

void SignalNetwork::find_looked_at(std::size_t nodes) {
  std::vector<char> is_looked_at(nodes, sums_up_ ? 1 : 0);
  kept_->turn_alone = !sums_up_;
  for (const int signal : sensors_) {
    const model::Sensor& sensor = *signals_[signal].sensor;
    for (const int node : sensor.nodes()) is_looked_at[node] = 1;
    kept_->turn_alone = kept_->turn_alone && sensor.turns_alone();
  }
  for (std::size_t node = 1; node < nodes; ++node) {
    if (!is_looked_at[node]) continue;
    std::vector<Kept::Run>& runs = kept_->looked_at;
    if (runs.empty() || runs.back().first + runs.back().count < node) runs.push_back({node, 0});
    ++runs.back().count;
  }
}

// A block takes another one where one of its inputs does, whether or not its output follows at once.
void SignalNetwork::order_nodes() {
  node_of_.assign(values_.size(), -1);
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    std::fill_n(node_of_.begin() + nodes_[n].first_value, nodes_[n].values.y.size(), static_cast<int>(n));
  std::vector<std::vector<int>> takes(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (const model::TimeFunction& input : signals_[nodes_[n].signal].inputs)
      for (const int value : input.signals())
        if (node_of_[value] >= 0) takes[n].push_back(node_of_[value]);
  before_delays_ = upstream(delays_);
  loop_of_.assign(values_.size(), -1);
  place_of_.assign(values_.size(), 0);
  for (std::vector<int>& component : components(takes)) {
    const auto& first = takes[component.front()];
    const bool closed = component.size() > 1 || std::find(first.begin(), first.end(), component.front()) != first.end();
    const Node* const front = &nodes_[static_cast<std::size_t>(component.front())];
    Loop loop{std::move(component), {}, closed, front, {}, {}, {}, {}, {}};
    for (const int n : loop.nodes)
      for (int i = 0; i < static_cast<int>(nodes_[n].values.y.size()); ++i) {
        if (closed) loop_of_[nodes_[n].first_value + i] = static_cast<int>(order_.size());
        place_of_[nodes_[n].first_value + i] = static_cast<int>(loop.values.size());
        loop.values.push_back(nodes_[n].first_value + i);
      }
    const auto count = static_cast<Eigen::Index>(loop.values.size());
    loop.x = VectorX::Zero(count);
    loop.missed = loop.x;
    if (closed) {
      loop.by_x = MatrixX::Zero(count, count);
      loop.rows = MatrixX::Zero(count, static_cast<Eigen::Index>(sensors_.size()));
      loop.lu = Eigen::PartialPivLU<MatrixX>(count);
    }
    order_.push_back(std::move(loop));
  }
  behind_.assign(values_.size(), {});
  for (std::size_t k = 0; k < sensors_.size(); ++k) behind_[sensor_value_[k]] = {static_cast<int>(k)};
  for (const Loop& loop : order_) {
    std::vector<int> taken;
    for (const int n : loop.nodes)
      for (const model::TimeFunction& input : signals_[nodes_[n].signal].inputs)
        taken.insert(taken.end(), input.signals().begin(), input.signals().end());
    const std::vector<int> all = sensors_behind(taken);
    for (const int value : loop.values) behind_[value] = all;
    if (loop.closed) closed_.insert(closed_.end(), loop.values.begin(), loop.values.end());
  }
}

std::vector<int> SignalNetwork::upstream(const std::vector<int>& blocks) const {
  std::vector<char> seen(nodes_.size(), 0);
  std::vector<int> found;
  const auto add = [&](int n) {
    if (n < 0 || seen[static_cast<std::size_t>(n)]) return;
    seen[static_cast<std::size_t>(n)] = 1;
    found.push_back(n);
  };
  for (const int n : blocks) add(n);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const SignalInput& input : nodes_[static_cast<std::size_t>(found[i])].inputs)
      for (const int value : input.taken) add(node_of_[static_cast<std::size_t>(value)]);
  return found;
}

// Asked once an analysis.
SignalNetwork::Delay SignalNetwork::shortest_delay() const {
  Delay shortest;
  for (const int n : delays_) {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    if (node.delay.time < shortest.time) shortest = {signals_[node.signal].entry, node.delay.time};
  }
  return shortest;
}

// What is held without sampling is given from outside. A linear search: it is asked once a run, and at events.
int SignalNetwork::place_of_held(std::size_t signal) const {
  for (const Node& node : nodes_) {
    const model::SignalBlock& block = *signals_[node.signal].block;
    if (node.signal == signal && block.sizes().held > 0 && block.period() == 0 && node.delay.time == 0)
      return node.first_held;
  }
  return -1;
}

// Loops are sought from zero at the start.
void SignalNetwork::start(State& q) const {
  model::SignalState& s = q.signals;
  s.z = VectorX::Zero(states_);
  s.rate = s.z;
  s.mean_rate = s.z;
  s.base = s.z;
  s.gain = 0;
  s.held = VectorX::Zero(held_);
  s.values = VectorX::Zero(static_cast<Eigen::Index>(values_.size()));
  for (const Node& node : nodes_) {
    const model::SignalBlock& block = *signals_[node.signal].block;
    const int counter = block.period() > 0 ? 1 : 0;
    block.start(numbers_of(s.z).subspan(node.first_state, block.sizes().states),
                numbers_of(s.held).subspan(node.first_held + counter, block.sizes().held));
  }
  start_delays(q);
  settle(q);
}

// A step asks for the values of one state many times: for residual, iteration matrix, power, energies and results.
void SignalNetwork::find(const State& q, bool counted) const {
  const bool is_first = kept_->noted.empty() || kept_->noted.front() != q.t;
  if (!note(q)) return;
  kept_->has_derivatives = false;
  kept_->has_moving = false;
  kept_->is_first = is_first;
  kept_->has_rows = is_first && std::exchange(kept_->first_has_been_differentiated, false);
  evaluate(q, counted);
}

// Of accelerations and multipliers those alone that some sensor reads are among it. Bits are compared, so that
// what is not finite is equal to itself; most calls find that nothing has changed.
bool SignalNetwork::note(const State& q) const {
  const model::SignalState& s = q.signals;
  if (!delays_.empty()) find_delayed(q);
  // Laws of joints that are apart have no energy
  const double of_sums = static_cast<double>(q.dropped.revision);
  const std::array<double, 3> of_step{q.t, q.load_factor, s.gain};
  std::vector<double>& noted = kept_->noted;
  std::size_t size = 0;
  bool same = true;
  // All that values depend on; copied from the first difference on
  const auto note = [&](const double* now, std::size_t count) __attribute__((always_inline)) {
    if (count == 0) return;
    const std::size_t begin = size;
    size += count;
    same = same && size <= noted.size() && std::memcmp(now, noted.data() + begin, count * sizeof(double)) == 0;
    if (same) return;
    if (noted.size() < size) noted.resize(size);
    std::copy_n(now, count, noted.data() + begin);
  };
  note(of_step.data(), of_step.size());
  const VectorX& z = s.gain != 0 ? s.base : s.z;
  note(z.data(), static_cast<std::size_t>(z.size()));
  for (const auto [first, count] : kept_->looked_at) {
    if (!kept_->turn_alone) note(q.x[first].data(), 3 * count);
    note(q.quat[first].coeffs().data(), 4 * count);
    note(q.v[first].data(), 6 * count);
  }
  for (const std::size_t node : kept_->accelerating) note(q.vdot[node].data(), 6);
  for (const int value : closed_) note(&s.values[value], 1);
  for (const int n : delays_) note(nodes_[n].delayed.data(), 2);
  for (const int row : rows_) note(&q.lambda[row], 1);
  if (sums_up_) note(&of_sums, 1);
  note(q.history.data(), static_cast<std::size_t>(q.history.size()));
  note(s.held.data(), static_cast<std::size_t>(s.held.size()));
  if (same && size == noted.size()) return false;
  noted.resize(size);
  return true;
}

// The states of the last evaluation become those of q; from there on they stand, and are not sought again.
void SignalNetwork::settle(State& q, bool counted) const {
  if (empty()) return;
  find(q, counted);
  for (const Node& node : nodes_) {
    if (node.z.size() == 0) continue;
    node.set_states(q);
    for (Eigen::Index k = 0; k < node.z.size(); ++k) {
      q.signals.z[node.first_state + k] = node.z[k];
      q.signals.rate[node.first_state + k] = node.values.f[k];
    }
  }
  std::copy(values_.begin(), values_.end(), q.signals.values.data());
  q.signals.gain = 0;
  // Closed loops are sought anew from there, as by a run that is restarted here
  if (!closed_.empty()) return;
  // The same values belong to the states that were found, with a gain of zero
  std::copy(q.signals.z.begin(), q.signals.z.end(), kept_->noted.begin() + Kept::gain_in_noted + 1);
  kept_->noted[Kept::gain_in_noted] = 0;
  kept_->has_derivatives = false;
  kept_->has_moving = false;
}

// In the order of evaluation: what is sampled from another sample of the same moment takes the new one.
bool SignalNetwork::sample(State& q) const {
  bool any = pass_jumps(q);
  for (const Loop& loop : order_)
    for (const int n : loop.nodes) {
      const Node& node = nodes_[n];
      const model::SignalBlock& block = *signals_[node.signal].block;
      if (!(block.period() > 0)) continue;
      double& count = q.signals.held[node.first_held];
      const double due = samples_until(q.t, block.period());
      if (count >= due) continue;
      find(q);
      block.sample(q.t, node.u(), numbers_of(q.signals.held).subspan(node.first_held + 1, block.sizes().held));
      count = due;
      any = true;
    }
  if (any) settle(q);
  return any;
}

// In the order of evaluation, as samples are.
void SignalNetwork::enter(State& q) const {
  for (const Loop& loop : order_)
    for (const int n : loop.nodes) {
      const Node& node = nodes_[n];
      if (node.block->sizes().held == 0 || node.block->period() > 0 || node.delay.time > 0) continue;
      find(q);
      node.block->enter(node.u(), numbers_of(q.signals.held).subspan(node.first_held, node.block->sizes().held));
    }
  settle(q);
}

void SignalNetwork::hold(std::size_t signal, double value, State& q) const {
  q.signals.held[place_of_held(signal)] = value;
}

void SignalNetwork::add_breakpoints_to(double t0, double t1, std::vector<double>& out) const {
  for (const Node& node : nodes_) {
    for (const model::TimeFunction& input : signals_[node.signal].inputs) {
      const std::vector<double> of_input = input.breakpoints(t0, t1);
      out.insert(out.end(), of_input.begin(), of_input.end());
    }
    add_samples_to(node, t0, t1, out);
  }
}

// Of several blocks of the same period one moment each.
std::vector<double> SignalNetwork::samples(double t0, double t1) const {
  std::vector<double> times;
  for (const Node& node : nodes_) add_samples_to(node, t0, t1, times);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void SignalNetwork::add_samples_to(const Node& node, double t0, double t1, std::vector<double>& out) const {
  const double period = signals_[node.signal].block->period();
  if (period > 0) {
    for (double k = samples_until(t0, period); k * period < t1 * (1 - 1e-12); ++k) out.push_back(k * period);
  }
}

// Outputs of a block; its states with them, where it is not linear.
bool SignalNetwork::evaluate_node(const Node& node, const State& q) const {
  const double t = q.t;
  const std::span<const double> values = values_;
  double* given = node.given.data();
  const double* base = node.base_of(q);
  for (Eigen::Index k = 0; k < node.z.size(); ++k) *given++ = base[k];
  double sum = 0;
  for (const SignalInput& input : node.inputs) sum += * given++ = input.value(t, values);
  // States grow by what is no number; what is sampled or not chosen does no harm
  if (!node.integrates) sum = 0;
  node.is_in_range = node.linear_range && node.evaluate_linear(q.signals.gain);
  if (!node.is_in_range && !evaluate_block(node, q)) return false;
  double* to = values_.data() + node.first_value;
  const double* const y = node.values.y.data();
  const Eigen::Index outputs = node.values.y.size();
  for (Eigen::Index i = 0; i < outputs; ++i) sum += to[i] = y[i];
  if (!kept_->added.empty())
    for (Eigen::Index i = 0; i < outputs; ++i) to[i] += kept_->added[static_cast<std::size_t>(node.first_value + i)];
  return std::isfinite(sum);
}

// What takes a signal without value has none either, and is no news; nor is a state that has left all bounds.
bool SignalNetwork::is_lost(const Loop& loop) const {
  const int number = loop.closed ? loop_of_[loop.values.front()] : -2;
  return std::all_of(loop.nodes.begin(), loop.nodes.end(), [&](int n) {
    return std::all_of(nodes_[n].inputs.begin(), nodes_[n].inputs.end(), [&](const SignalInput& input) {
      return std::all_of(input.taken.begin(), input.taken.end(),
                         [&](int value) { return loop_of_[value] == number || std::isfinite(values_[value]); });
    });
  });
}

// Kept until the next one: a step that fails is tried again shorter, and reports look at other states.
SignalNetwork::Lost SignalNetwork::lost() const {
  if (!kept_) return {};
  if (!kept_->lost) return lost_drive();
  Lost found{kept_->lost_at, {}};
  for (const int n : kept_->lost->nodes) found.entries.push_back(signals_[nodes_[n].signal].entry);
  return found;
}

// What has no value makes all behind it not finite, which the iteration of a step reports as a residual that is none.
void SignalNetwork::evaluate(const State& q, bool counted) const {
  measure(q, kept_->has_rows, counted);
  for (std::size_t k = 0; k < sensors_.size(); ++k) values_[sensor_value_[k]] = kept_->measured[k].value;
  if (!kept_->added.empty())
    for (const int value : sensor_value_) values_[value] += kept_->added_to(value);
  const auto give = [&](const Node& node, double output) {
    return values_[static_cast<std::size_t>(node.first_value)] = output + kept_->added_to(node.first_value);
  };
  for (const Loop& loop : order_) {
    const Node& node = *loop.first;
    bool solved = false;
    if (loop.closed) {
      solved = solve(loop, q);
    } else if (node.passes_on) {
      // Most signals are expressions
      solved = std::isfinite(give(node, node.pass_on(q.t, values_)));
    } else if (double sum = 0; node.has_one_output && node.evaluate_one(q, values_, sum)) {
      const bool found = node.is_in_range || evaluate_block(node, q);
      solved = std::isfinite(give(node, node.values.y[0]) + sum) && found;
    } else {
      solved = evaluate_node(node, q);
    }
    if (solved) continue;
    if (is_lost(loop)) {
      kept_->lost = &loop;
      kept_->lost_at = q.t;
    }
    for (const int n : loop.nodes)
      std::fill_n(values_.begin() + nodes_[n].first_value, nodes_[n].values.y.size(),
                  std::numeric_limits<double>::quiet_NaN());
  }
}

// Blocks have given theirs with their values. Rows stand where neither a block nor one before it has changed: those of
// linear blocks with affine inputs are found once a step size. Values have been found for q, as its context has them.
void SignalNetwork::find_derivatives(const State& q) const {
  if (kept_->has_derivatives) return;
  kept_->has_derivatives = true;
  if (kept_->is_first) kept_->first_has_been_differentiated = true;
  if (!kept_->has_rows) measure(q, true);
  kept_->has_rows = true;
  bool changed = false;
  for (const Loop& loop : order_) {
    if (loop.closed || (!loop.first->has_constant_derivatives(q.signals.gain) && differentiate_node(*loop.first, q)))
      changed = true;
    if (changed) differentiate(loop);
  }
}

}  // namespace polhode::assembly
