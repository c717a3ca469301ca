// SPDX-License-Identifier: BSD-3-Clause
// A number that a host program sets between steps, held in between.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo external_info;

}  // namespace polhode::elements
