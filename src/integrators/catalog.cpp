// SPDX-License-Identifier: BSD-3-Clause
// One line a method.
#include "polhode/integrators/catalog.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"
#include "polhode/integrators/structure/structure_integrator.hpp"
#include "polhode/integrators/sundials/sundials_integrator.hpp"

namespace polhode::integrators {
namespace {

constexpr bool subdivides = true;
constexpr bool conserves = true;

const Method all[] = {
    {"lie_alpha", &generalized_alpha_family, controlled_alpha, subdivides},
    {"lie_alpha_index2", &generalized_alpha_family, controlled_alpha, subdivides},
    {"ul_crv", &generalized_alpha_family, controlled_alpha, subdivides},
    {"ul_rotation_vector", &generalized_alpha_family, controlled_alpha, subdivides},
    {"variational", &structure_family, {}, !subdivides, conserves},
    {"energy_momentum", &structure_family, {}, subdivides, conserves},
    {"rosenbrock4", &rosenbrock_family, controlled_rosenbrock(4)},
    {"rosenbrock_w2", &rosenbrock_family, controlled_rosenbrock(2)},
    {"adams", &sundials_family, sundials_rule},
    {"bdf", &sundials_family, sundials_rule},
    {"explicit_rk", &sundials_family, sundials_rule},
};

std::vector<const Method*>& list() {
  static std::vector<const Method*> methods = [] {
    std::vector<const Method*> made;
    for (const Method& method : all) made.push_back(&method);
    return made;
  }();
  return methods;
}

}  // namespace

std::span<const Method* const> methods() { return list(); }

void add_method(const Method& method) {
  const Method* same = find_method(method.name);
  if (same == &method) return;
  if (same) throw std::invalid_argument("there is an integrator of this name: " + std::string(method.name));
  list().push_back(&method);
}

const Method* find_method(std::string_view name) {
  const auto at = std::find_if(list().begin(), list().end(), [&](const Method* one) { return one->name == name; });
  return at == list().end() ? nullptr : *at;
}

const Method& method_of(const IntegratorSettings& settings) {
  if (const Method* method = find_method(settings.method)) return *method;
  throw std::invalid_argument("no integrator of this name: " + settings.method);
}

std::unique_ptr<Integrator> make_integrator(const MakeIntegrator& what) {
  return method_of(what.settings).family->make(what);
}

}  // namespace polhode::integrators
