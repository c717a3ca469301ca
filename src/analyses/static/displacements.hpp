// SPDX-License-Identifier: BSD-3-Clause
// Sizes of displacements, with lengths in units of the model's length L and rotations in rad: a vector over the free
// unknowns (and the constraint equations, which do not count) is weighted by W = diag(1/L, 1).
#pragma once
#include <cmath>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

class Displacements {
 public:
  explicit Displacements(const assembly::System& system);

  // 1 of translations, L^2 of rotations, 0 of constraint equations; of size system.size(), m^2.
  const model::VectorX& metric() const { return metric_; }

  double largest(const model::VectorX& d) const;                           // max |W d|
  double product(const model::VectorX& a, const model::VectorX& b) const;  // (W a)^T W b over the number of unknowns
  double norm(const model::VectorX& d) const { return std::sqrt(product(d, d)); }
  double largest_turn(const model::VectorX& d) const;  // of a node, rad

  // From state a to b: norm and largest entry of the displacement; turns by the short way.
  double distance(const model::State& a, const model::State& b) const { return norm(between(a, b)); }
  double reach(const model::State& a, const model::State& b) const { return largest(between(a, b)); }
  // Product of a tangent with the displacement from a to b, m^2 per unit of its parameter. Translations only: rotations
  // may be more than a turn apart.
  double along(const model::VectorX& tangent, const model::State& a, const model::State& b) const;

 private:
  model::VectorX between(const model::State& a, const model::State& b) const;

  const assembly::System& system_;
  model::VectorX metric_;
  model::VectorX weight_;                   // diagonal of W
  mutable std::vector<model::Vec6> nodal_;  // work space
};

}  // namespace polhode::analyses
