// SPDX-License-Identifier: BSD-3-Clause
// What a state-space form makes of its model once: a matrix of the system, where its blocks stand, and the lift.
#pragma once
#include "polhode/integrators/rosenbrock/lift.hpp"

namespace polhode::integrators {

// Parts refer to each other.
struct LiftedMatrix {
  LiftedMatrix(const assembly::System& system, Coordinates coordinates)
      : matrix(system.make_matrix()), places(system, matrix), lift(system, places, coordinates) {}
  LiftedMatrix(const LiftedMatrix&) = delete;

  // For what is made at a stage
  assembly::SparseMatrix matrix;
  JacobianPlaces places;
  Lift lift;
};

}  // namespace polhode::integrators
