// SPDX-License-Identifier: BSD-3-Clause
// Mass properties from momenta of rigid motions, so that each kind that has a mass counts.
#include "polhode/run/mass_properties.hpp"

#include <array>
#include <utility>

#include "polhode/math/so3.hpp"

namespace polhode::run {

using assembly::System;
using math::Mat3;
using math::Vec3;
using model::State;
using model::Totals;

namespace {

constexpr std::size_t motions = 6;  // translations along x, y, z, then rotations about them through the origin

// u = e, or u = e x x and Omega = R^T e.
void set_rigid_motion(std::size_t motion, State& q) {
  const Vec3 axis = Vec3::Unit(static_cast<int>(motion % 3));
  for (std::size_t i = 0; i < q.x.size(); ++i)
    if (motion < 3)
      q.v[i] << axis, Vec3::Zero();
    else
      q.v[i] << axis.cross(q.x[i]), q.R[i].transpose() * axis;
}

// p = m e of translations; L = J e of rotations, J about the origin, and p = m e x c.
MassProperties properties_of(const std::array<Totals, motions>& momenta, std::string path) {
  MassProperties made;
  made.path = std::move(path);
  made.mass = momenta[0].linear.x();
  if (!(made.mass > 0)) return made;
  // e_z x c = (-c_y, c_x, 0) and e_x x c = (0, -c_z, c_y).
  made.center = Vec3(momenta[5].linear.y(), 0 - momenta[5].linear.x(), 0 - momenta[3].linear.y()) / made.mass;
  Mat3 about_origin;
  for (int i = 0; i < 3; ++i) about_origin.col(i) = momenta[static_cast<std::size_t>(3 + i)].angular;
  const Mat3 c = math::tilde(made.center);
  made.inertia = about_origin + made.mass * c * c;
  return made;
}

}  // namespace

// Element by element, since a batch holds those of several entries.
std::vector<MassProperties> mass_properties_of(const System& system, State q) {
  const std::size_t entries = system.model().entries.size();
  std::array<Totals, motions> whole{};
  std::vector<std::array<Totals, motions>> parts(entries);
  for (std::size_t motion = 0; motion < motions; ++motion) {
    set_rigid_motion(motion, q);
    const model::Context context = system.context(q);
    for (const auto& batch : system.batches())
      for (std::size_t e = 0; e < batch->size(); ++e) {
        const Totals totals = batch->observe(e, 1, q, context, nullptr, 0);
        whole[motion] += totals;
        parts[static_cast<std::size_t>(batch->entry_of(e))][motion] += totals;
      }
  }
  std::vector<MassProperties> all{properties_of(whole, "")};
  for (std::size_t i = 0; i < entries; ++i) {
    MassProperties part = properties_of(parts[i], system.model().entries[i].path());
    if (part.mass > 0) all.push_back(std::move(part));
  }
  return all;
}

}  // namespace polhode::run
