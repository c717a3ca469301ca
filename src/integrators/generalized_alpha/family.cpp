// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha family in the catalog.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

namespace polhode::integrators {
namespace {

std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  return std::make_unique<GeneralizedAlpha>(what.system, what.settings, what.newton, what.control);
}

}  // namespace

const MethodFamily generalized_alpha_family{.name = "generalized-alpha", .make = make};

}  // namespace polhode::integrators
