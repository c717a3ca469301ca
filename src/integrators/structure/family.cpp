// SPDX-License-Identifier: BSD-3-Clause
// The structure-preserving family in the catalog: what its methods ask of a model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/integrators/structure/structure_integrator.hpp"
#include "polhode/model/text.hpp"

namespace polhode::integrators {

using model::number_text;

namespace {

// Keys that only one of the two methods has, and what both cannot do.
void check_keys(const SettingsCheck& check, const StructureSettings& own, model::Problems& problems) {
  using Start = StructureSettings::Start;
  const bool variational = check.settings.method == "variational";
  const auto of_variational = [&](const std::string& key, bool given) {
    if (given && !variational)
      check.report("integrator." + key,
                   "belongs to method `variational`, not to `" + check.settings.method + "`; leave it out", problems);
  };
  of_variational("start_step", own.start_step.has_value());
  of_variational("increments", own.increments.has_value());
  of_variational("potential", own.potential.has_value());
  if (check.settings.initial == IntegratorSettings::Initial::perturbed)
    check.report("integrator.initial", "'perturbed' is of the generalized-alpha methods; leave it out", problems);
  if (!check.settings.velocity_projection.empty())
    check.report("integrator.velocity_projection",
                 "would take from `" + check.settings.method + "` what it keeps; leave it out", problems);
  if (variational && own.start == Start::corrected)
    check.report("integrator.start", "'corrected' is of `energy_momentum`; give given, euler or energy_momentum",
                 problems);
  if (!variational && (own.start == Start::euler || own.start == Start::energy_momentum))
    check.report("integrator.start",
                 std::string(own.start == Start::euler ? "'euler'" : "'energy_momentum'") +
                     " is of `variational`; give given or corrected",
                 problems);
}

// The methods conserve what they do for one step size.
void check_settings(const SettingsCheck& check, model::Problems& problems) {
  const auto own = check.settings.own_or_default<StructureSettings>();
  const std::string method = "`" + check.settings.method + "`";
  check_keys(check, own, problems);
  if (check.control)
    return check.report(
        "step",
        "steps that change are not for " + method + "; give a number, or take a method of the generalized-alpha family",
        problems);
  if (own.start_step && *own.start_step > check.step)
    check.report("integrator.start_step",
                 number_text(*own.start_step) + " s is above `step`; give a hundredth of it or less", problems);
  if (check.settings.method != "variational") return;
  if (check.settings.breakpoints == IntegratorSettings::Breakpoints::hit)
    check.report("integrator.breakpoints",
                 "steps that are cut at breakpoints are not for " + method +
                     ", which keeps its structure with equal steps alone; put breakpoints on multiples of `step`",
                 problems);
  const double ratio = check.duration / check.step;
  if (std::round(ratio) < 1 || std::abs(ratio - std::round(ratio)) >= 1e-6)
    check.report("step",
                 method + " keeps one step size, and the duration is no whole number of steps; give " +
                     number_text(check.duration / std::ceil(ratio)) + " s, or another duration",
                 problems);
  if (check.newton.halvings.value_or(0) > 0)
    check.report("newton.halvings", method + " keeps one step size, and subdivides no step; leave it out, or give 0",
                 problems);
}

constexpr std::string_view other_methods = "lie_alpha, lie_alpha_index2, ul_crv or ul_rotation_vector";

// What the method has no discrete form of, once an entry of the deck.
void check_discrete_forms(const ModelCheck& check, bool variational, model::Problems& problems) {
  int reported = -1;
  for (const auto& batch : check.system.batches()) {
    const bool body = batch->has_inertia() && batch->nodes() == 1;
    if (body || batch->has_discrete_form() || (variational && !batch->has_inertia())) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const int entry = batch->entry_of(e);
      if (entry == reported) continue;
      reported = entry;
      problems.push_back({check.system.model().entries[static_cast<std::size_t>(entry)].path(),
                          fmt::format("`{}` has no discrete form of it ({}); take {}{}", check.settings.method,
                                      batch->kind(), batch->has_inertia() ? "" : "variational, ", other_methods)});
    }
  }
}

// Equations are solved for the increments of each node by its own inertia: without one they have no solution. The first
// such node is reported.
void check_inertia(const ModelCheck& check, model::Problems& problems) {
  const std::vector<NodeBody> bodies = bodies_of_nodes(check.system);
  for (std::size_t i = 1; i < check.system.nodes(); ++i) {
    const model::NodeUnknowns& u = check.system.unknowns()[i];
    const bool moves = u.local[0] >= 0 || u.local[1] >= 0 || u.local[2] >= 0;
    const bool turns = u.local[3] >= 0;
    const bool massless = moves && bodies[i].mass == 0;
    const bool point = turns && bodies[i].J.isZero(0);
    if (!massless && !point) continue;
    const auto carries = [&](const model::BeamTopology& beam) {
      return std::count(beam.nodes.begin(), beam.nodes.end(), static_cast<int>(i)) > 0;
    };
    const auto& beams = check.system.beams();
    const bool of_a_beam = std::any_of(beams.begin(), beams.end(), carries);
    problems.push_back(
        {check.system.node(i).label(),
         fmt::format("has no {} of its own, which `{}` asks of each node that moves; {}, or take {}",
                     massless ? "mass" : "moment of inertia", check.settings.method,
                     of_a_beam ? "give one to the section of its beam" : "attach a rigid body", other_methods)});
    return;
  }
}

// Steps in which a body turns further than a quaternion increment can.
void check_turning(const ModelCheck& check, model::Problems& problems) {
  const std::vector<model::Vec6>& v = check.q.v;
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < check.system.nodes(); ++i)
    if (v[i].tail<3>().norm() > v[fastest].tail<3>().norm()) fastest = i;
  const double rate = v[fastest].tail<3>().norm();
  if (check.h * rate < 1) return;
  problems.push_back({check.path + ".step",
                      fmt::format("h |Omega| = {:.4g} of {} is not below 1, and `variational` cannot turn a body "
                                  "further in a step; give less than {:.4g} s, or `integrator: {{increments: cayley}}`",
                                  check.h * rate, check.system.node(fastest).label(), 1 / rate)});
}

// Each check where the ones before have found nothing.
void check_model(const ModelCheck& check, model::Problems& problems) {
  if (check.controlled) return;
  const bool variational = check.settings.method == "variational";
  const std::size_t before = problems.size();
  check_discrete_forms(check, variational, problems);
  if (problems.size() == before) check_inertia(check, problems);
  const bool quaternions =
      check.settings.own_or_default<StructureSettings>().chart() == StructureSettings::Increments::quaternion;
  if (variational && quaternions && problems.size() == before) check_turning(check, problems);
}

// Without step control, which has been refused: a method that keeps structure keeps its step size.
std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  return std::make_unique<StructureIntegrator>(what.system, what.settings, what.newton);
}

std::string advice(const IntegratorSettings& settings, const StepReport&) {
  if (settings.method != "variational") return "";
  return "to go on: a smaller `step` from the start, since a changed one would be another method; or, where a body "
         "turns too far in a step, `integrator: {increments: cayley}`";
}

// The one keeps the energy to round-off; that of the other oscillates, by more where steps are large.
double allowed_loss_of_structure(const IntegratorSettings& settings, const StepControlSettings*) {
  return settings.method == "variational" ? largest_allowed_loss : 1e-6;
}

}  // namespace

const MethodFamily structure_family{.name = "structure-preserving",
                                    .make = make,
                                    .check_settings = check_settings,
                                    .check_model = check_model,
                                    .advice = advice,
                                    .allowed_loss = allowed_loss_of_structure};

}  // namespace polhode::integrators
