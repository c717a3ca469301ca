// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha family in the catalog.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

namespace polhode::integrators {
namespace {

std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  return std::make_unique<GeneralizedAlpha>(what.system, what.settings, what.newton, what.control);
}

// At rho_infinity = 1 the method damps nothing, and what is lost is an error. Below, fast vibrations are damped, as is
// meant; of a motion that the steps resolve little is lost.
double allowed_loss_of_alpha(const IntegratorSettings& settings, const StepControlSettings*) {
  constexpr double undamped = 0.01;
  return AlphaParameters::of(settings).damps_nothing() ? undamped : largest_allowed_loss;
}

}  // namespace

const MethodFamily generalized_alpha_family{.name = "generalized-alpha",
                                            .make = make,
                                            .allowed_loss = allowed_loss_of_alpha,
                                            .signals = MethodFamily::Signals::all,
                                            .events = true};

}  // namespace polhode::integrators
