// SPDX-License-Identifier: BSD-3-Clause
// Two bodies and one joint between them: the second set where it should be, rows and outputs of the joint.
#pragma once
#include <stdexcept>

#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support {

// Two free bodies with frames of their own, and a joint off both nodes.
inline model::Model two_bodies(std::string_view type, const Vec3& at, ModelMaker::Values values) {
  ModelMaker m;
  m.node("a", Vec3(0, 0.1, 0)).orientation = math::so3::exp_quaternion(Vec3(0.5, -0.2, 1));
  m.node("b", Vec3(1, 0.3, -0.4)).orientation = math::so3::exp_quaternion(Vec3(-1, 0.3, 0.2));
  m.body("a", "a", 1, Vec3(0.1, 0.2, 0.2));
  m.body("b", "b", 2, Vec3(0.3, 0.2, 0.2));
  model::Entry& joint = m.joint(type, "joint", "a", "b", at);
  for (const auto& [key, v] : values) joint.values.insert_or_assign(std::string(key), v);
  return std::move(m.model);
}

// One body of unit mass and inertia J about all axes at the origin, with the joint there and the ground as a.
inline model::Model body_on_ground(std::string_view type, double J, ModelMaker::Values values) {
  ModelMaker m;
  m.node("b", Vec3::Zero());
  m.body("b", "b", 1, Vec3::Constant(J));
  model::Entry& joint = m.joint(type, "joint", "ground", "b", Vec3::Zero());
  for (const auto& [key, v] : values) joint.values.insert_or_assign(std::string(key), v);
  return std::move(m.model);
}

// Body b moved from the deck's configuration: turned about the point `about`, then shifted (both inertial).
inline State placed(const State& start, const math::so3::Quaternion& turn, const Vec3& about, const Vec3& shift) {
  State q = start;
  const std::size_t b = q.x.size() - 1;
  q.x[b] = about + turn * Vec3(start.x[b] - about) + shift;
  q.set_rotation(b, turn * start.quat[b]);
  return q;
}

inline const model::BatchBase& joint_of(const assembly::System& system) {
  for (const auto& batch : system.batches())
    if (batch->rows() > 0) return *batch;
  throw std::logic_error("no joint");
}

// The first `size` outputs of the first joint: force and moment, then what it gives besides.
inline VectorX joint_outputs(const assembly::System& system, const State& q, int size) {
  VectorX out(32);  // no joint has more
  joint_of(system).write_outputs(0, 1, q, system.context(q), out.data(), out.size());
  return out.head(size);
}

inline VectorX joint_phi(const assembly::System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, {false, false, true});
  return r.phi;
}

// The problems that the model is refused with.
inline model::Problems problems_of(const model::Model& model) {
  model::Problems problems;
  assembly::System::make(model, problems);
  return problems;
}

}  // namespace polhode::support
