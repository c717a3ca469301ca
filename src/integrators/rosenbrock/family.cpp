// SPDX-License-Identifier: BSD-3-Clause
// The Rosenbrock family in the catalog: what its methods ask of a model.
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"

namespace polhode::integrators {
namespace {

// Nodes whose rotation about exactly one axis is removed: no chart of the group has such coordinates.
void check_model(const ModelCheck& check, model::Problems& problems) {
  for (std::size_t i = 1; i < check.system.nodes(); ++i) {
    const auto& removed = check.system.node(i).removed;
    if (removed[3] + removed[4] + removed[5] == 1)
      problems.push_back({check.system.node(i).label(),
                          "a single fixed rotation is no holonomic constraint, which state-space methods need; fix two "
                          "or three, use a joint, or take lie_alpha"});
  }
}

std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  const bool reuse_tangents = what.newton.jacobian == NewtonSettings::Jacobian::kept;
  return std::make_unique<RosenbrockIntegrator>(what.system, what.settings, reuse_tangents, what.control);
}

std::string advice(const IntegratorSettings&, const StepReport&) { return ""; }

}  // namespace

const MethodFamily rosenbrock_family{"Rosenbrock", check_model, make, advice};

}  // namespace polhode::integrators
