// SPDX-License-Identifier: BSD-3-Clause
// Steady rotation: motion of the nodes, tangent of the equilibrium.
#include "polhode/analyses/motion/rotating.hpp"

#include <cmath>

namespace polhode::analyses {

using assembly::SparseMatrix;
using assembly::System;
using math::Mat3;
using math::Vec3;
using math::Vec6;
using model::State;

namespace {

// Centrifugal accelerations are of second order in the speed: a part of them, as a load factor takes it, needs the
// root of that part.
Vec3 omega_of(const Rotation& rotation, double share) {
  return std::sqrt(std::max(share, 0.0)) * rotation.speed * rotation.axis;
}

}  // namespace

// Nodes that are fixed turn with the frame, and so does the ground (node 0).
void set_steady_rotation(const Rotation& rotation, double share, State& q) {
  const Vec3 omega = omega_of(rotation, share);
  for (std::size_t i = 0; i < q.x.size(); ++i) {
    const Vec3 u = omega.cross(q.x[i] - rotation.about);
    q.v[i] << u, q.R[i].transpose() * omega;
    q.vdot[i] << omega.cross(u), Vec3::Zero();
  }
}

// Back to a state of a transient: supports do not move, whatever frame was used.
void clear_fixed_motion(const System& system, State& q) {
  q.v[0].setZero();
  q.vdot[0].setZero();
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (int k = 0; k < 6; ++k)
      if (system.node(i).removed[static_cast<std::size_t>(k)]) q.v[i][k] = q.vdot[i][k] = 0;
}

// sum += X diag(T, 0) node by node: columns of translations of a node are combined by T.
// They have the same rows, so that no search is needed.
void add_node_products(const System& system, const SparseMatrix& X, const Mat3& translation, SparseMatrix& sum) {
  for (std::size_t node = 1; node < system.nodes(); ++node) {
    const model::NodeUnknowns& at = system.unknowns()[node];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (at.local[static_cast<std::size_t>(i)] < 0 || at.local[static_cast<std::size_t>(j)] < 0) continue;
        const int from = at.first + at.local[static_cast<std::size_t>(i)];
        const int to = at.first + at.local[static_cast<std::size_t>(j)];
        const int begin = X.column_start[from];
        const int rows = X.column_start[from + 1] - begin;
        const int target = X.column_start[to];  // columns of a node have the same rows
        for (int row = 0; row < rows; ++row) sum.at(target + row) += X.at(begin + row) * translation(i, j);
      }
  }
}

// M and C one after the other through one matrix: K + C V + M A with B^T and B of the first.
void RotatingTangent::set_matrix(const Rotation& rotation, double share, const State& q, double scale,
                                 SparseMatrix& matrix) {
  const Mat3 W = math::tilde(omega_of(rotation, share));
  spin_.resize(q.v.size());
  for (std::size_t i = 0; i < q.v.size(); ++i) spin_[i] = math::tilde(Vec3(q.v[i].tail<3>()));
  assembly::Factors factors{.k = 1, .b = 1};
  factors.rot_c = spin_;
  system_.set_matrix(q, factors, scale, matrix);
  system_.set_matrix(q, {.m = 1}, scale, part_);
  add_node_products(system_, part_, W * W, matrix);
  system_.set_matrix(q, {.c = 1}, scale, part_);
  add_node_products(system_, part_, W, matrix);
}

}  // namespace polhode::analyses
