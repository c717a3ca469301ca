// SPDX-License-Identifier: BSD-3-Clause
// States of the blocks of signals at an iterate, and what blocks give by their inputs, with what goes through states.
#include <cmath>

#include "polhode/assembly/signal_network.hpp"
#include "signal_nodes.hpp"

namespace polhode::assembly {
namespace {

using model::MatrixX;

// x <- A^-1 x; most blocks have one state or two.
template <class X>
void divide(const MatrixX& A, Eigen::PartialPivLU<MatrixX>& lu, X& x) {
  if (A.rows() == 1) {
    x /= A(0, 0);
  } else if (A.rows() == 2) {
    const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double first = (A(1, 1) * x(0, j) - A(0, 1) * x(1, j)) / determinant;
      x(1, j) = (A(0, 0) * x(1, j) - A(1, 0) * x(0, j)) / determinant;
      x(0, j) = first;
    }
  } else {
    lu.compute(A);
    x = lu.solve(x).eval();
  }
}

}  // namespace

// z = base + gain f(t, u, z), by Newton's method; of one state, as most controllers have, without vectors.
bool SignalNetwork::seek_state(const Node& node, const State& q, std::span<const double> held) const {
  const double gain = q.signals.gain;
  const double base = q.signals.base[node.first_state];
  double& z = node.z[0];
  for (int i = 0; i <= most_iterations; ++i) {
    const double size = 1 + std::abs(z);
    const double missed = z - base - gain * node.values.f[0];
    if (i > 0 && std::abs(missed) <= last_bits * size) return true;
    const double change = missed / (1 - gain * node.values.f_by_z(0, 0));
    if (i == most_iterations || !std::isfinite(change)) return false;
    z -= change;
    node.block->evaluate(q.t, numbers_of(node.u), numbers_of(node.z), held, node.values);
    if (std::abs(change) <= last_bits * size) return true;
  }
  return false;
}

// The same of any number of states.
bool SignalNetwork::seek_states(const Node& node, const State& q, std::span<const double> held) const {
  if (node.z.size() == 1) return seek_state(node, q, held);
  const model::SignalBlock& block = *node.block;
  const double gain = q.signals.gain;
  const double* const base = q.signals.base.data() + node.first_state;
  const Eigen::Index states = node.z.size();
  for (int i = 0; i <= most_iterations; ++i) {
    double size = 1;
    double missed = 0;
    for (Eigen::Index k = 0; k < states; ++k) {
      node.missed[k] = node.z[k] - base[k] - gain * node.values.f[k];
      size += std::abs(node.z[k]);
      missed += std::abs(node.missed[k]);
    }
    if (i > 0 && missed <= last_bits * size) return true;
    if (i == most_iterations || !std::isfinite(missed)) return false;
    divide(node.matrix_of_states(gain), node.lu, node.missed);
    double change = 0;
    for (Eigen::Index k = 0; k < states; ++k) {
      node.z[k] -= node.missed[k];
      change += std::abs(node.missed[k]);
    }
    if (!std::isfinite(change)) return false;
    block.evaluate(q.t, numbers_of(node.u), numbers_of(node.z), held, node.values);
    if (change <= last_bits * size) return true;
  }
  return false;
}

// 1 - gain D f/D z.
const model::MatrixX& SignalNetwork::Node::matrix_of_states(double gain) const {
  for (Eigen::Index j = 0; j < z.size(); ++j)
    for (Eigen::Index i = 0; i < z.size(); ++i) by_z(i, j) = (i == j ? 1 : 0) - gain * values.f_by_z(i, j);
  return by_z;
}

// Also of a gain of zero, where z is given: then it is its own base.
void SignalNetwork::Node::set_gain(double gain) const {
  last_gain = gain;
  is_differentiated = false;
  if (z.size() > 0) {
    z_by_base.setIdentity();
    if (gain != 0) divide(matrix_of_states(gain), lu, z_by_base);
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
  if (through_z && !node.linear && node.z.size() == 1) {
    const double factor = gain / (1 - gain * node.values.f_by_z(0, 0));
    for (Eigen::Index j = 0; j < node.z_by_u.cols(); ++j) node.z_by_u(0, j) = factor * node.values.f_by_u(0, j);
  } else if (through_z && !node.linear) {
    for (Eigen::Index i = 0; i < node.z_by_u.size(); ++i) node.z_by_u.data()[i] = gain * node.values.f_by_u.data()[i];
    divide(node.matrix_of_states(gain), node.lu, node.z_by_u);
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
