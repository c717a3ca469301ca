// SPDX-License-Identifier: BSD-3-Clause
// Parts of a model that nothing can hold: neither supports nor forces that depend on where they are.
#pragma once
#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Whether a part falls for ever: no element leads from it to the ground or to a node that is fixed along some axis, all
// that acts there are loads of fixed direction and gravity, and their sum is not zero. Couples may turn it to where they
// balance. `load`: of the free unknowns, N and N m times any factor.
bool has_falling_part(const assembly::System& system, const model::VectorX& load);

}  // namespace polhode::analyses
