// SPDX-License-Identifier: BSD-3-Clause
// Residual, tangent and corrections of equilibrium.
#include "equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "analyses/motion/metric.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::System;
using model::Vec6;

Equilibrium::Equilibrium(const System& system, const StaticSettings& settings, bool loaded, const State& start)
    : system_(system),
      settings_(settings),
      loaded_(loaded),
      displacements_(system),
      matrix_(system.make_matrix()),
      solver_(matrix_),
      start_(system.make_residual()),
      residual_(system.make_residual()),
      nodal_(system.nodes()) {
  if (settings.rotation) rotating_.emplace(system);
  State q = start;
  set_parameter(q, 0);
  system_.set_residual(q, start_);
  system_.set_matrix(q, {.k = 1, .b = 1}, 1, matrix_);
  const double stiffest = stiffest_of(matrix_, displacements_.metric().head(system.free_unknowns()));
  scale_ = stiffest > 0 ? 1 / stiffest : 1;
}

// Centrifugal accelerations grow as the other loads do, in proportion to the load factor.
void Equilibrium::set_parameter(State& q, double s) const {
  q.load_factor = load_factor(s);
  if (settings_.rotation) set_steady_rotation(*settings_.rotation, load_factor(s), q);
}

// R = r - (1 - s) r_0, and the same of Phi.
bool Equilibrium::evaluate(State& q, double s) {
  s_ = s;
  dropped_ = q.dropped;
  set_parameter(q, s);
  system_.set_residual(q, residual_);
  for (std::size_t i = 0; i < residual_.force.size(); ++i) residual_.force[i] -= (1 - s) * start_.force[i];
  residual_.phi -= (1 - s) * start_.phi;
  return std::isfinite(system_.force_norm(residual_)) && residual_.phi.allFinite();
}

// Of a state whose parameter has been set.
void Equilibrium::set_matrix(const State& q, double s, assembly::SparseMatrix& matrix) {
  if (rotating_)
    rotating_->set_matrix(*settings_.rotation, load_factor(s), q, scale_, matrix);
  else
    system_.set_matrix(q, {.k = 1, .b = 1}, scale_, matrix);
}

void Equilibrium::set_stiffness(State q, double s, assembly::SparseMatrix& matrix) {
  set_parameter(q, s);
  set_matrix(q, s, matrix);
}

// A force F that is left turns with its node: F over the length. Moments likewise, over its square.
double Equilibrium::uncertain_stiffness(State q, double s) const {
  assembly::Residual left = system_.make_residual();
  set_parameter(q, s);
  system_.set_residual(q, left);
  for (std::size_t i = 0; i < left.force.size(); ++i) left.force[i] -= (1 - s) * start_.force[i];
  VectorX all(system_.size());
  system_.gather(left, q.dropped, scale_, all);
  const auto k = system_.free_unknowns();
  return all.head(k).cwiseQuotient(displacements_.metric().head(k).cwiseSqrt()).lpNorm<Eigen::Infinity>() /
         system_.length();
}

// The shift adds a stiffness in proportion to the metric, so that translations and rotations are held alike.
bool Equilibrium::linearize(const State& q) {
  set_matrix(q, s_, matrix_);
  if (shift_ > 0)
    for_each_diagonal(matrix_, system_.free_unknowns(),
                      [&](int i, double& value) { value += shift_ * displacements_.metric()[i]; });
  return solver_.factorize();
}

// [-scale r; -Phi]
// Signs and scale of the linear system of the header.
void Equilibrium::gather(const assembly::Residual& r, VectorX& d) const {
  system_.gather(r, dropped_, -scale_, d);
  d.tail(system_.rows()) *= -1;
}

void Equilibrium::set_correction(VectorX& d) {
  d.resize(system_.size());
  gather(residual_, d);
  solver_.solve(d);
}

// R_s = (r(s + ds) - r(s)) / ds + r_0: a difference, since load factor and turning frame enter the elements.
void Equilibrium::set_tangent(State q, double s, VectorX& d) {
  constexpr double ds = 1e-5;  // the residual is linear in s; drives of many turns must not come round
  dropped_ = q.dropped;
  assembly::Residual rate = system_.make_residual();
  assembly::Residual here = system_.make_residual();
  set_parameter(q, s + ds);
  system_.set_residual(q, rate);
  set_parameter(q, s);
  system_.set_residual(q, here);
  for (std::size_t i = 0; i < here.force.size(); ++i)
    rate.force[i] = (rate.force[i] - here.force[i]) / ds + start_.force[i];
  rate.phi = (rate.phi - here.phi) / ds + start_.phi;
  // Of drives: the largest change of an angle limits the step of the load factor.
  load_rate_.angle = 0;
  for (int row = 0; row < system_.rows(); ++row)
    if (!system_.row_is_length(row)) load_rate_.angle = std::max(load_rate_.angle, std::abs(rate.phi[row]));
  d.resize(system_.size());
  gather(rate, d);
  load_rate_.scaled = d;
  solver_.solve(d);
}

// Each entry of K is rounded, and acts on the distance of its two nodes: forces of random signs of that size are solved
// for.
double Equilibrium::round_off(const State& q) {
  const auto k = static_cast<std::size_t>(system_.free_unknowns());
  std::vector<std::size_t> node_of(k);
  std::vector<bool> is_turn(k);
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const model::NodeUnknowns& at = system_.unknowns()[i]; at.local[j] >= 0) {
        const auto unknown = static_cast<std::size_t>(at.first + at.local[j]);
        node_of[unknown] = i;
        is_turn[unknown] = j > 2;
      }
  VectorX errors = VectorX::Zero(system_.size());  // squares, then forces, then displacements
  for (std::size_t column = 0; column < k; ++column)
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1]; ++p) {
      const auto row = static_cast<std::size_t>(matrix_.row[p]);
      // Rows of constraints follow those of forces.
      if (row >= k) break;
      const double length = is_turn[column] ? 1 : (q.x[node_of[column]] - q.x[node_of[row]]).norm();
      errors[matrix_.row[p]] += std::pow(2.2e-16 * matrix_.at(p) * length, 2);
    }
  std::mt19937 random(1);
  for (double& f : errors) f = (random() % 2 == 0 ? 1 : -1) * std::sqrt(f);
  solver_.solve(errors);
  return displacements_.largest(errors);
}

// Increments of positions by the exponential map; multipliers were scaled in the system.
void Equilibrium::apply(State& q, const VectorX& d, double factor) const {
  system_.scatter(d, nodal_);
  for (Vec6& dx : nodal_) dx *= factor;
  move(q, nodal_);
  q.lambda += factor / scale_ * d.tail(system_.rows());
}

}  // namespace polhode::analyses
