// SPDX-License-Identifier: BSD-3-Clause
// A shallow two-bar truss, whose path of equilibria has a closed form.
#pragma once
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/bench.hpp"
#include "support/models.hpp"
#include "support/statics.hpp"

namespace polhode::support {

// Two springs from (-1, 0) and (1, 0) to an apex that a load presses down the line x = 0, all turned about z.
struct Truss {
  double height;
  double load;  // at load factor 1, in units of the stiffness
  double turn = 0;
  double extent = 0;  // m: a soft spring leads so far away, across the path
  static constexpr double stiffness = 1e5;
  double free_length() const { return std::hypot(1, height); }
  // Downward force in equilibrium at y, by the stiffness.
  double force_at(double y) const { return 2 * (free_length() / std::hypot(1, y) - 1) * y; }
  double limit() const { return force_at(std::sqrt(std::pow(free_length(), 2.0 / 3) - 1)) / load; }
  Vec3 up() const { return Vec3(-std::sin(turn), std::cos(turn), 0); }

  model::Model model() const {
    ModelMaker m;
    const Vec3 side(std::cos(turn), std::sin(turn), 0);
    model::NodeEntry& apex = m.node("apex", height * up());
    apex.translation_only = true;
    apex.fixed[2] = true;
    m.add(Family::body, "point_mass", "apex", {{"node", value("apex")}, {"mass", 1.0}});
    for (const int sign : {-1, 1}) {
      MatrixX at(3, 2);
      at << sign * side, height * up();
      m.add(Family::force, "spring_damper", sign < 0 ? "left" : "right",
            {{"connects", std::vector<std::string>{"ground", "apex"}}, {"at", at}, {"stiffness", stiffness}});
    }
    if (extent > 0) {
      m.node("far", extent * Vec3::UnitZ()).fixed.fill(true);
      m.add(Family::force, "spring_damper", "soft",
            {{"connects", std::vector<std::string>{"far", "apex"}}, {"stiffness", 1e-13 * stiffness}});
    }
    m.add(Family::force, "load", "push", {{"node", value("apex")}, {"force", value(Vec3(-load * stiffness * up()))}});
    return std::move(m.model);
  }
};

struct Followed {
  explicit Followed(const Truss& truss, const analyses::StaticSettings& settings) : machine(truss.model()) {
    path = path_of(machine.system, settings, 1, result, q);
  }
  Machine machine;
  analyses::StaticResult result;
  State q;
  PathKeeper path;
};

}  // namespace polhode::support
