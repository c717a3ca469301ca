// SPDX-License-Identifier: BSD-3-Clause
// Changes along the lift V that meet the constraints, and accelerations at a state; both from the matrix of the system
// with m = 1 and rows B T, rows of forces divided by Lift::mass():
//   [ I  V ; B T  0 ] [ change ; s ] = [ 0 ; -violation ],    [ M  B^T ; B  0 ] [ vdot ; lambda ] = [ -g ; -Gamma ]
// with g and lambda divided, too.
#pragma once
#include <utility>
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/rosenbrock/lift.hpp"

namespace polhode::integrators {

class ConstraintProjection {
 public:
  // `pattern`: a matrix of the system. Keeps references.
  ConstraintProjection(const assembly::System& system, const JacobianPlaces& places, const Lift& lift,
                       const assembly::SparseMatrix& pattern);
  ConstraintProjection(const ConstraintProjection&) = delete;

  // From the matrix of the system. False if the position is singular.
  bool factorize(const assembly::SparseMatrix& matrix);
  // `change`: by node.
  void correct(const model::VectorX& violation, std::vector<model::Vec6>& change);
  // Both, by less memory traffic.
  bool factorize_and_correct(const assembly::SparseMatrix& matrix, const model::VectorX& violation,
                             std::vector<model::Vec6>& change);
  double pivot_ratio() const { return solver_.smallest_pivot_ratio(); }

 private:
  void set_values(const assembly::SparseMatrix& matrix);
  void set_violation(const model::VectorX& violation);

  const assembly::System& system_;
  const JacobianPlaces& places_;
  const Lift& lift_;
  assembly::SparseMatrix matrix_;
  assembly::LinearSolver solver_;
  model::VectorX vector_;
};

class AccelerationSolver {
 public:
  // `matrix`: of the system. Keeps references.
  AccelerationSolver(const assembly::System& system, const JacobianPlaces& places, const Lift& lift,
                     assembly::SparseMatrix& matrix);
  AccelerationSolver(const AccelerationSolver&) = delete;

  // vdot and lambda of `q` by g, the forces of `residual`. In place: the values of the matrix are lost. set_again() sets
  // them once more where blocks were not enough. False if singular.
  template <class SetAgain>
  bool accelerate(const assembly::Residual& residual, const model::VectorX& gamma, const SetAgain& set_again,
                  model::State& q) {
    bool is_set = true;
    const auto set_values = [&] {
      if (!std::exchange(is_set, false)) set_again();
      take_gradient();
    };
    set_forces(residual, gamma, q);
    if (!solver_.set_factorize_and_solve(set_values, vector_)) return false;
    take_solution(q);
    return true;
  }

 private:
  void set_forces(const assembly::Residual& residual, const model::VectorX& gamma, const model::State& q);
  void take_solution(model::State& q) const;
  void take_gradient();  // B in the place of B T

  const assembly::System& system_;
  const JacobianPlaces& places_;
  const Lift& lift_;
  assembly::SparseMatrix& matrix_;
  assembly::LinearSolver solver_;
  model::VectorX vector_;
};

}  // namespace polhode::integrators
