// SPDX-License-Identifier: BSD-3-Clause
// Features of functions of time that fixed steps pass over: pulses, and peaks of tables, within one step.
#pragma once
#include "analyses/transient/stops.hpp"
#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

// One warning for each function of time of the model that differs within a step from the line between the step's ends,
// between two of its breakpoints: by more than a tenth of its range. A single jump or kink is none, and a table with
// many rows that are in line on the scale of the step is none either. Between breakpoints functions are sampled, which
// finds narrow bells and waves of the step's length; what is far shorter than a step may not be found. `hit`: steps end
// on breakpoints, so that what is between two of them is passed over by none.
void warn_of_passed_features(const assembly::System& system, const Grid& grid, bool hit, Observer& observer);

}  // namespace polhode::analyses
