// SPDX-License-Identifier: BSD-3-Clause
// y = numerator(s)/denominator(s) input.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo transfer_function_info;

}  // namespace polhode::elements
