// SPDX-License-Identifier: BSD-3-Clause
// What stays the same over a run of `variational` or `energy_momentum`: the method, its settings, the bodies of all
// nodes, and the form in which each batch gives its forces.
#pragma once
#include <vector>

#include "polhode/integrators/settings.hpp"
#include "polhode/integrators/structure/node_step.hpp"

namespace polhode::integrators {

struct StructureMethod {
  // Forces of a batch in a step: none; those of the library at both ends; the discrete form (model/discrete.hpp).
  enum class Forces { none, library, discrete };
  // A batch that is no body: bodies are in the terms of their nodes.
  struct Part {
    const model::BatchBase* batch;
    Forces forces;
  };

  // Keeps a reference to the system.
  StructureMethod(const assembly::System& system, const IntegratorSettings& integrator);

  // Of the rotation of a step: energy_momentum has no choice.
  StructureSettings::Increments chart() const {
    return variational ? settings.chart() : StructureSettings::Increments::cayley;
  }
  // The first step of a run is made of many fine ones.
  bool starts_finely() const { return variational && settings.start != StructureSettings::Start::given; }

  const assembly::System& system;
  StructureSettings settings;
  // Else energy_momentum
  bool variational;
  // By node, with the ground
  std::vector<NodeBody> bodies;
  std::vector<Part> parts;
};

}  // namespace polhode::integrators
