// SPDX-License-Identifier: BSD-3-Clause
// Translations and rotations on one scale: those of a size of 1 m and of 1 rad times the length of the model.
#pragma once
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Of the free unknowns: 1 of translations, length^2 of rotations, m^2.
model::VectorX metric_of(const assembly::System& system);

// max K_ii / metric_i: the stiffness of the stiffest unknown, N/m.
double stiffest_of(const assembly::SparseMatrix& K, const model::VectorX& metric);

}  // namespace polhode::analyses
