// SPDX-License-Identifier: BSD-3-Clause
// tau y' + y = input.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo low_pass_info;

}  // namespace polhode::elements
