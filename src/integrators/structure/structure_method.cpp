// SPDX-License-Identifier: BSD-3-Clause
// What stays the same over a run of a structure-preserving method.
#include "polhode/integrators/structure/structure_method.hpp"

namespace polhode::integrators {

// Batches are sorted once: inertia is in the nodes' own terms, forces with a discrete form use it,
// all others those of the library at both ends.
StructureMethod::StructureMethod(const assembly::System& all, const IntegratorSettings& integrator)
    : system(all),
      settings(integrator.own_or_default<StructureSettings>()),
      variational(integrator.method == "variational"),
      bodies(bodies_of_nodes(all)) {
  const bool at_midpoint = settings.place_of_forces() == StructureSettings::Potential::midpoint;
  for (const auto& batch : system.batches()) {
    if (batch->has_inertia() && !batch->has_forces()) continue;
    const bool discrete = variational ? batch->has_midpoint_forces() && at_midpoint : batch->has_forces();
    const Forces otherwise = batch->has_forces() ? Forces::library : Forces::none;
    parts.push_back({batch.get(), discrete ? Forces::discrete : otherwise});
  }
}

}  // namespace polhode::integrators
