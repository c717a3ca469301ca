// SPDX-License-Identifier: BSD-3-Clause
// The linear model of small motions, as a type of analysis for the catalog.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

const AnalysisTypeOf<LinearizeSettings>& linearize_analysis();

}  // namespace polhode::analyses
