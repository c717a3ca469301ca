// SPDX-License-Identifier: BSD-3-Clause
// Equilibrium relative to a frame that turns steadily, in the inertial coordinates of the program.
//
// A node that rests in a frame turning with omega about the point p has, in the inertial frame and in its own,
//   u = omega x (x - p),   Omega = R^T omega,   udot = omega x u,   Omegadot = 0,
// so that r(q, v(q), vdot(q)) = 0 is its equilibrium, with all centrifugal and gyroscopic terms, and
//   D_q r = K + C V + M A,   V = diag(omega~, Omega~),   A = diag(omega~ omega~, 0)   node by node
// is the exact tangent. The ground turns with the frame, and fixed nodes do. Of nodes fixed in some translations alone
// the tangent is exact if omega is along an axis of the inertial frame.
#pragma once
#include "polhode/analyses/settings.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Sets the velocities and accelerations of all nodes, the ground included. `share` of the centrifugal accelerations:
// the speed counts by its root.
void set_steady_rotation(const Rotation& rotation, double share, model::State& q);
// Takes the motion from the ground and from removed unknowns again: what a motion can start from.
void clear_fixed_motion(const assembly::System& system, model::State& q);

// X F of a matrix of the system, added to `sum`: F = diag(translation, rotation) node by node.
void add_node_products(const assembly::System& system, const assembly::SparseMatrix& X, const math::Mat3& translation,
                       assembly::SparseMatrix& sum);

// [ scale (K + C V + M A)  B^T ; B  0 ] at q, whose motion is the steady rotation.
class RotatingTangent {
 public:
  explicit RotatingTangent(const assembly::System& system) : system_(system), part_(system.make_matrix()) {}
  void set_matrix(const Rotation& rotation, double share, const model::State& q, double scale,
                  assembly::SparseMatrix& matrix);

 private:
  const assembly::System& system_;
  assembly::SparseMatrix part_;
  std::vector<math::Mat3> spin_;  // Omega~ of each node
};

}  // namespace polhode::analyses
