// SPDX-License-Identifier: BSD-3-Clause
// The keys of the time integration: method, steps, Newton's iteration.
#include "polhode/integrators/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"
#include "polhode/model/text.hpp"

namespace polhode {

using integrators::IntegratorSettings;
using integrators::NewtonSettings;

template <>
struct model::Choices<IntegratorSettings::Initial> {
  using Initial = IntegratorSettings::Initial;
  static constexpr std::array<std::pair<Initial, std::string_view>, 2> all{
      {{Initial::consistent, "consistent"}, {Initial::perturbed, "perturbed"}}};
};

template <>
struct model::Choices<IntegratorSettings::Parameters> {
  using Parameters = IntegratorSettings::Parameters;
  static constexpr std::array<std::pair<Parameters, std::string_view>, 4> all{
      {{Parameters::chung_hulbert, "chung_hulbert"},
       {Parameters::hht, "hht"},
       {Parameters::wbz, "wbz"},
       {Parameters::newmark, "newmark"}}};
};

template <>
struct model::Choices<IntegratorSettings::Breakpoints> {
  using Breakpoints = IntegratorSettings::Breakpoints;
  static constexpr std::array<std::pair<Breakpoints, std::string_view>, 2> all{
      {{Breakpoints::pass, "pass"}, {Breakpoints::hit, "hit"}}};
};

template <>
struct model::Choices<NewtonSettings::Predictor> {
  using Predictor = NewtonSettings::Predictor;
  static constexpr std::array<std::pair<Predictor, std::string_view>, 2> all{
      {{Predictor::zero, "zero"}, {Predictor::extrapolate, "extrapolate"}}};
};

template <>
struct model::Choices<NewtonSettings::Criterion> {
  using Criterion = NewtonSettings::Criterion;
  static constexpr std::array<std::pair<Criterion, std::string_view>, 3> all{
      {{Criterion::residual, "residual"}, {Criterion::increment, "increment"}, {Criterion::weighted, "weighted"}}};
};

template <>
struct model::Choices<NewtonSettings::Jacobian> {
  using Jacobian = NewtonSettings::Jacobian;
  static constexpr std::array<std::pair<Jacobian, std::string_view>, 2> all{
      {{Jacobian::full, "full"}, {Jacobian::kept, "kept"}}};
};

namespace integrators {
namespace {

using model::Field;
using model::Given;
using model::number_text;
using model::Problems;

constexpr Field positive(Field field) {
  field.min = 0;
  field.min_exclusive = true;
  return field;
}

constexpr model::Setting integrator_keys[] = {
    model::setting<&IntegratorSettings::parameters>({.name = "parameters",
                                                     .doc = "generalized-alpha methods only: whose parameters they "
                                                            "have for rho_infinity. chung_hulbert: least damping "
                                                            "of slow vibrations; hht: Hilber, Hughes & Taylor, "
                                                            "rho_infinity from 0.5; wbz: Wood, Bossak & Zienkiewicz; "
                                                            "newmark: the trapezoidal rule, without damping"}),
    model::setting<&IntegratorSettings::rho_infinity>(
        {.name = "rho_infinity",
         .doc = "generalized-alpha methods only: spectral radius at infinite frequency; 1: no numerical damping",
         .min = 0,
         .max = 1,
         .default_text = "0.9"}),
    model::setting<&IntegratorSettings::hht_alpha>(
        {.name = "hht_alpha",
         .doc = "instead of rho_infinity: alpha_m = 0, alpha_f = a, gamma = 1/2 + a, beta = (1 + a)^2/4",
         .min = 0,
         .max = 1.0 / 3.0}),
    model::setting<&IntegratorSettings::alpha_m>(
        {.name = "alpha_m",
         .doc = "instead of rho_infinity: the parameters of generalized-alpha methods one by one, of which alpha_m and "
                "alpha_f are 0 where they are not given; order two asks for gamma = 1/2 + alpha_f - alpha_m, stability "
                "for alpha_m <= alpha_f <= 1/2 and beta >= 1/4 + (alpha_f - alpha_m)/2",
         .min = -1,
         .max = 0.5}),
    model::setting<&IntegratorSettings::alpha_f>({.name = "alpha_f", .doc = "see alpha_m", .min = 0, .max = 0.5}),
    model::setting<&IntegratorSettings::beta>(
        positive({.name = "beta", .doc = "see alpha_m; default: (gamma + 1/2)^2/4"})),
    model::setting<&IntegratorSettings::gamma>(
        positive({.name = "gamma", .doc = "see alpha_m; default: 1/2 + alpha_f - alpha_m"})),
    model::setting<&IntegratorSettings::initial>(
        {.name = "initial",
         .doc = "consistent: velocities meet the constraints, a_0 = vdot_0; perturbed: velocities and a_0 as the "
                "method itself produces them along a smooth motion, which gives multipliers of second order from the "
                "first step on"}),
    model::setting<&IntegratorSettings::velocity_projection>(
        {.name = "velocity_projection",
         .unit = "s",
         .doc = "times at which velocities are projected to the constraints, with the least change in the norm of the "
                "mass matrix, at the end of the step that reaches the time"}),
    model::setting<&IntegratorSettings::breakpoints>(
        {.name = "breakpoints",
         .doc = "of functions of time, with fixed steps. pass: steps keep their grid, and what switches inside of a "
                "step has an error of the order of the step; hit: a step ends on each, and another one leads back to "
                "the grid"}),
};

// Keys that choose the same parameters of generalized-alpha methods.
void check_one_choice(const IntegratorSettings& settings, const Given& given, Problems& problems) {
  if (settings.rho_infinity && settings.hht_alpha)
    problems.push_back(
        {given.path_of("hht_alpha"), "excludes rho_infinity, both choose the same parameters; remove one"});
  const bool named = settings.parameters != IntegratorSettings::Parameters::chung_hulbert;
  const std::pair<std::string_view, bool> single[] = {{"alpha_m", settings.alpha_m.has_value()},
                                                      {"alpha_f", settings.alpha_f.has_value()},
                                                      {"beta", settings.beta.has_value()},
                                                      {"gamma", settings.gamma.has_value()}};
  for (const auto& [key, is_given] : single) {
    if (!is_given) continue;
    if (settings.rho_infinity || settings.hht_alpha || named)
      problems.push_back({given.path_of(key),
                          "excludes rho_infinity, hht_alpha and parameters, which choose all four "
                          "parameters; remove either"});
    return;
  }
}

void complete_integrator(IntegratorSettings& settings, const Given& given, Problems& problems) {
  std::sort(settings.velocity_projection.begin(), settings.velocity_projection.end());
  check_one_choice(settings, given, problems);
  for (const auto& [key, text] : violated_conditions(settings)) problems.push_back({given.path_of(key), text});
}

std::vector<model::Alternative> make_alternatives() {
  std::vector<model::Alternative> made;
  for (const Method* method : methods()) made.push_back({method->name, method->doc, method->own.table});
  return made;
}

// One alternative a method. Decks may be read by several threads; the list changes where a method has been added alone.
std::span<const model::Alternative> alternatives_of_methods() {
  static std::vector<model::Alternative> all = make_alternatives();
  if (all.size() != methods().size()) all = make_alternatives();
  return all;
}

void* choose_method(void* settings, std::string_view name) {
  auto& integrator = *static_cast<IntegratorSettings*>(settings);
  integrator.method = name;
  const OwnSettings& own = method_of(integrator).own;
  if (!own.table) return nullptr;
  integrator.own = own.make();
  return own.find(integrator.own);
}

std::string_view name_of_method(const void* settings) {
  return static_cast<const IntegratorSettings*>(settings)->method;
}

const void* own_settings_in(const void* settings) {
  const auto& integrator = *static_cast<const IntegratorSettings*>(settings);
  const OwnSettings& own = method_of(integrator).own;
  return own.table && integrator.own.has_value() ? own.find(const_cast<std::any&>(integrator.own)) : nullptr;
}

const model::Alternatives method_alternatives{
    .key = {.name = "method", .doc = "the method", .default_text = "lie_alpha"},
    .all = alternatives_of_methods,
    .choose = choose_method,
    .name_of = name_of_method,
    .find = own_settings_in};

constexpr model::Setting step_keys[] = {
    model::setting<&StepControlSettings::tolerance>(
        {.name = "tolerance",
         .doc = "intended error of the motion: root mean square over the unknowns, positions divided by the size of "
                "the model, rotations in rad",
         .required = true,
         .min = 0,
         .max = 0.1,
         .min_exclusive = true}),
    model::setting<&StepControlSettings::initial>(
        positive({.name = "initial",
                  .unit = "s",
                  .doc = "first step; default: duration / 10000; adams, bdf, explicit_rk estimate it"})),
    model::setting<&StepControlSettings::min>(positive(
        {.name = "min", .unit = "s", .doc = "a run that needs a smaller step ends; default: 1.0e-10 duration"})),
    model::setting<&StepControlSettings::max>(
        positive({.name = "max",
                  .unit = "s",
                  .doc = "largest step; default: duration / 200; state-space methods: duration / 5"})),
    model::setting<&StepControlSettings::safety>(
        {.name = "safety",
         .doc = "step over the largest step that the tolerance allows; larger values give more rejected steps",
         .min = 0.1,
         .max = 1,
         .max_exclusive = true,
         .default_text = "0.5; Rosenbrock methods 0.84"}),
    model::setting<&StepControlSettings::growth>(
        {.name = "growth",
         .doc = "largest ratio of one step to the one before; at most 2, since generalized-alpha methods amplify "
                "vibrations beyond; Rosenbrock methods: at most 100",
         .min = 1,
         .max = 100,
         .min_exclusive = true,
         .default_text = "2 at first, then 1.05 at most; Rosenbrock methods 10"}),
};

// The floor of a tolerance: a step may then have an error of 1e-13, and positions of sixteen digits tell no less.
constexpr double least_tolerance = 1e-8;

void complete_step(StepControlSettings& settings, const Given& given, Problems& problems) {
  const auto [tolerance, initial, min, max, safety, growth] = settings;
  const auto wrong = [&](std::string_view key, const std::string& text) {
    problems.push_back({given.path_of(key), text});
  };
  if (tolerance <= least_tolerance)
    wrong("tolerance",
          number_text(tolerance) +
              " is at round-off: a step of it could not be told from its rounding errors; give more than " +
              number_text(least_tolerance) + " (1.0e-3 to 1.0e-6 are common)");
  if (min && max && *min > *max)
    wrong("min", number_text(*min) + " s is above max, " + number_text(*max) + " s; exchange them, or leave min out");
  if (initial && max && *initial > *max)
    wrong("initial",
          number_text(*initial) + " s is above max, " + number_text(*max) + " s; give less, or leave it out");
  if (initial && min && *initial < *min)
    wrong("initial",
          number_text(*initial) + " s is below min, " + number_text(*min) + " s; give more, or leave it out");
}

constexpr model::Setting newton_keys[] = {
    model::setting<&NewtonSettings::predictor>(
        {.name = "predictor",
         .doc = "zero: accelerations and multipliers start from zero; extrapolate: from the last step"}),
    model::setting<&NewtonSettings::criterion>(
        {.name = "criterion",
         .doc = "residual: norms of residual and constraints, checked before each solve; increment: weighted "
                "root-mean-square norm of the increments of positions, relative to the size of the model, and "
                "rotations; weighted: the same of positions in m, rotations and multipliers together"}),
    model::setting<&NewtonSettings::residual_tolerance>(
        positive({.name = "residual_tolerance",
                  .unit = "N, N m",
                  .doc = "Euclidean norm over all free equations of motion; needed with criterion: residual"})),
    model::setting<&NewtonSettings::constraint_tolerance>(positive(
        {.name = "constraint_tolerance",
         .unit = "m, rad",
         .doc = "Euclidean norm over all constraints; needed with criterion: residual where there are joints"})),
    model::setting<&NewtonSettings::relative>(
        positive({.name = "relative",
                  .doc = "weight of the increments relative to the unknowns (criterion: increment or weighted)"})),
    model::setting<&NewtonSettings::absolute>(
        positive({.name = "absolute", .doc = "absolute weight of the increments (criterion: increment or weighted)"})),
    model::setting<&NewtonSettings::max_iterations>(
        {.name = "max_iterations", .doc = "number of linear solves after which a step fails", .min = 1, .max = 1000}),
    model::setting<&NewtonSettings::jacobian>(
        {.name = "jacobian",
         .doc = "full: a new iteration matrix for every solve; kept: one matrix is reused over solves and steps while "
                "increments shrink fast enough, which saves time where the motion is smooth"}),
    model::setting<&NewtonSettings::halvings>(
        {.name = "halvings",
         .doc = "a failed step is repeated as 2, 4, ... up to 2^halvings equal sub-steps; 0: never",
         .min = 0,
         .max = 20,
         .default_text = "4"}),
};

void complete_newton(NewtonSettings& settings, const Given& given, Problems& problems) {
  if (settings.criterion != NewtonSettings::Criterion::residual) return;
  if (!settings.residual_tolerance)
    problems.push_back({given.path, "'residual_tolerance' is missing: criterion 'residual' asks for it"});
  if (given.has_joints && !settings.constraint_tolerance)
    problems.push_back(
        {given.path, "'constraint_tolerance' is missing: criterion 'residual' asks for it, as the model has joints"});
}

}  // namespace

const model::SettingsTable integrator_table{"integrator", "The time integration method.", integrator_keys,
                                            &method_alternatives, model::completed_by<complete_integrator>};
const model::SettingsTable step_table{
    "step",
    "Controlled steps: as large as the tolerance allows. For state-space methods the tolerance is the error allowed in "
    "a step, absolute and relative, of positions (m, rad) and velocities (m/s, rad/s).",
    step_keys, nullptr, model::completed_by<complete_step>};
const model::SettingsTable newton_table{"newton", "The Newton iteration of a step.", newton_keys, nullptr,
                                        model::completed_by<complete_newton>};

}  // namespace integrators
}  // namespace polhode
