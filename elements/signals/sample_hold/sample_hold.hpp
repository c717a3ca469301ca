// SPDX-License-Identifier: BSD-3-Clause
// The input at moments of sampling, held from each to the next.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo sample_hold_info;

}  // namespace polhode::elements
