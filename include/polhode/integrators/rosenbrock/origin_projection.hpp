// SPDX-License-Identifier: BSD-3-Clause
// The constraints at the origin of a chart, where a step begins: which vectors stand for the same class there.
#pragma once
#include "polhode/integrators/rosenbrock/constraint_projection.hpp"
#include "polhode/integrators/rosenbrock/extrapolated_loads.hpp"
#include "polhode/integrators/rosenbrock/lifted_matrix.hpp"
#include "polhode/integrators/rosenbrock/state_chart.hpp"

namespace polhode::integrators {

class OriginProjection {
 public:
  // Keeps references. The thetad of the chart is used for scratch.
  OriginProjection(const assembly::System& system, LiftedMatrix& lifted, ExtrapolatedLoads& loads, StateChart& chart);

  // At the chart's origin; `h`, s: of the weights of the lift. False if that position is singular.
  bool begin(double h);
  // Replaces e, over the free unknowns, by the vector of its class that keeps to the constraints, or, with a partition,
  // takes away what is dependent.
  void represent(VectorX& e);
  // `change`, by node, along the lift takes a violation of the constraints, one a row, away: to first order.
  void correct(const VectorX& violation, std::vector<Vec6>& change) { projection_.correct(violation, change); }
  // Of the constraints.
  double pivot_ratio() const { return projection_.pivot_ratio(); }

 private:
  // The change that takes B times a vector by node (thetad of the chart) away; in change_.
  void correct_product();
  double amplification();

  const assembly::System& system_;
  LiftedMatrix& lifted_;
  ExtrapolatedLoads& loads_;
  StateChart& chart_;
  ConstraintProjection projection_;
  std::vector<Vec6> change_;
  VectorX probe_;  // of amplification(), over the free unknowns
};

}  // namespace polhode::integrators
