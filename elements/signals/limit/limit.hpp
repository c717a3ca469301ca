// SPDX-License-Identifier: BSD-3-Clause
// The input, kept between two values.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo limit_info;

}  // namespace polhode::elements
