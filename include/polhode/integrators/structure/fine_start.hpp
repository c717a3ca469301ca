// SPDX-License-Identifier: BSD-3-Clause
// The first step of `variational` by many fine ones, whose size is near `start_step`: the momenta of the first large
// step then follow from its two ends alone.
#pragma once
#include "polhode/integrators/step_report.hpp"
#include "polhode/integrators/structure/structure_method.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

// Sets positions, rotations and internal variables of `next` to those report.h after `old`: with one step of Euler's
// first, as Wendlandt & Marsden begin, or all of them by `energy_momentum`. The report gets their iterations, and the
// failure of the first that failed; `next` is then as it was. `stop` is asked after each.
void start_finely(const StructureMethod& method, const NewtonSettings& newton, const State& old, State& next,
                  const math::StopRequest& stop, StepReport& report);

}  // namespace polhode::integrators
