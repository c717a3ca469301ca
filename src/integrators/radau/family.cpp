// SPDX-License-Identifier: BSD-3-Clause
// radau5 in the catalog: what it asks of settings and of a model.
#include "polhode/integrators/radau/radau.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"

namespace polhode::integrators {
namespace {

void check_radau_settings(const SettingsCheck& check, model::Problems& problems) {
  check_state_space_settings(check, problems);
  if (check.newton.criterion == NewtonSettings::Criterion::weighted)
    check.report("newton.criterion", "`radau5` has no norm of multipliers; write `increment`, or leave it out",
                 problems);
}

// Stages are charts of whole rotations.
void check_radau_model(const ModelCheck& check, model::Problems& problems) {
  for (std::size_t i = 1; i < check.system.nodes(); ++i) {
    const auto& removed = check.system.node(i).removed;
    if (removed[3] + removed[4] + removed[5] == 1)
      problems.push_back({check.system.node(i).label(),
                          "a single fixed rotation is no holonomic constraint, which radau5 needs; fix two or three, "
                          "use a joint, or take lie_alpha"});
  }
}

std::unique_ptr<Integrator> make_radau(const MakeIntegrator& what) {
  return std::make_unique<Radau>(what.system, what.newton, what.control);
}

}  // namespace

const MethodFamily radau_family{.name = "Radau",
                                .make = make_radau,
                                .check_settings = check_radau_settings,
                                .check_model = check_radau_model,
                                .signals = MethodFamily::Signals::steps_within_delays,
                                .events = true};

}  // namespace polhode::integrators
