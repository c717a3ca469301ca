// SPDX-License-Identifier: BSD-3-Clause
// Norms and products of displacements.
#include "displacements.hpp"

#include <algorithm>

#include "analyses/motion/metric.hpp"
#include "polhode/analyses/initial/start.hpp"

namespace polhode::analyses {

using model::State;
using model::Vec6;
using model::VectorX;

// W is the root of the metric over the length of the model.
Displacements::Displacements(const assembly::System& system)
    : system_(system), metric_(VectorX::Zero(system.size())), nodal_(system.nodes()) {
  const VectorX metric = metric_of(system);
  metric_.head(metric.size()) = metric;
  weight_ = metric.cwiseSqrt() / system.length();
}

double Displacements::largest(const VectorX& d) const {
  return weight_.size() > 0 ? weight_.cwiseProduct(d.head(weight_.size())).lpNorm<Eigen::Infinity>() : 0;
}

// Over the number of unknowns, so that finer meshes have displacements of the same size.
double Displacements::product(const VectorX& a, const VectorX& b) const {
  const auto k = weight_.size();
  return weight_.cwiseProduct(a.head(k)).dot(weight_.cwiseProduct(b.head(k))) /
         std::max<double>(1, static_cast<double>(k));
}

double Displacements::largest_turn(const VectorX& d) const {
  system_.scatter(d, nodal_);
  double largest = 0;
  for (const Vec6& dx : nodal_) largest = std::max(largest, dx.tail<3>().norm());
  return largest;
}

// Constraint equations do not count and are zero.
VectorX Displacements::between(const State& a, const State& b) const {
  set_way(a, b, nodal_);
  VectorX d(system_.size());
  system_.gather({nodal_, VectorX::Zero(system_.rows())}, a.dropped, 1, d);
  return d;
}

// Positions alone give the direction: rotations between both states may be more than a turn.
double Displacements::along(const VectorX& tangent, const State& a, const State& b) const {
  double sum = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i) {
    const model::NodeUnknowns& at = system_.unknowns()[i];
    for (int k = 0; k < 3; ++k)
      if (const int local = at.local[static_cast<std::size_t>(k)]; local >= 0)
        sum += tangent[at.first + local] * (b.x[i][k] - a.x[i][k]);
  }
  return sum;
}

}  // namespace polhode::analyses
