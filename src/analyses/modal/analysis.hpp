// SPDX-License-Identifier: BSD-3-Clause
// Frequencies and shapes of small motions, as a type of analysis for the catalog.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

const AnalysisTypeOf<ModalSettings>& modal_analysis();

}  // namespace polhode::analyses
