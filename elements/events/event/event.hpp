// SPDX-License-Identifier: BSD-3-Clause
// Events of the deck: when they happen, and what they do.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo event_info;

}  // namespace polhode::elements
