// SPDX-License-Identifier: BSD-3-Clause
// Runs of small models with fixed steps.
#pragma once
#include <array>
#include <stdexcept>
#include <string_view>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/integrators/generalized_alpha/settings.hpp"
#include "support/models.hpp"
#include "support/stepper.hpp"

namespace polhode::support {

// "_spatial": with `frame: spatial`.
inline const std::array<std::string, 6> methods{"lie_alpha",          "lie_alpha_index2",  "ul_crv",
                                                "ul_rotation_vector", "lie_alpha_spatial", "lie_alpha_index2_spatial"};

inline integrators::IntegratorSettings method(std::string name, double rho_infinity = 0.9) {
  integrators::IntegratorSettings settings;
  constexpr std::string_view spatial = "_spatial";
  if (name.ends_with(spatial)) {
    name.resize(name.size() - spatial.size());
    settings.own = integrators::LieAlphaSettings{.frame = integrators::Frame::spatial};
  }
  settings.method = std::move(name);
  settings.rho_infinity = rho_infinity;
  return settings;
}

// Iterates each step down to round-off.
inline integrators::NewtonSettings to_round_off() {
  integrators::NewtonSettings settings;
  settings.criterion = integrators::NewtonSettings::Criterion::residual;
  settings.residual_tolerance = settings.constraint_tolerance = 1e-100;
  return settings;
}

// The method's own start: from consistent accelerations, or perturbed as the settings say.
inline void start(const assembly::System& system, const integrators::IntegratorSettings& integrator, double h,
                  Stepper& stepper, State& q) {
  (void)integrator;
  std::vector<Vec6> vddot;
  model::Problems problems;
  if (stepper.method().wants_rates() && !analyses::set_acceleration_rates(system, q, 1e-3 * h, vddot, problems))
    throw std::runtime_error("no rates of the accelerations");
  if (!stepper.start(q, h, vddot)) throw std::runtime_error("no start");
}

// From consistent accelerations over `steps` steps of size h; `look(q, stepper)` after each.
template <class Look>
State run(const assembly::System& system, State q, const integrators::IntegratorSettings& integrator,
          const integrators::NewtonSettings& newton, double h, int steps, const Look& look) {
  Stepper stepper(system, integrator, newton);
  start(system, integrator, h, stepper, q);
  const double t0 = q.t;
  for (int n = 1; n <= steps; ++n) {
    if (!stepper.advance(q, h, t0 + n * h)) throw std::runtime_error("step " + std::to_string(n) + " failed");
    look(q, stepper);
  }
  return q;
}
inline State run(const assembly::System& system, State q, const integrators::IntegratorSettings& integrator,
                 const integrators::NewtonSettings& newton, double h, int steps) {
  return run(system, std::move(q), integrator, newton, h, steps, [](const State&, const Stepper&) {});
}

}  // namespace polhode::support
