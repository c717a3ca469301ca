// SPDX-License-Identifier: BSD-3-Clause
// Bodies and joints, made one by one.
#include "support/mechanisms.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace polhode::support {
namespace {

std::string body_name(int i) { return i < 0 ? "ground" : "body" + std::to_string(i); }

void add_body(ModelMaker& m, int i, const Vec3& position) {
  m.node(body_name(i), position);
  m.body(body_name(i), body_name(i), 1 + 0.1 * (i % 3), Vec3(0.2, 0.3, 0.25));
}

// With what the kind of joint needs beside its point.
void join(ModelMaker& m, std::string_view type, int a, int b, const Vec3& at, const Vec3& axis) {
  const std::string name = "joint" + std::to_string(m.model.entries.size());
  model::Entry& joint = m.joint(type, name, body_name(a), body_name(b), at);
  if (type == "revolute") joint.values.emplace("axis", value(axis));
}

}  // namespace

model::Model row_of_bodies(int count, std::string_view type) {
  ModelMaker m;
  for (int i = 0; i < count; ++i) add_body(m, i, Vec3(i + 0.5, 0, 0));
  for (int i = 0; i < count; ++i) join(m, type, i - 1, i, Vec3(i, 0, 0), i % 2 == 0 ? Vec3::UnitY() : Vec3::UnitZ());
  return std::move(m.model);
}

model::Model binary_tree_of_bodies(int count, std::string_view type) {
  ModelMaker m;
  std::vector<Vec3> at;
  for (int i = 0; i < count; ++i) {
    const Vec3 from = i == 0 ? Vec3(0, 0, 0) : at[static_cast<std::size_t>((i - 1) / 2)];
    at.push_back(from + Vec3(1, i % 2 == 0 ? 0.4 : -0.4, 0.1));
    add_body(m, i, at.back());
    join(m, type, i == 0 ? -1 : (i - 1) / 2, i, (from + at.back()) / 2, i % 2 == 0 ? Vec3::UnitY() : Vec3::UnitZ());
  }
  return std::move(m.model);
}

model::Model ring_of_bodies(int count) {
  ModelMaker m;
  const auto point = [&](double i) {
    const double angle = 2 * std::numbers::pi * i / count;
    return Vec3(count / 6.0 * std::cos(angle), count / 6.0 * std::sin(angle), 0.3 * std::sin(5 * angle));
  };
  for (int i = 0; i < count; ++i) add_body(m, i, point(i + 0.5));
  for (int i = 0; i < count; ++i) join(m, "spherical", (i + count - 1) % count, i, point(i), Vec3::UnitZ());
  return std::move(m.model);
}

model::Model ladder_of_bodies(int count) {
  ModelMaker m;
  for (int i = 0; i < count; ++i) {
    const int left = 3 * i;
    for (int side = 0; side < 2; ++side) {
      add_body(m, left + side, Vec3(side, 0, i + 0.5));
      join(m, "spherical", i == 0 ? -1 : left + side - 3, left + side, Vec3(side, 0, i), Vec3::UnitZ());
    }
    add_body(m, left + 2, Vec3(0.5, 0, i + 1));
    join(m, "spherical", left, left + 2, Vec3(0, 0, i + 0.9), Vec3::UnitZ());
    join(m, "spherical", left + 1, left + 2, Vec3(1, 0, i + 0.9), Vec3::UnitZ());
  }
  return std::move(m.model);
}

model::Model random_tree_of_bodies(const RandomTree& tree) {
  ModelMaker m;
  std::mt19937 random(tree.seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] {
    const double x = number(random);
    const double y = number(random);
    return Vec3(x, y, number(random));
  };
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<int> parent;
  std::vector<Vec3> at;
  for (int i = 0; i < tree.bodies; ++i) {
    parent.push_back(i == 0 ? -1 : below(4) == 0 ? below(i) : i - 1);
    const Vec3 from = i == 0 ? Vec3(0, 0, 0) : at[static_cast<std::size_t>(parent.back())];
    at.push_back(from + vector().normalized());
    add_body(m, i, at.back());
    const Vec3 point = (from + at.back()) / 2 + 0.1 * vector();
    const Vec3 axis = vector().normalized();
    if (i > 0 || tree.is_held) join(m, below(3) == 0 ? "revolute" : "spherical", parent.back(), i, point, axis);
  }
  // Number of joints between two bodies.
  const auto distance = [&](int a, int b) {
    int steps = 0;
    for (; a != b; ++steps) (a > b ? a : b) = parent[static_cast<std::size_t>(a > b ? a : b)];
    return steps;
  };
  for (int i = 0; i < tree.loops; ++i) {
    const int a = below(tree.bodies);
    const int b = below(tree.bodies);
    if (distance(a, b) < 5) continue;
    const Vec3 middle = (at[static_cast<std::size_t>(a)] + at[static_cast<std::size_t>(b)]) / 2;
    join(m, "spherical", a, b, middle + 0.3 * vector(), Vec3::UnitZ());
  }
  for (int i = 0; i < tree.massless; ++i) {
    const int body = below(tree.bodies);
    const std::string name = "bare" + std::to_string(i);
    m.node(name, at[static_cast<std::size_t>(body)] + 0.2 * vector());
    m.joint("fixed", name, body_name(body), name, at[static_cast<std::size_t>(body)]);
  }
  return std::move(m.model);
}

}  // namespace polhode::support
