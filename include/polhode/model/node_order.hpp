// SPDX-License-Identifier: BSD-3-Clause
// In which order systems number the nodes of a large model, so that what is computed together stands together in memory,
// however the deck lists it.
#pragma once
#include "polhode/model/model.hpp"

namespace polhode::model {

// Sets Model::node_order: subtrees of an approximate minimum degree ordering (Amestoy, Davis & Duff, SIAM J. Matrix Anal.
// Appl. 17 (1996) 886-905) one behind the other, or none where neighbors are near each other already; and
// Model::build_order: bodies, beams and joints each as their first nodes are numbered. Small models are left alone.
void set_order(Model& model);

}  // namespace polhode::model
