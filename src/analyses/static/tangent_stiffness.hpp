// SPDX-License-Identifier: BSD-3-Clause
// The tangent A of the equations of equilibrium, and its factors.
//
// Linear systems are scaled: rows of forces by c = 1 / max |K_ii / metric_i|, multipliers by its inverse, so that
// pivots compare each stiffness with the largest one:
//   [ c (K + shift metric)  B^T ] [ dx       ]       [ c r ]
//   [ B                     0   ] [ c dlambda ] = -  [ Phi ]
#pragma once
#include <optional>

#include "path_loads.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"

namespace polhode::analyses {

// Below, relative to the largest pivot, a tangent is looked at for free motions.
constexpr double least_pivot = 1e-13;
// Stiffness of motions without any, relative to the largest one (TangentStiffness::set_shift).
constexpr double small_shift = 1e-10;

class TangentStiffness {
 public:
  // Scaled by the stiffness at `start`, s = 0; `metric` as Displacements has it. Keeps references to both others.
  TangentStiffness(const PathLoads& loads, const VectorX& metric, const State& start);

  // A without shift, of a state whose parameter has been set to s.
  void set(const State& q, double s, assembly::SparseMatrix& matrix);
  // A with the shift, and its factors; false if it is singular.
  bool factorize(const State& q, double s);
  // In place, by the last factors.
  void solve(VectorX& vector) { solver_->solve(vector); }
  const assembly::SparseMatrix& matrix() const { return matrix_; }
  double pivot_ratio() const { return solver_->smallest_pivot_ratio(); }
  double scale() const { return scale_; }

  // A stiffness added to all free unknowns, relative to the largest one: a tangent can then be inverted whose free
  // motions the loads do not drive. 0: none. Counts from the next factors on.
  void set_shift(double shift) { shift_ = shift; }
  double shift() const { return shift_; }
  // Factors and the choice of pivots are dropped where it writes, too.
  void archive(math::Archive& a);
  // The shift that answers a displacement (in units of the model's length) by this force, N.
  double shift_of(double force, double displacement) const {
    return scale_ * force / (displacement * loads_.system().length());
  }

 private:
  const PathLoads& loads_;
  const VectorX& metric_;
  std::optional<RotatingTangent> rotating_;
  assembly::SparseMatrix matrix_;
  std::optional<assembly::LinearSolver> solver_;
  double scale_ = 1;
  double shift_ = 0;
};

}  // namespace polhode::analyses
