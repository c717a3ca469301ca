// SPDX-License-Identifier: BSD-3-Clause
// Models in motion, for laws that hold at any state that meets the constraints.
#pragma once
#include <gtest/gtest.h>

#include "polhode/analyses/redundancy.hpp"
#include "polhode/integrators/rosenbrock/state_space.hpp"
#include "support/bench.hpp"
#include "support/dense.hpp"
#include "support/structure.hpp"

namespace polhode::support {

struct MovingModel {
  const char* name;
  model::Model (*make)();
  friend void PrintTo(const MovingModel& m, std::ostream* out) { *out << m.name; }
};

inline model::Model hung_chain() { return chain(true, 5, true); }
inline model::Model resolved_four_bar() {
  model::Model model = rigid_four_bar();
  model.resolve_redundant = true;
  model.gravity = Vec3(1, -9, 2);
  return model;
}
inline model::Model bent_cantilever() {
  model::Model model = cantilever(3);
  model.gravity = Vec3(1, 2, -9);
  return model;
}

// A driven joint, a tree with springs, three equations too many, no constraints at all.
inline const std::array<MovingModel, 4> moving_models{{{"driven_top", &driven_top},
                                                       {"chain", &hung_chain},
                                                       {"four_bar", &resolved_four_bar},
                                                       {"cantilever", &bent_cantilever}}};

inline VectorX random_free(const assembly::System& system, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  VectorX v(system.free_unknowns());
  for (double& x : v) x = uniform(random);
  return v;
}

// The deck's position, random velocities that meet the constraints, consistent accelerations.
inline State moving_state(const assembly::System& system, unsigned seed) {
  std::mt19937 random(seed);
  State q = system.initial_state();
  analyses::Redundancy(system).begin(q);
  q.v = by_node(system, random_free(system, random));
  integrators::StateSpace space(system, integrators::Coordinates::mass);
  EXPECT_TRUE(make_consistent(system, space, q, 0));
  return q;
}

// Numbers of the constraint equations that count.
inline std::vector<int> kept_rows(const assembly::System& system, const State& q) {
  std::vector<int> rows;
  for (int row = 0; row < system.rows(); ++row)
    if (std::find(q.dropped.rows.begin(), q.dropped.rows.end(), row) == q.dropped.rows.end()) rows.push_back(row);
  return rows;
}

inline std::string name_of_model(const testing::TestParamInfo<MovingModel>& info) { return info.param.name; }

}  // namespace polhode::support
