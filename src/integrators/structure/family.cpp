// SPDX-License-Identifier: BSD-3-Clause
// The structure-preserving family in the catalog: what its methods ask of a model.
#include <fmt/format.h>

#include "polhode/integrators/structure/structure_integrator.hpp"

namespace polhode::integrators {
namespace {

// What the method has no discrete form of, nodes without inertia of their own, and steps in which a body turns too far.
void check_model(const ModelCheck& check, model::Problems& problems) {
  const auto& [system, settings, controlled, path, q, h] = check;
  if (controlled) return;
  const bool variational = settings.method == "variational";
  const std::string others = "lie_alpha, lie_alpha_index2, ul_crv or ul_rotation_vector";
  const std::size_t before = problems.size();
  int told = -1;
  for (const auto& batch : system.batches()) {
    const bool body = batch->has_inertia() && batch->nodes() == 1;
    if (body || (variational ? !batch->has_inertia() : batch->has_discrete_form())) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const int entry = batch->entry_of(e);
      if (entry == told) continue;
      told = entry;
      problems.push_back({system.model().entries[static_cast<std::size_t>(entry)].path(),
                          "`" + settings.method + "` has no discrete form of it (" + std::string(batch->kind()) +
                              "); take " + (batch->has_inertia() ? "" : "variational, ") + others});
    }
  }
  // Equations are solved for the increments of each node by its own inertia: without one they have no solution.
  const std::vector<NodeBody> bodies = bodies_of_nodes(system);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    const bool moves = u.local[0] >= 0 || u.local[1] >= 0 || u.local[2] >= 0;
    const bool turns = u.local[3] >= 0;
    const bool massless = moves && bodies[i].mass == 0;
    const bool point = turns && bodies[i].J.isZero(0);
    if ((massless || point) && problems.size() == before)
      problems.push_back({system.node(i).label(), "has no " + std::string(massless ? "mass" : "moment of inertia") +
                                                      " of its own, which `" + settings.method +
                                                      "` asks of each node that moves; attach a rigid body, or take " +
                                                      others});
  }
  if (!variational || settings.increments == IntegratorSettings::Increments::cayley || problems.size() > before) return;
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < system.nodes(); ++i)
    if (q.v[i].tail<3>().norm() > q.v[fastest].tail<3>().norm()) fastest = i;
  const double rate = q.v[fastest].tail<3>().norm();
  if (h * rate < 1) return;
  problems.push_back(
      {path + ".step", fmt::format("h |Omega| = {:.4g} of {} is not below 1, and `variational` cannot turn a body "
                                   "further in a step; give less than {:.4g} s, or `integrator: {{increments: cayley}}`",
                                   h * rate, system.node(fastest).label(), 1 / rate)});
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

}  // namespace

const MethodFamily structure_family{"structure-preserving", check_model, make, advice};

}  // namespace polhode::integrators
