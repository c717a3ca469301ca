// SPDX-License-Identifier: BSD-3-Clause
// A beam that flies freely.
#pragma once
#include "support/models.hpp"

namespace polhode::support {

// A beam of 3 m with a coupled section whose center of mass is off its axis, thrown, turning and bending.
// `directors`: its form (Model::directors); `damping`: s.
inline model::Model thrown_beam(int elements, int order, bool directors, double damping = 0) {
  ModelMaker m;
  model::NodeEntry& a = m.node("a", Vec3(0, 0, 0));
  a.velocity = Vec3(0, 0, 1);
  a.angular_velocity = Vec3(0.3, 1, 2);
  model::NodeEntry& b = m.node("b", Vec3(3, 0, 0));
  b.velocity = Vec3(0.5, 2, -3);
  b.angular_velocity = Vec3(-1, 2, 1);
  Vec6 stiffness;
  stiffness << 1e4, 5e3, 5e3, 500, 500, 600;
  model::SectionEntry& section = m.section("s", stiffness, 1, Vec3(0.2, 0.1, 0.1));
  section.stiffness(3, 4) = section.stiffness(4, 3) = 150;
  section.stiffness(0, 5) = section.stiffness(5, 0) = 800;
  const Vec3 c(0, 0.05, -0.1);
  section.mass.bottomLeftCorner<3, 3>() = math::tilde(c);
  section.mass.topRightCorner<3, 3>() = math::tilde(c).transpose();
  section.mass.bottomRightCorner<3, 3>() -= math::tilde(c) * math::tilde(c);
  section.damping << 0, damping, damping, damping, 0.5 * damping, damping;
  m.add(Family::beam, "beam", "rod",
        {{"section", value("s")},
         {"from", value("a")},
         {"to", value("b")},
         {"elements", double(elements)},
         {"order", double(order)}});
  m.model.directors = directors;
  return std::move(m.model);
}

}  // namespace polhode::support
