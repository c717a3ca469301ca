// SPDX-License-Identifier: BSD-3-Clause
// Motion over time, as a type of analysis for the catalog.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

const AnalysisTypeOf<TransientSettings>& transient_analysis();

}  // namespace polhode::analyses
