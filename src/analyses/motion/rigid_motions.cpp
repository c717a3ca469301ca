// SPDX-License-Identifier: BSD-3-Clause
// Whether free motions are those of a model that nothing holds.
#include <algorithm>

#include "metric.hpp"
#include "polhode/analyses/motion/free_motion.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::analyses {

using assembly::System;
using math::MatrixX;
using math::Vec3;
using model::VectorX;

namespace {

constexpr int rigid_motions = 6;

// The six rigid motions of all nodes as columns over the free unknowns: translations along x, y, z and rotations about
// them through the first node. Of a node at x a rotation e moves the point by e x (x - x_1), its frame by R^T e.
MatrixX rigid_shapes(const System& system, const model::State& q) {
  MatrixX shapes = MatrixX::Zero(system.free_unknowns(), rigid_motions);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& at = system.unknowns()[i];
    for (int d = 0; d < 3; ++d) {
      const Vec3 axis = Vec3::Unit(d);
      const Vec3 velocity = axis.cross(q.x[i] - q.x[1]);
      const Vec3 turn = q.R[i].transpose() * axis;
      for (int k = 0; k < 3; ++k) {
        if (at.local[k] >= 0) {
          shapes(at.first + at.local[k], d) = axis[k];
          shapes(at.first + at.local[k], 3 + d) = velocity[k];
        }
        if (at.local[3 + k] >= 0) shapes(at.first + at.local[3 + k], 3 + d) = turn[k];
      }
    }
  }
  return shapes;
}

// A component that `fixed` removes holds the model; points have no rotation that could be held.
bool has_support(const System& system) {
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeData& node = system.node(i);
    const auto end = node.removed.begin() + (node.translation_only ? 3 : 6);
    if (node.referenced && std::find(node.removed.begin(), end, true) != end) return true;
  }
  return false;
}

}  // namespace

// Each rigid motion is a combination of the shapes: its part outside of their space, by QR in the metric, is round-off.
std::string describe_rigid_motions(const System& system, const model::State& q, const std::vector<VectorX>& shapes) {
  constexpr double round_off = 1e-4;
  if (shapes.size() != rigid_motions || has_support(system)) return "";
  const VectorX root = metric_of(system).cwiseSqrt();
  MatrixX found(root.size(), rigid_motions);
  for (int i = 0; i < rigid_motions; ++i) found.col(i) = root.cwiseProduct(shapes[static_cast<std::size_t>(i)]);
  const MatrixX Q = math::orthonormal_columns(found, rigid_motions);
  const MatrixX rigid = root.asDiagonal() * rigid_shapes(system, q);
  // Points on a line have five rigid motions, and the sixth free one is another.
  if (math::rank(rigid, round_off) < rigid_motions) return "";
  const MatrixX outside = rigid - Q * (Q.transpose() * rigid);
  for (int i = 0; i < rigid_motions; ++i)
    if (!(outside.col(i).norm() <= round_off * rigid.col(i).norm())) return "";
  return "six free motions: the model is not held";
}

}  // namespace polhode::analyses
