// SPDX-License-Identifier: BSD-3-Clause
// Sensors: what a signal reads of nodes and joints.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo sensor_info;

}  // namespace polhode::elements
