// SPDX-License-Identifier: BSD-3-Clause
// A number that events set.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo mode_info;

}  // namespace polhode::elements
