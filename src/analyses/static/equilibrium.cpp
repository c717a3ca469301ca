// SPDX-License-Identifier: BSD-3-Clause
// Corrections of equilibrium, the tangent of the path, and what rounding does to both.
#include "equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/analyses/initial/start.hpp"

namespace polhode::analyses {

using model::Vec6;

Equilibrium::Equilibrium(const assembly::System& system, const StaticSettings& settings, bool loaded,
                         const State& start)
    : loads_(system, settings, loaded, start),
      displacements_(system),
      stiffness_(loads_, displacements_.metric(), start),
      residual_(system.make_residual()),
      nodal_(system.nodes()) {}

bool Equilibrium::evaluate(State& q, double s) {
  s_ = s;
  dropped_ = q.dropped;
  loads_.set_residual(q, s, residual_);
  return std::isfinite(force_norm()) && residual_.phi.allFinite();
}

// The dual of the norm of displacements. Of a model of 1 m the bits are those of System::force_norm().
double Equilibrium::force_norm() const {
  const double per_length = 1 / system().length();
  double sum = 0;
  for (std::size_t i = 1; i < residual_.force.size(); ++i) {
    Vec6 force = residual_.force[i];
    force.tail<3>() *= per_length;
    const model::NodeUnknowns& at = system().unknowns()[i];
    if (at.full()) {
      sum += force.squaredNorm();
      continue;
    }
    for (int k = 0; k < 6; ++k)
      if (at.local[k] >= 0) sum += force[k] * force[k];
  }
  return std::sqrt(sum);
}

void Equilibrium::set_stiffness(State q, double s, assembly::SparseMatrix& matrix) {
  loads_.set_parameter(q, s);
  stiffness_.set(q, s, matrix);
}

// A force F that is left turns with its node: F over the length. Moments likewise, over its square.
double Equilibrium::uncertain_stiffness(State q, double s) const {
  assembly::Residual left = system().make_residual();
  loads_.set_residual(q, s, left);
  VectorX all(system().size());
  system().gather(left, q.dropped, stiffness_.scale(), all);
  const auto k = system().free_unknowns();
  return all.head(k).cwiseQuotient(displacements_.metric().head(k).cwiseSqrt()).lpNorm<Eigen::Infinity>() /
         system().length();
}

// [-scale r; -Phi]
// Signs and scale of the linear system.
void Equilibrium::gather(const assembly::Residual& r, VectorX& d) const {
  system().gather(r, dropped_, -stiffness_.scale(), d);
  d.tail(system().rows()) *= -1;
}

void Equilibrium::set_correction(VectorX& d) {
  d.resize(system().size());
  gather(residual_, d);
  stiffness_.solve(d);
}

void Equilibrium::set_tangent(const State& q, double s, VectorX& d) {
  dropped_ = q.dropped;
  const assembly::Residual rate = loads_.rate(q, s);
  // Of drives: the largest change of an angle limits the step of the load factor.
  load_rate_.angle = 0;
  for (int row = 0; row < system().rows(); ++row)
    if (!system().row_is_length(row)) load_rate_.angle = std::max(load_rate_.angle, std::abs(rate.phi[row]));
  d.resize(system().size());
  gather(rate, d);
  load_rate_.scaled = d;
  stiffness_.solve(d);
}

// Increments of positions by the exponential map; multipliers were scaled in the system.
void Equilibrium::apply(State& q, const VectorX& d, double factor) const {
  system().scatter(d, nodal_);
  for (Vec6& dx : nodal_) dx *= factor;
  move(q, nodal_);
  q.lambda += factor / stiffness_.scale() * d.tail(system().rows());
}

// Each entry of K is rounded, and acts on the distance of its two nodes: forces of random signs of that size are solved
// for.
double round_off_of(Equilibrium& equations, const State& q) {
  const assembly::System& system = equations.system();
  const assembly::SparseMatrix& matrix = equations.stiffness().matrix();
  const auto k = static_cast<std::size_t>(system.free_unknowns());
  std::vector<std::size_t> node_of(k);
  std::vector<bool> is_turn(k);
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const model::NodeUnknowns& at = system.unknowns()[i]; at.local[j] >= 0) {
        const auto unknown = static_cast<std::size_t>(at.first + at.local[j]);
        node_of[unknown] = i;
        is_turn[unknown] = j > 2;
      }
  VectorX errors = VectorX::Zero(system.size());  // squares, then forces, then displacements
  for (std::size_t column = 0; column < k; ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      const auto row = static_cast<std::size_t>(matrix.row[p]);
      // Rows of constraints follow those of forces.
      if (row >= k) break;
      const double length = is_turn[column] ? 1 : (q.x[node_of[column]] - q.x[node_of[row]]).norm();
      errors[matrix.row[p]] += std::pow(2.2e-16 * matrix.at(p) * length, 2);
    }
  std::mt19937 random(1);
  for (double& f : errors) f = (random() % 2 == 0 ? 1 : -1) * std::sqrt(f);
  equations.stiffness().solve(errors);
  return equations.displacements().largest(errors);
}

}  // namespace polhode::analyses
