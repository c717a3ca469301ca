// SPDX-License-Identifier: BSD-3-Clause
// States of the blocks of signals at an iterate, and what blocks give by their inputs, with what goes through states.
#include <cmath>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {

using model::MatrixX;

// Most blocks have one state or two.
template <class X>
void SignalNetwork::Node::divide_by_matrix_of_states(double gain, X& x) const {
  const auto entry = [&](Eigen::Index i, Eigen::Index j) { return (i == j ? 1 : 0) - gain * values.f_by_z(i, j); };
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
    node.divide_by_matrix_of_states(gain, node.missed);
    double change = 0;
    for (Eigen::Index k = 0; k < states; ++k) {
      z[k] -= step[k];
      change += std::abs(step[k]);
    }
    if (!std::isfinite(change)) return false;
    block.evaluate(q.t, numbers_of(node.u), numbers_of(node.z), held, node.values);
    if (change <= last_bits * size) return true;
  }
  return false;
}

// Also of a gain of zero, where z is given: then it is its own base.
void SignalNetwork::Node::set_gain(double gain) const {
  last_gain = gain;
  is_differentiated = false;
  if (z.size() > 0) {
    z_by_base.setIdentity();
    if (gain != 0) divide_by_matrix_of_states(gain, z_by_base);
    z_by_u.noalias() = gain * z_by_base.lazyProduct(values.f_by_u);
  }
  coefficients.clear();
  const auto add_rows = [this](const MatrixX& by_states, const MatrixX& by_inputs) {
    for (Eigen::Index i = 0; i < by_inputs.rows(); ++i) {
      for (Eigen::Index k = 0; k < by_states.cols(); ++k) coefficients.push_back(by_states(i, k));
      for (Eigen::Index j = 0; j < by_inputs.cols(); ++j) coefficients.push_back(by_inputs(i, j));
    }
  };
  add_rows(z_by_base, z_by_u);
  add_rows(values.y_by_z, values.y_by_u);
  add_rows(values.f_by_z, values.f_by_u);
}

namespace {

// Sets each number of `to` from its row by states and inputs; the row behind the last.
const double* set_products(const double* row, const double* states, Eigen::Index n_states, const model::VectorX& u,
                           model::VectorX& to) {
  const Eigen::Index n_inputs = u.size();
  const double* const inputs = u.data();
  for (double& number : to) {
    double sum = 0;
    for (Eigen::Index k = 0; k < n_states; ++k) sum += *row++ * states[k];
    for (Eigen::Index j = 0; j < n_inputs; ++j) sum += *row++ * inputs[j];
    number = sum;
  }
  return row;
}

}  // namespace

// Nearly all blocks have one state or two, and as many inputs.
void SignalNetwork::Node::evaluate_linear(const double* base) const {
  const double* const of_outputs = set_products(coefficients.data(), base, z.size(), u, z);
  set_products(of_outputs, z.data(), z.size(), u, values.y);
}

void SignalNetwork::Node::set_rates() const {
  const double* const end = coefficients.data() + coefficients.size();
  set_products(end - z.size() * (z.size() + u.size()), z.data(), z.size(), u, values.f);
}

// What the inputs are by the signals that they take, and the outputs by the inputs, with what goes through z.
bool SignalNetwork::differentiate_node(const Node& node, const State& q) const {
  const double gain = q.signals.gain;
  // States that were settled keep their values, and stand from there on without an evaluation of gain zero
  if (node.linear && gain != node.last_gain) node.set_gain(gain);
  if (node.linear && node.affine && node.is_differentiated) return false;
  for (const SignalInput& input : node.inputs) input.differentiate(q.t, values_);
  node.is_differentiated = true;
  const bool through_z = node.z.size() > 0 && gain != 0;
  if (through_z && !node.linear) {
    for (Eigen::Index i = 0; i < node.z_by_u.size(); ++i) node.z_by_u.data()[i] = gain * node.values.f_by_u.data()[i];
    node.divide_by_matrix_of_states(gain, node.z_by_u);
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
