// SPDX-License-Identifier: BSD-3-Clause
// Equilibria along a path of loads, as a type of analysis for the catalog.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

const AnalysisTypeOf<StaticSettings>& static_analysis();

}  // namespace polhode::analyses
