// SPDX-License-Identifier: BSD-3-Clause
// One of two signals, by whether a third is above a threshold.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo switch_info;

}  // namespace polhode::elements
