// SPDX-License-Identifier: BSD-3-Clause
// Classes of vectors at the begin of a step.
#include "polhode/integrators/rosenbrock/origin_projection.hpp"

#include "integrators/nodal.hpp"

namespace polhode::integrators {

OriginProjection::OriginProjection(const assembly::System& system, LiftedMatrix& lifted, ExtrapolatedLoads& loads,
                                   StateChart& chart)
    : system_(system),
      lifted_(lifted),
      loads_(loads),
      chart_(chart),
      projection_(system, lifted.places, lifted.lift, lifted.matrix),
      change_(system.nodes(), Vec6::Zero()),
      probe_(VectorX::Zero(system.free_unknowns())) {}

bool OriginProjection::begin(double h) {
  Lift& lift = lifted_.lift;
  lift.update(chart_.origin(), h);
  if (!projection_.factorize(lift.matrix())) return false;
  if (!lift.has_partition() || lifted_.places.equations == 0 || lift.partition_holds(amplification())) return true;
  return begin(h);
}

void OriginProjection::correct_product() {
  State& origin = chart_.origin();
  origin.v.swap(chart_.thetad());
  const VectorX& Bv = loads_.product(origin);
  origin.v.swap(chart_.thetad());
  correct(Bv, change_);
}

// Largest component of B_D^-1 B_I e, e of ones with alternating signs; lengths by that of the model.
double OriginProjection::amplification() {
  for (int i = 0; i < lifted_.places.unknowns; ++i)
    probe_[i] = lifted_.lift.is_independent(i) ? (i % 2 == 0 ? 1 : -1) : 0;
  system_.scatter(probe_, chart_.thetad());
  for (Vec6& e : chart_.thetad()) e.head<3>() *= system_.length();
  correct_product();
  return size_of(change_, system_.length());
}

void OriginProjection::represent(VectorX& e) {
  if (lifted_.lift.has_partition()) {
    for (int i = 0; i < lifted_.places.unknowns; ++i)
      if (!lifted_.lift.is_independent(i)) e[i] = 0;
    return;
  }
  if (lifted_.places.equations == 0) return;
  system_.scatter(e, chart_.thetad());
  correct_product();
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] += chart_.thetad()[i];
  gather(system_, change_, e);
}

}  // namespace polhode::integrators
