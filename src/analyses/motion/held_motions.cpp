// SPDX-License-Identifier: BSD-3-Clause
// Free motions that an equilibrium leaves where they are, by the joints that they move.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "polhode/analyses/motion/free_motion.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::analyses {

using assembly::System;
using math::Vec3;
using math::Vec6;
using model::State;

namespace {

constexpr double round_off = 1e-6;  // of the largest displacement

// How a joint moves: its second node against the first, at its point, inertial.
struct JointMotion {
  const model::JointTopology* joint;
  bool turns;
  bool slides;
};

// Of a point at R o in its node's frame: u + R (Omega x o).
std::vector<JointMotion> moving_joints(const System& system, const State& q, const std::vector<Vec6>& motion) {
  double largest = 0;
  for (const Vec6& m : motion) largest = std::max({largest, m.head<3>().norm(), system.length() * m.tail<3>().norm()});
  std::vector<JointMotion> moving;
  for (const model::JointTopology& joint : system.joints()) {
    std::array<Vec3, 2> velocity;
    std::array<Vec3, 2> turn;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto node = static_cast<std::size_t>(joint.nodes[i]);
      const Vec3 Omega = motion[node].tail<3>();
      velocity[i] = motion[node].head<3>() + q.R[node] * Omega.cross(joint.offsets[i]);
      turn[i] = q.R[node] * Omega;
    }
    const bool turns = (turn[1] - turn[0]).norm() * system.length() > round_off * largest;
    const bool slides = (velocity[1] - velocity[0]).norm() > round_off * largest;
    if (turns || slides) moving.push_back({&joint, turns, slides});
  }
  return moving;
}

// The coordinate of a joint that has one alone, by what its kind writes.
std::optional<double> coordinate_of(const System& system, const State& q, int entry) {
  for (const auto& batch : system.batches())
    for (std::size_t i = 0; i < batch->size(); ++i) {
      if (batch->entry_of(i) != entry) continue;
      const model::KindInfo* kind = model::find_kind(model::Family::joint, batch->kind());
      if (!kind) continue;
      std::size_t numbers = 0;
      std::optional<std::size_t> at;
      for (const model::Output& output : kind->outputs) {
        if (output.name == "coordinates" && output.size == 1) at = numbers;
        numbers += static_cast<std::size_t>(output.size);
      }
      if (!at) return std::nullopt;
      std::vector<double> values(numbers);
      batch->write_outputs(i, 1, q, system.context(q), values.data(), numbers);
      return values[*at];
    }
  return std::nullopt;
}

}  // namespace

// One line where nothing holds the model as a whole; else sorted, so that equal models give equal texts.
// A motion of several joints has no coordinate of its own, and is described by its nodes.
std::vector<std::string> describe_held_motions(const System& system, const State& q,
                                               const std::vector<FreeMotion>& motions) {
  std::vector<std::string> texts;
  std::vector<model::VectorX> shapes;
  for (const FreeMotion& free : motions) {
    shapes.push_back(free.shape);
    model::VectorX all = model::VectorX::Zero(system.size());
    all.head(free.shape.size()) = free.shape;
    std::vector<Vec6> motion(system.nodes(), Vec6::Zero());
    system.scatter(all, motion);
    const std::vector<JointMotion> moving = moving_joints(system, q, motion);
    if (moving.size() != 1) {
      texts.push_back("free to move, held: " + free.text);
      continue;
    }
    const JointMotion& only = moving.front();
    const std::string path = system.model().entries[static_cast<std::size_t>(only.joint->entry)].path();
    const std::string how = only.turns && only.slides ? "turn and slide" : only.turns ? "turn" : "slide";
    const std::optional<double> value = coordinate_of(system, q, only.joint->entry);
    const double round = value && std::abs(*value) < 1e-12 ? 0 : value.value_or(0);
    texts.push_back(value ? fmt::format("{} is free to {}: held at {:.6g}", path, how, round)
                          : fmt::format("{} is free to {}: held ({})", path, how, free.text));
  }
  if (const std::string text = describe_rigid_motions(system, q, shapes); !text.empty())
    return {text + "; it stays where it is"};
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace polhode::analyses
