// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha family in the catalog.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

namespace polhode::integrators {
namespace {

void check_model(const ModelCheck&, model::Problems&) {}

std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  return std::make_unique<GeneralizedAlpha>(what.system, what.settings, what.newton, what.control);
}

std::string advice(const IntegratorSettings&, const StepReport&) { return ""; }

}  // namespace

const MethodFamily generalized_alpha_family{"generalized-alpha", check_model, make, advice};

}  // namespace polhode::integrators
