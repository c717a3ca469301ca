// SPDX-License-Identifier: BSD-3-Clause
// Velocities of given momenta that meet the constraints.
#include "polhode/integrators/structure/momentum_velocities.hpp"

#include <algorithm>

namespace polhode::integrators {

MomentumVelocities::MomentumVelocities(const StructureMethod& method)
    : method_(method),
      momenta_(method.system.make_residual()),
      v_(method.system.nodes(), Vec6::Zero()),
      vector_(VectorX::Zero(method.system.size())),
      Bv_(VectorX::Zero(method.system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_) {}

// The right-hand side has the moments of p about the nodes, with c x R^T p.
bool MomentumVelocities::set(State& q) {
  const assembly::System& system = method_.system;
  if (!saddle_) saddle_.emplace(system);
  if (!saddle_->factorize(q)) return false;
  for (std::size_t i = 1; i < q.memory.size(); ++i) {
    const Vec3 p = q.memory[i].head<3>();
    momenta_.force[i] << p, Vec3(q.memory[i].tail<3>()) + method_.bodies[i].c.cross(q.R[i].transpose() * p);
  }
  update_rates(q);
  momenta_.phi = -phi_t_;
  system.gather(momenta_, q.dropped, 1, vector_);
  saddle_->solve(vector_);
  system.scatter(vector_, v_);
  std::copy(v_.begin() + 1, v_.end(), q.v.begin() + 1);
  update_rates(q);
  return saddle_->set_accelerations(q, gamma_);
}

void MomentumVelocities::update_rates(const State& q) { method_.system.set_rates(q, Bv_, phi_t_, gamma_); }

}  // namespace polhode::integrators
