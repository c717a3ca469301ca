// SPDX-License-Identifier: BSD-3-Clause
// Motions that no stiffness holds: null vectors of the tangent stiffness within the constraints, in words.
#pragma once
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

struct FreeMotion {
  model::VectorX shape;  // of the free unknowns, the largest displacement of a node 1 (rotations times the length)
  std::string text;      // "rotation of bodies.bob about joints.pin", "translation of nodes.a along [1, 0, 0]"
};

// Of `matrix` = [s K  B^T; B 0] with s such that the stiffest unknown has about 1; `metric` weights the unknowns (1 of
// translations, length^2 of rotations, 0 of rows). Motions count as free whose stiffness is below `threshold` of the
// stiffest. At most six are looked for, by subspace iteration on the shifted inverse.
std::vector<FreeMotion> free_motions(const assembly::System& system, const model::State& q,
                                     const assembly::SparseMatrix& matrix, const model::VectorX& metric,
                                     double threshold = 1e-13);

// The motion of the nodes in words: which ones move, how, about or along what.
std::string describe_motion(const assembly::System& system, const model::State& q, const model::VectorX& shape);

// One text in the place of six where `shapes` (of the free unknowns) are the six rigid motions of the whole model, in
// any combination: "six free motions: the model is not held"; else "".
std::string describe_rigid_motions(const assembly::System& system, const model::State& q,
                                   const std::vector<model::VectorX>& shapes);

// Of motions that stay where they are: "joints.shaft is free to turn: held at 0" where one joint alone moves, with its
// coordinate where it has one (rad or m, counted from the deck's configuration); else the motion in words.
std::vector<std::string> describe_held_motions(const assembly::System& system, const model::State& q,
                                               const std::vector<FreeMotion>& motions);

}  // namespace polhode::analyses
