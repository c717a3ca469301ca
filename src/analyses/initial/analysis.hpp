// SPDX-License-Identifier: BSD-3-Clause
// Positions and velocities that meet the constraints, as a type of analysis for the catalog.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

const AnalysisTypeOf<InitialSettings>& initial_analysis();

}  // namespace polhode::analyses
