// SPDX-License-Identifier: BSD-3-Clause
// z' = A z + B u, y = C z + D u; or x <- A x + B u at moments of sampling.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo state_space_info;

}  // namespace polhode::elements
