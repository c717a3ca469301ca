// SPDX-License-Identifier: BSD-3-Clause
// One line a method.
#include "polhode/integrators/catalog.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"
#include "polhode/integrators/generalized_alpha/settings.hpp"
#include "polhode/integrators/radau/radau.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"
#include "polhode/integrators/structure/structure_integrator.hpp"
#include "polhode/integrators/sundials/sundials_integrator.hpp"
#include "polhode/model/text.hpp"

namespace polhode::integrators {

using model::number_text;

namespace {

constexpr OwnSettings lie_alpha = own_settings<LieAlphaSettings>(lie_alpha_table);
constexpr OwnSettings structure = own_settings<StructureSettings>(structure_table);
constexpr OwnSettings rosenbrock = own_settings<RosenbrockSettings>(rosenbrock_table);

constexpr Method alpha(std::string_view name, std::string_view doc, const OwnSettings& own = {}) {
  return {.name = name,
          .doc = doc,
          .family = &generalized_alpha_family,
          .rule = controlled_alpha,
          .own = own,
          .may_subdivide = true};
}
constexpr Method structure_preserving(std::string_view name, std::string_view doc, bool may_subdivide) {
  return {.name = name,
          .doc = doc,
          .family = &structure_family,
          .own = structure,
          .may_subdivide = may_subdivide,
          .conserves = true};
}
constexpr Method linearly_implicit(std::string_view name, std::string_view doc, int order) {
  return {
      .name = name, .doc = doc, .family = &rosenbrock_family, .rule = controlled_rosenbrock(order), .own = rosenbrock};
}
constexpr Method of_sundials(std::string_view name, std::string_view doc) {
  return {.name = name, .doc = doc, .family = &sundials_family, .rule = sundials_rule};
}

// clang-format off
const Method known[] = {
    alpha("lie_alpha", "Lie group generalized-alpha, index 3", lie_alpha),
    alpha("lie_alpha_index2", "the same, stabilized index 2, which meets velocity constraints too", lie_alpha),
    alpha("ul_crv", "updated Lagrangian generalized-alpha in the conformal rotation vector"),
    alpha("ul_rotation_vector", "the same in the Cartesian rotation vector"),
    structure_preserving("variational", "discrete Euler-Lagrange equations; of `newton` it uses max_iterations", false),
    structure_preserving("energy_momentum", "keeps energy and momenta; of `newton` it uses max_iterations and halvings", true),
    {.name = "radau5", .doc = "Radau IIA of order 5 on the Lie group, for small errors", .family = &radau_family, .rule = controlled_radau, .may_subdivide = true},
    linearly_implicit("rosenbrock4", "linearly implicit in state-space form, without iteration, order 4", 4),
    linearly_implicit("rosenbrock_w2", "the same of order 2, which works with reused tangents too (newton: {jacobian: kept})", 2),
    of_sundials("adams", "SUNDIALS on the state-space form, orders 1 to 12, fixed-point iteration, with `step: {tolerance}`"),
    of_sundials("bdf", "the same, orders 1 to 5, Newton's iteration"),
    of_sundials("explicit_rk", "the same, an explicit Runge-Kutta method of order 5"),
};
// clang-format on

std::vector<const Method*>& list() {
  static std::vector<const Method*> methods = [] {
    std::vector<const Method*> made;
    for (const Method& method : known) made.push_back(&method);
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

void SettingsCheck::report(std::string_view key, const std::string& what, model::Problems& problems) const {
  problems.push_back({path + "." + std::string(key), what});
}

namespace {

// Times of projection are inside the analysis, which begins at the time of `check.begin`.
void check_projection(const SettingsCheck& check, model::Problems& problems) {
  const std::vector<double>& times = check.settings.velocity_projection;
  const double end = check.begin + check.duration;
  if (times.empty() || (times.front() > check.begin && times.back() <= end)) return;
  check.report("integrator.velocity_projection",
               number_text(times.front() <= check.begin ? times.front() : times.back()) +
                   " s is not within the analysis; give times above " + number_text(check.begin) + " s and up to " +
                   number_text(end) + " s",
               problems);
}

// Without `max`, its default bounds the other two.
void check_default_of_max(const SettingsCheck& check, double least_steps, model::Problems& problems) {
  if (!check.control || check.control->max) return;
  const double most = check.duration / least_steps;
  const auto look_at = [&](const std::string& key, const std::optional<double>& value) {
    if (value && *value > most)
      check.report("step." + key,
                   number_text(*value) + " s is above the default of max, duration / " + number_text(least_steps) +
                       " = " + number_text(most) + " s; give max as well, or a smaller " + key,
                   problems);
  };
  look_at("min", check.control->min);
  look_at("initial", check.control->initial);
}

}  // namespace

void check_method_settings(const SettingsCheck& check, model::Problems& problems) {
  const Method& method = method_of(check.settings);
  check_projection(check, problems);
  check_default_of_max(check, method.rule.least_steps, problems);
  if (check.control && check.control->growth && *check.control->growth > method.rule.largest_growth)
    check.report("step.growth",
                 "must be in (1, " + number_text(method.rule.largest_growth) + "] for `" + check.settings.method +
                     "`, is " + number_text(*check.control->growth) +
                     ": beyond, the method itself amplifies vibrations",
                 problems);
  if (method.family->check_settings) method.family->check_settings(check, problems);
}

void check_method_model(const ModelCheck& check, model::Problems& problems) {
  const Method& method = method_of(check.settings);
  // Before anything else: what the family says of such a model would mean little
  const assembly::SignalNetwork& signals = check.system.signals();
  const auto path_of = [&](int entry) { return check.system.model().entries[static_cast<std::size_t>(entry)].path(); };
  using Signals = MethodFamily::Signals;
  if (method.family->signals == Signals::none && !signals.empty()) {
    problems.push_back({check.path + ".integrator.method",
                        std::string(method.name) + " takes no signals (" + path_of(signals.signals().front().entry) +
                            "); generalized-alpha, radau5, Rosenbrock and SUNDIALS methods do"});
    return;
  }
  constexpr double same_time = 1e-9;
  const assembly::SignalNetwork::Delay delay = signals.shortest_delay();
  if (method.family->signals == Signals::steps_within_delays && check.least_step > delay.time * (1 + same_time)) {
    problems.push_back({check.path + (check.controlled ? ".step.min" : ".step"),
                        number_text(check.least_step) + " s is longer than the delay of " + path_of(delay.entry) +
                            ", " + number_text(delay.time) + " s: steps of " + std::string(method.name) +
                            " are no longer; make them so, or take lie_alpha, whose steps may be"});
    return;
  }
  if (!method.family->events && !check.system.events().empty()) {
    const auto entry = static_cast<std::size_t>(check.system.events().front().entry);
    problems.push_back({check.path + ".integrator.method", std::string(method.name) + " takes no events (" +
                                                               check.system.model().entries[entry].path() +
                                                               "); generalized-alpha, radau5, Rosenbrock and SUNDIALS "
                                                               "methods do"});
    return;
  }
  if (method.family->check_model) method.family->check_model(check, problems);
}

std::string advice_after(const IntegratorSettings& settings, const StepReport& failure) {
  const Method& method = method_of(settings);
  return method.family->advice ? method.family->advice(settings, failure) : "";
}

double allowed_loss(const IntegratorSettings& settings, const StepControlSettings* control) {
  const Method& method = method_of(settings);
  return method.family->allowed_loss ? method.family->allowed_loss(settings, control) : largest_allowed_loss;
}

double allowed_loss_by_tolerance(const IntegratorSettings&, const StepControlSettings* control) {
  return std::clamp(control ? 10 * control->tolerance : 0, 0.01, largest_allowed_loss);
}

std::unique_ptr<Integrator> make_integrator(const MakeIntegrator& what) {
  return method_of(what.settings).family->make(what);
}

}  // namespace polhode::integrators
