// SPDX-License-Identifier: BSD-3-Clause
// Assembly, scale and shift of the tangent.
#include "tangent_stiffness.hpp"

#include "analyses/motion/metric.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::System;

TangentStiffness::TangentStiffness(const PathLoads& loads, const VectorX& metric, const State& start)
    : loads_(loads), metric_(metric), matrix_(loads.system().make_matrix()) {
  solver_.emplace(matrix_);
  const System& system = loads.system();
  if (loads.settings().rotation) rotating_.emplace(system);
  State q = start;
  loads.set_parameter(q, 0);
  system.set_matrix(q, {.k = 1, .b = 1}, 1, matrix_);
  const double stiffest = stiffest_of(matrix_, metric.head(system.free_unknowns()));
  scale_ = stiffest > 0 ? 1 / stiffest : 1;
}

void TangentStiffness::set(const State& q, double s, assembly::SparseMatrix& matrix) {
  if (rotating_)
    rotating_->set_matrix(*loads_.settings().rotation, loads_.load_factor(s), q, scale_, matrix);
  else
    loads_.system().set_matrix(q, {.k = 1, .b = 1}, scale_, matrix);
}

// The shift adds a stiffness in proportion to the metric, so that translations and rotations are held alike.
bool TangentStiffness::factorize(const State& q, double s) {
  set(q, s, matrix_);
  if (shift_ > 0)
    for_each_diagonal(matrix_, loads_.system().free_unknowns(),
                      [&](int i, double& value) { value += shift_ * metric_[i]; });
  return solver_->factorize();
}

void TangentStiffness::archive(math::Archive& a) {
  solver_.emplace(matrix_);
  a(shift_);
}

}  // namespace polhode::analyses
