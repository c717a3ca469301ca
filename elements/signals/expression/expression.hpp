// SPDX-License-Identifier: BSD-3-Clause
// An expression of time, parameters and other signals.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo expression_info;

}  // namespace polhode::elements
