// SPDX-License-Identifier: BSD-3-Clause
// y' = input.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo integrator_info;

}  // namespace polhode::elements
