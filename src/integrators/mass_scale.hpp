// SPDX-License-Identifier: BSD-3-Clause
// A mass of the model, by which rows of forces are divided so that they compare with those of constraints.
#pragma once
#include <cmath>

#include "polhode/assembly/largest_mass.hpp"

namespace polhode::integrators {

// The largest mass that a node has at the start, kg; 1 where none has any. A power of two: dividing by it leaves no
// rounding errors. `work`: any matrix of the system, which is overwritten.
inline double mass_scale(const assembly::System& system, assembly::SparseMatrix& work) {
  system.set_matrix(system.initial_state(), {.m = 1}, 1, work);
  const double largest = assembly::largest_mass(system, work);
  return largest > 0 ? std::exp2(std::round(std::log2(largest))) : 1;
}

// With a matrix of its own.
inline double mass_scale(const assembly::System& system) {
  assembly::SparseMatrix work = system.make_matrix();
  return mass_scale(system, work);
}

}  // namespace polhode::integrators
