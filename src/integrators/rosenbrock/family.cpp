// SPDX-License-Identifier: BSD-3-Clause
// The Rosenbrock family in the catalog: what its methods ask of a model.
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"

namespace polhode::integrators {

void check_state_space_settings(const SettingsCheck& check, model::Problems& problems) {
  if (check.settings.initial == IntegratorSettings::Initial::perturbed)
    check.report("integrator.initial", "'perturbed' is of the generalized-alpha methods; leave it out", problems);
  if (!check.settings.velocity_projection.empty())
    check.report("integrator.velocity_projection",
                 "`" + check.settings.method + "` meets the velocity constraints at every step; leave it out",
                 problems);
}

namespace {

void check_settings(const SettingsCheck& check, model::Problems& problems) {
  check_state_space_settings(check, problems);
  if (check.newton.jacobian == NewtonSettings::Jacobian::kept && check.settings.method == "rosenbrock4")
    check.report("newton.jacobian",
                 "`rosenbrock4` has order 1 with kept tangents; leave it out, or take `rosenbrock_w2`", problems);
}

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

}  // namespace

const MethodFamily rosenbrock_family{.name = "Rosenbrock",
                                     .make = make,
                                     .check_settings = check_settings,
                                     .check_model = check_model,
                                     .allowed_loss = allowed_loss_by_tolerance,
                                     .signals = MethodFamily::Signals::steps_within_delays,
                                     .events = true};

}  // namespace polhode::integrators
