// SPDX-License-Identifier: BSD-3-Clause
// Mass, center of mass and inertia of the whole model.
#include "docs/examples/mass/mass.hpp"

#include <fmt/format.h>

namespace polhode::analyses {
namespace {

using model::Mat3;
using model::Setting;
using model::State;
using model::Vec3;

constexpr Setting keys[] = {
    model::setting<&MassSettings::group>({.name = "group", .doc = "where the numbers stand in the results"}),
};
constexpr model::SettingsTable table{"mass", "Mass, center of mass and inertia of the model where it stands.", keys};

struct Resultant {
  Vec3 force = Vec3::Zero();   // N
  Vec3 moment = Vec3::Zero();  // N m, about `about`
};

Resultant resultant_of(const assembly::System& system, const State& q, const Vec3& about) {
  assembly::Residual r = system.make_residual();
  system.set_inertia_forces(q, r);
  Resultant sum;
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const Vec3 force = r.force[i].head<3>();
    sum.force += force;
    sum.moment += (q.x[i] - about).cross(force) + q.R[i] * r.force[i].tail<3>();
  }
  return sum;
}

State at_rest(State q) {
  for (model::Vec6& v : q.v) v.setZero();
  for (model::Vec6& vdot : q.vdot) vdot.setZero();
  return q;
}

MassResult mass_of(const assembly::System& system, const State& q) {
  MassResult result;
  State moved = at_rest(q);
  for (int k = 0; k < 3; ++k) {
    const Vec3 unit = Vec3::Unit(k);
    for (model::Vec6& vdot : moved.vdot) vdot.head<3>() = unit;
    const Resultant sum = resultant_of(system, moved, Vec3::Zero());
    result.mass = sum.force[k];
    result.center += 0.5 * unit.cross(sum.moment) / result.mass;  // e x (c x e) summed over the axes is 2 c
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 unit = Vec3::Unit(k);
    for (std::size_t i = 1; i < system.nodes(); ++i) {
      moved.vdot[i].head<3>() = unit.cross(q.x[i] - result.center);
      moved.vdot[i].tail<3>() = q.R[i].transpose() * unit;
    }
    result.inertia.col(k) = resultant_of(system, moved, result.center).moment;
  }
  return result;
}

class MassAnalysis final : public AnalysisTypeOf<MassSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const MassSettings& settings, AnalysisContext& context) const override;
  std::string describe(const MassSettings&) const override { return "of the whole model"; }
};

AnalysisResult MassAnalysis::run(const MassSettings& settings, AnalysisContext& context) const {
  const MassResult mass = mass_of(context.system, context.q);
  context.observer.observe(context.q, context.external_work);
  context.observer.store({{.path = settings.group + "/mass",
                           .description = "mass of the model",
                           .names = {},
                           .indices = {},
                           .numbers = {mass.mass},
                           .shape = {1},
                           .units = "kg"}});
  AnalysisResult result;
  result.summary.push_back(fmt::format("mass: {:.6g} kg, center at [{:.6g}, {:.6g}, {:.6g}] m", mass.mass,
                                       mass.center.x(), mass.center.y(), mass.center.z()));
  result.data = mass;
  return result;
}

}  // namespace

const AnalysisTypeOf<MassSettings>& mass_analysis() {
  static const MassAnalysis type(table);
  return type;
}

}  // namespace polhode::analyses
