// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies with joints in any number: rows, trees, rings, random trees with loops.
#pragma once
#include <string_view>

#include "support/models.hpp"

namespace polhode::support {

// Bodies one after the other along x, the first one on ground; joints `type` of turned axes.
model::Model row_of_bodies(int count, std::string_view type);
// Each body carries two more.
model::Model binary_tree_of_bodies(int count, std::string_view type);
// Closed by ball joints, in space, on nothing.
model::Model ring_of_bodies(int count);

// Two rows of `count` bodies that stand on ground side by side, with `count` rungs between them; ball joints.
model::Model ladder_of_bodies(int count);

struct RandomTree {
  unsigned seed = 1;
  int bodies = 10;
  int loops = 0;        // attempts: ball joints between bodies that are not near each other in the tree
  int massless = 0;     // further nodes without a body, each fixed to a body
  bool is_held = true;  // by ground
};
// Ball joints and hinges at random places; no equation is redundant.
model::Model random_tree_of_bodies(const RandomTree& tree);

}  // namespace polhode::support
