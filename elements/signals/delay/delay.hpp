// SPDX-License-Identifier: BSD-3-Clause
// The input as it was a time ago.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo delay_info;

}  // namespace polhode::elements
