// SPDX-License-Identifier: BSD-3-Clause
// Signals that drive constraint equations: whether they have the two derivatives by time that this takes, and these
// derivatives.
//
// A linear block, y = C z + D u, z' = A z + B u, has y' = D u' + C z' and y'' = D u'' + C (B u' + A z'): so often as D,
// C B, C A B are zero it may be differentiated without its input (its relative degree). Along a path degrees add up. What
// has two derivatives does not follow sensors at once in any of them but the second, and in that not their rates: rows of
// velocities need positions, velocities and states alone, those of accelerations no accelerations.
#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::Jet;
using model::MatrixX;
using model::VectorX;

namespace {

constexpr int any = 3;     // as often as is asked for
constexpr int needed = 2;  // by a drive

// Each entry of the product, none where it is round-off of what it sums up.
MatrixX product(const MatrixX& a, const MatrixX& b) {
  constexpr double round_off = 1e-12;
  const MatrixX sizes = a.cwiseAbs() * b.cwiseAbs();
  const MatrixX sums = a * b;
  return (sums.array().abs() > round_off * sizes.array()).select(sums, 0.0);
}

// By output and input: how many derivatives the output has more.
Eigen::MatrixXi relative_degrees(const model::SignalBlock::Values& of) {
  Eigen::MatrixXi degrees = Eigen::MatrixXi::Constant(of.y_by_u.rows(), of.y_by_u.cols(), any);
  const auto reach = [&](const MatrixX& by_u, int degree) {
    for (Eigen::Index k = 0; k < by_u.size(); ++k)
      if (by_u.data()[k] != 0) degrees.data()[k] = std::min(degrees.data()[k], degree);
  };
  reach(of.y_by_u, 0);
  if (of.f.size() == 0) return degrees;
  reach(product(of.y_by_z, of.f_by_u), 1);
  reach(product(of.y_by_z, product(of.f_by_z, of.f_by_u)), 2);
  return degrees;
}

}  // namespace

// Kinks count as jumps: their places are not known beforehand. Of a function of time alone no degree is asked.
int SignalNetwork::degree_of(const model::TimeFunction& function) const {
  if (!function.follows_smoothly()) return 0;
  int degree = any;
  for (const int value : function.signals()) degree = std::min(degree, degree_[static_cast<std::size_t>(value)]);
  return degree;
}

// Degrees fall until none does: there may be loops. Blocks of a loop without states have none.
void SignalNetwork::find_degrees() {
  degree_.assign(values_.size(), any);
  for (std::size_t k = 0; k < sensors_.size(); ++k)
    degree_[static_cast<std::size_t>(sensor_value_[k])] = is_wide(k) ? -1 : 0;
  std::vector<Eigen::MatrixXi> more(nodes_.size());  // relative degrees; empty of blocks that are not linear everywhere
  std::vector<std::vector<int>> at_once(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const bool always = node.linear_range && std::isinf(node.linear_range->low) && std::isinf(node.linear_range->high);
    if (always && node.delay.time == 0 && node.block->period() == 0) more[n] = relative_degrees(node.linear);
    if (more[n].size() == 0) std::fill_n(degree_.begin() + node.first_value, node.values.y.size(), 0);
    for (Eigen::Index j = 0; j < more[n].cols(); ++j)
      if (more[n].col(j).minCoeff() == 0)
        for (const int value : node.inputs[static_cast<std::size_t>(j)].taken)
          if (node_of_[value] >= 0) at_once[n].push_back(node_of_[value]);
  }
  for (const std::vector<int>& component : components(at_once)) {
    const auto& first = at_once[component.front()];
    const bool closed = component.size() > 1 || std::find(first.begin(), first.end(), component.front()) != first.end();
    for (const int n : component) {
      const Node& node = nodes_[n];
      if (closed) more[n].resize(0, 0);
      if (closed) std::fill_n(degree_.begin() + node.first_value, node.values.y.size(), 0);
      const VectorX none = VectorX::Zero(node.y_by_u.cols());
      if (more[n].size() > 0) moving_.push_back({n, none, none, VectorX::Zero(node.z.size())});
    }
  }
  for (bool fell = true; fell;) {
    fell = false;
    // A path is as smooth as its input and the block make it together
    for (const Moving& moving : moving_) {
      const Node& node = nodes_[moving.node];
      for (Eigen::Index j = 0; j < more[moving.node].cols(); ++j) {
        const int of_input = degree_of(*node.inputs[static_cast<std::size_t>(j)].function);
        for (Eigen::Index i = 0; i < more[moving.node].rows(); ++i) {
          int& degree = degree_[static_cast<std::size_t>(node.first_value + i)];
          const int through = more[moving.node](i, j) == any ? any : of_input + more[moving.node](i, j);
          fell = fell || through < degree;
          degree = std::min(degree, through);
        }
      }
    }
  }
}

// What a drive follows acts, as what a force follows does: methods then take the states of such signals along, and the
// pattern of the matrix has a place for its row beside each node that sensors look at.
void SignalNetwork::find_drives(const Batches& batches, std::size_t nodes, std::vector<int>& acting) {
  if (empty()) return;
  for (const auto& batch : batches)
    for (std::size_t e = 0; e < batch->size(); ++e)
      batch->each_drive(e, [&](const model::TimeFunction& function, int row) {
        const std::span<const int> taken = function.signals();
        if (taken.empty()) return;
        for (const int value : taken) acting.push_back(node_of_[static_cast<std::size_t>(value)]);
        Drive drive{batch.get(), e, row, &function, sensors_behind(taken), {}, {}};
        drive.looked_at = looked_at_by(drive.sensors);
        for (LookedAt& looked_at : drive.looked_at)
          looked_at.blocks.push_back({group_of({batch.get(), e}, batches, nodes), looked_at.node, row});
        drives_.push_back(std::move(drive));
      });
  if (drives_.empty()) return;
  // Networks without drives are not asked for any
  find_degrees();
  jets_.resize(values_.size());
}

// A linear model has positions that follow none but its coordinates: what time alone drives stands still in it.
int SignalNetwork::first_driven_by_states() const {
  for (const Drive& drive : drives_) {
    std::vector<int> blocks;
    for (const int value : drive.function->signals()) blocks.push_back(node_of_[static_cast<std::size_t>(value)]);
    const std::vector<int> behind = upstream(blocks);
    if (!drive.sensors.empty() || std::any_of(behind.begin(), behind.end(),
                                              [&](int n) { return nodes_[static_cast<std::size_t>(n)].z.size() > 0; }))
      return drive.batch->entry_of(drive.element);
  }
  return -1;
}

// First derivatives of all values come before second ones, which take those of inputs through states in any order. What
// has no derivatives counts as constant: nothing that is asked for follows it. A state is asked for as often as its
// values are, and differentiated once.
std::span<const Jet> SignalNetwork::find_moving(const State& q) const {
  find(q);
  if (std::exchange(kept_->has_moving, true)) return jets_;
  for (std::size_t i = 0; i < values_.size(); ++i) jets_[i] = {values_[i], 0, 0};
  const auto differentiate_inputs = [&](const Moving& moving, auto member, VectorX& to) {
    const Node& node = nodes_[moving.node];
    for (std::size_t j = 0; j < node.inputs.size(); ++j)
      to[static_cast<Eigen::Index>(j)] = node.inputs[j].function->along(q.t, jets_).*member;
  };
  for (Moving& moving : moving_) {
    const Node& node = nodes_[moving.node];
    node.set_states(q);
    differentiate_inputs(moving, &Jet::first, moving.u_first);
    for (Eigen::Index i = 0; i < node.values.y.size(); ++i)
      if (const auto value = static_cast<std::size_t>(node.first_value + i); degree_[value] >= 1)
        jets_[value].first =
            node.linear.y_by_u.row(i).dot(moving.u_first) + node.linear.y_by_z.row(i).dot(node.values.f);
  }
  for (Moving& moving : moving_) {
    const Node& node = nodes_[moving.node];
    differentiate_inputs(moving, &Jet::first, moving.u_first);
    differentiate_inputs(moving, &Jet::second, moving.u_second);
    moving.f_first.noalias() = node.linear.f_by_u.lazyProduct(moving.u_first);
    moving.f_first.noalias() += node.linear.f_by_z.lazyProduct(node.values.f);
    for (Eigen::Index i = 0; i < node.values.y.size(); ++i)
      if (const auto value = static_cast<std::size_t>(node.first_value + i); degree_[value] >= needed)
        jets_[value].second =
            node.linear.y_by_u.row(i).dot(moving.u_second) + node.linear.y_by_z.row(i).dot(moving.f_first);
  }
  return jets_;
}

// Exact for squares and products of signals.
DriveLinearization SignalNetwork::linearize_drives(State& q) const {
  constexpr double way = 1e-5;  // by the size of what is moved, or one
  const auto drives = static_cast<Eigen::Index>(drives_.size());
  DriveLinearization made;
  for (const Drive& drive : drives_) made.rows.push_back(drive.batch->first_row_of(drive.element) + drive.row);
  made.by_state = MatrixX::Zero(drives, states_);
  made.first_by_state = made.by_state;
  made.second_by_state = made.by_state;
  made.second_by_added = MatrixX::Zero(drives, static_cast<Eigen::Index>(values_.size()));
  if (!has_drives()) return made;
  const auto each_jet = [&](const auto& add) {
    const std::span<const Jet> jets = find_moving(q);
    for (Eigen::Index k = 0; k < drives; ++k) add(k, drives_[static_cast<std::size_t>(k)].function->along(q.t, jets));
  };
  for (Eigen::Index j = 0; j < states_; ++j) {
    const double z = q.signals.z[j];
    const double step = way * std::max(1.0, std::abs(z));
    for (const int side : {1, -1}) {
      q.signals.z[j] = z + side * step;
      const double weight = side / (2 * step);
      each_jet([&](Eigen::Index k, const Jet& jet) {
        made.by_state(k, j) += weight * jet.value;
        made.first_by_state(k, j) += weight * jet.first;
        made.second_by_state(k, j) += weight * jet.second;
      });
    }
    q.signals.z[j] = z;
  }
  for (const int value : sensor_value_) {
    const double step = way * std::max(1.0, std::abs(values_[static_cast<std::size_t>(value)]));
    for (const int side : {1, -1}) {
      add_to_value(static_cast<std::size_t>(value), side * step);
      each_jet(
          [&](Eigen::Index k, const Jet& jet) { made.second_by_added(k, value) += side / (2 * step) * jet.second; });
    }
    add_to_value(static_cast<std::size_t>(value), 0);
  }
  return made;
}

// Of the last state that was looked at, which may be one that a step has tried.
SignalNetwork::Lost SignalNetwork::lost_drive() const {
  if (kept_->noted.empty()) return {};
  const double t = kept_->noted.front();
  for (const Drive& drive : drives_)
    if (!std::isfinite(drive.function->value(t, values_))) return {t, {drive.batch->entry_of(drive.element)}};
  return {};
}

// The way out says where derivatives come from.
void SignalNetwork::check_drives(const State& q, const model::Model& model, model::Problems& problems) const {
  for (const Drive& drive : drives_) {
    const model::TimeFunction& function = *drive.function;
    const int degree = degree_of(function);
    const Jet at_start = function.along(q.t, find_moving(q));
    const bool is_finite =
        std::isfinite(at_start.value) && std::isfinite(at_start.first) && std::isfinite(at_start.second);
    if (degree >= needed && is_finite) continue;
    const model::Entry& entry = model.entries[static_cast<std::size_t>(drive.batch->entry_of(drive.element))];
    // Of the keys of the entry that which takes these signals
    std::string place = entry.path();
    for (const auto& [key, value] : entry.values)
      if (const auto* own = std::get_if<model::TimeFunction>(&value);
          own && std::ranges::equal(own->signals(), function.signals()))
        place = entry.path(key);
    if (degree >= needed) {
      problems.push_back({place,
                          "has no finite value, rate or acceleration where its signals start; take a function that "
                          "has them there, or start the signals elsewhere by `initial`"});
      continue;
    }
    if (!function.follows_smoothly()) {
      problems.push_back({place,
                          "has kinks by signals, and a drive needs two derivatives; put the kinks into a signal, "
                          "and two low_pass, or a transfer_function with two poles more than zeros, behind it"});
      continue;
    }
    const auto taken = function.signals();
    const int value = *std::min_element(taken.begin(), taken.end(), [&](int a, int b) {
      return degree_[static_cast<std::size_t>(a)] < degree_[static_cast<std::size_t>(b)];
    });
    const auto signal =
        std::upper_bound(first_.begin(), first_.end(), static_cast<std::size_t>(value)) - first_.begin();
    const int of_signal = signals_[static_cast<std::size_t>(signal - 1)].entry;
    // As many orders as are missing
    const int missing = needed - degree;
    problems.push_back(
        {place, "needs two derivatives of " + model.entries[static_cast<std::size_t>(of_signal)].path() +
                    ", which has " + (degree == 1 ? "one" : "none") + "; put " +
                    (missing == 1   ? "a low_pass, or a transfer_function with a pole more than zeros,"
                     : missing == 2 ? "two low_pass, or a transfer_function with two poles more than zeros,"
                                    : "three low_pass, or a transfer_function with three poles more than zeros,") +
                    " behind it"});
  }
}

}  // namespace polhode::assembly
