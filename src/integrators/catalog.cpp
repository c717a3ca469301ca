// SPDX-License-Identifier: BSD-3-Clause
// One line a method.
#include "polhode/integrators/catalog.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"
#include "polhode/integrators/structure/structure_integrator.hpp"
#include "polhode/integrators/sundials/sundials_integrator.hpp"

namespace polhode::integrators {
namespace {

const std::array all{
    Method{"lie_alpha", &generalized_alpha_family, controlled_alpha, true},
    Method{"lie_alpha_index2", &generalized_alpha_family, controlled_alpha, true},
    Method{"ul_crv", &generalized_alpha_family, controlled_alpha, true},
    Method{"ul_rotation_vector", &generalized_alpha_family, controlled_alpha, true},
    Method{"variational", &structure_family, {}, false, true},
    Method{"energy_momentum", &structure_family, {}, true, true},
    Method{"rosenbrock4", &rosenbrock_family, controlled_rosenbrock(4)},
    Method{"rosenbrock_w2", &rosenbrock_family, controlled_rosenbrock(2)},
    Method{"adams", &sundials_family, sundials_rule},
    Method{"bdf", &sundials_family, sundials_rule},
    Method{"explicit_rk", &sundials_family, sundials_rule},
};

}  // namespace

std::span<const Method> methods() { return all; }

const Method* find_method(std::string_view name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Method& method) { return method.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const Method& method_of(const IntegratorSettings& settings) {
  if (const Method* method = find_method(settings.method)) return *method;
  throw std::invalid_argument("no integrator of this name: " + settings.method);
}

std::unique_ptr<Integrator> make_integrator(const MakeIntegrator& what) {
  return method_of(what.settings).family->make(what);
}

}  // namespace polhode::integrators
