// SPDX-License-Identifier: BSD-3-Clause
// The linear equations of small motions about an equilibrium, at rest or in a frame that turns steadily:
//
//   M y'' + C y' + K y + B^T mu = f,   B y = 0
//
// with y the free unknowns: displacements in the inertial frame (of this instant), rotations in each node's own frame,
// both seen in the turning frame (rotating.hpp). A node at y moves with
//   delta v = y' + V y,   delta vdot = y'' + 2 V_t y' + ... :   u: omega~,  Omega: Omega~
// so that, with the tangents D_vdot r = M, D_v r = C_0, D_q r = K_0 (multipliers and loads included),
//   C = C_0 + M diag(2 omega~, Omega~),   K = K_0 + C_0 diag(omega~, Omega~) + M diag(omega~ omega~, 0).
#pragma once
#include <optional>
#include <string>

#include "polhode/analyses/settings.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

struct Linearized {
  const assembly::System* system = nullptr;
  model::State q;  // at rest, or moving with the frame; multipliers that balance the forces
  // on the system's pattern; B and B^T stand in k. Rows of forces times `scale`
  assembly::SparseMatrix m;
  assembly::SparseMatrix c;
  assembly::SparseMatrix k;
  double scale = 1;       // 1 / stiffness of the stiffest unknown, nearly: a power of two
  model::VectorX metric;  // of the free unknowns: 1 of translations, length^2 of rotations
  double unbalanced = 0;  // what is left of the forces: largest component, moments per length of the model, N
  bool symmetric = true;  // no C; K symmetric up to round-off
  int degrees() const;    // of freedom, where the rows of B are independent
};

// About `q`, whose velocities do not count: rest, or steady rotation. Multipliers are those that balance the forces
// best. What is wrong goes to `problems` under `path`: constraints that are not met, rows that follow from others,
// forces that are out of balance (by how much, and where most).
std::optional<Linearized> linearize(const assembly::System& system, const std::optional<Rotation>& rotation,
                                    model::State q, const std::string& path, model::Problems& problems);

}  // namespace polhode::analyses
