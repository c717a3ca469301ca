// SPDX-License-Identifier: BSD-3-Clause
// States of the blocks of signals at an iterate, and what blocks give by their inputs, with what goes through states.
#include <cmath>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::MatrixX;

// Most blocks have one state or two.
template <class X>
void SignalNetwork::Node::divide_by_matrix_of_states(double gain, const MatrixX& f_by_z, X& x) const {
  const auto entry = [&](Eigen::Index i, Eigen::Index j) { return (i == j ? 1 : 0) - gain * f_by_z(i, j); };
  if (z.size() == 1) {
    x /= entry(0, 0);
  } else if (z.size() == 2) {
    const double determinant = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double first = (entry(1, 1) * x(0, j) - entry(0, 1) * x(1, j)) / determinant;
      x(1, j) = (entry(0, 0) * x(1, j) - entry(1, 0) * x(0, j)) / determinant;
      x(0, j) = first;
    }
  } else {
    by_z = MatrixX::NullaryExpr(z.size(), z.size(), entry);
    lu.compute(by_z);
    x = lu.solve(x).eval();
  }
}

// z = base + gain f(t, u, z), by Newton's method.
bool SignalNetwork::seek_states(const Node& node, const State& q, std::span<const double> held) const {
  const model::SignalBlock& block = *node.block;
  const double gain = q.signals.gain;
  const double* const base = q.signals.base.data() + node.first_state;
  const Eigen::Index states = node.z.size();
  double* const z = node.z.data();
  double* const step = node.missed.data();
  const double* const f = node.values.f.data();
  for (int i = 0; i <= most_iterations; ++i) {
    double size = 1;
    double missed = 0;
    for (Eigen::Index k = 0; k < states; ++k) {
      step[k] = z[k] - base[k] - gain * f[k];
      size += std::abs(z[k]);
      missed += std::abs(step[k]);
    }
    if (i > 0 && missed <= last_bits * size) return true;
    if (i == most_iterations || !std::isfinite(missed)) return false;
    node.divide_by_matrix_of_states(gain, node.values.f_by_z, node.missed);
    double change = 0;
    for (Eigen::Index k = 0; k < states; ++k) {
      z[k] -= step[k];
      change += std::abs(step[k]);
    }
    if (!std::isfinite(change)) return false;
    block.evaluate(q.t, node.u(), numbers_of(node.z), held, node.values);
    if (change <= last_bits * size) return true;
  }
  return false;
}

// By the block itself: what is linear in a range goes by its matrices there, which its evaluation overwrites.
bool SignalNetwork::evaluate_block(const Node& node, const State& q) const {
  const model::SignalBlock& block = *node.block;
  std::span<const double> held;
  if (node.delay.time > 0)
    held = node.delayed;
  else if (block.sizes().held > 0)
    held = numbers_of(q.signals.held).subspan(node.first_held + (block.period() > 0 ? 1 : 0), block.sizes().held);
  node.has_linear_matrices = false;
  std::copy_n(node.given.begin(), node.z.size(), node.z.begin());
  block.evaluate(q.t, node.u(), numbers_of(node.z), held, node.values);
  return node.z.size() == 0 || q.signals.gain == 0 || seek_states(node, q, held);
}

// Also of a gain of zero, where z is given: then it is its own base.
void SignalNetwork::Node::set_gain(double gain) const {
  last_gain = gain;
  is_differentiated = false;
  if (z.size() > 0) {
    z_by_base.setIdentity();
    if (gain != 0) divide_by_matrix_of_states(gain, linear.f_by_z, z_by_base);
    z_by_u.noalias() = gain * z_by_base.lazyProduct(linear.f_by_u);
  }
  coefficients.clear();
  // By expressions, since products of their own would be allocated
  const auto add_rows = [this](const auto& by_bases, const auto& by_inputs) {
    for (Eigen::Index i = 0; i < by_inputs.rows(); ++i) {
      for (Eigen::Index k = 0; k < by_bases.cols(); ++k) coefficients.push_back(by_bases(i, k));
      for (Eigen::Index j = 0; j < by_inputs.cols(); ++j) coefficients.push_back(by_inputs(i, j));
      coefficients.resize(whole_fours(static_cast<Eigen::Index>(coefficients.size())));
    }
  };
  const auto add_rows_behind_states = [&](const MatrixX& of_z, const MatrixX& of_u) {
    add_rows(of_z.lazyProduct(z_by_base), of_z.lazyProduct(z_by_u) + of_u);
  };
  add_rows_behind_states(linear.y_by_z, linear.y_by_u);
  add_rows(z_by_base, z_by_u);
  add_rows_behind_states(linear.f_by_z, linear.f_by_u);
}

// z by u has been overwritten, too.
void SignalNetwork::Node::take_linear_matrices() const {
  set_gain(last_gain);
  values.y_by_u = linear.y_by_u;
  values.y_by_z = linear.y_by_z;
  values.f_by_u = linear.f_by_u;
  values.f_by_z = linear.f_by_z;
  has_linear_matrices = true;
}

void SignalNetwork::Node::set_states(const State& q) const {
  if (!is_in_range || z.size() == 0) return;
  if (q.signals.gain != last_gain) {
    // Settled since
    set_gain(q.signals.gain);
    std::copy_n(base_of(q), z.size(), given.begin());
  }
  const double* const of_states = coefficients.data() + static_cast<std::size_t>(values.y.size()) * given.size();
  set_products(set_products(of_states, given, z), given, values.f);
}

// What the inputs are by the signals that they take, and the outputs by the inputs, with what goes through z.
bool SignalNetwork::differentiate_node(const Node& node, const State& q) const {
  const double gain = q.signals.gain;
  // States that were settled keep their values, and stand from there on without an evaluation of gain zero
  if (node.is_in_range && gain != node.last_gain) node.set_gain(gain);
  for (const SignalInput& input : node.inputs) input.differentiate(q.t, values_);
  node.is_differentiated = true;
  const bool through_z = node.z.size() > 0 && gain != 0;
  if (through_z && !node.is_in_range) {
    for (Eigen::Index i = 0; i < node.z_by_u.size(); ++i) node.z_by_u.data()[i] = gain * node.values.f_by_u.data()[i];
    node.divide_by_matrix_of_states(gain, node.values.f_by_z, node.z_by_u);
  }
  bool changed = !node.affine;
  for (Eigen::Index j = 0; j < node.y_by_u.cols(); ++j)
    for (Eigen::Index i = 0; i < node.y_by_u.rows(); ++i) {
      double by_u = node.values.y_by_u(i, j);
      if (through_z)
        for (Eigen::Index k = 0; k < node.z.size(); ++k) by_u += node.values.y_by_z(i, k) * node.z_by_u(k, j);
      changed = changed || by_u != node.y_by_u(i, j);
      node.y_by_u(i, j) = by_u;
    }
  return changed;
}

}  // namespace polhode::assembly
