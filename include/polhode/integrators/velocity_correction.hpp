// SPDX-License-Identifier: BSD-3-Clause
// Changes of velocities normal to the constraints, with the least change in the norm of M:
//   [ M B^T ; B 0 ] [ dv ; mu ] = [ 0 ; change of B v ]
#pragma once
#include <optional>
#include <vector>

#include "polhode/assembly/linear/saddle.hpp"

namespace polhode::integrators {

// It assembles and factorizes M for each change; positions, accelerations and multipliers stay.
class VelocityCorrection {
 public:
  // Keeps a reference to the system.
  explicit VelocityCorrection(const assembly::System& system);

  // Multiplies the violation of the constraints by velocities, B v + Phi_t, by `factor`; 0 makes them meet the
  // constraints. False, and nothing changed, if mass matrix and constraints are singular.
  bool scale_violation(model::State& q, double factor);
  // Adds to q's velocities the part normal to the constraints of `offset` (by node, in units of velocities). False as
  // above.
  bool add_normal_part(model::State& q, const std::vector<model::Vec6>& offset);

 private:
  // Of B v by what stands in Bv_.
  bool change(model::State& q);

  const assembly::System& system_;
  // Made at the first change
  std::optional<assembly::Saddle> saddle_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX rhs_;
  std::vector<model::Vec6> dv_;
};

}  // namespace polhode::integrators
