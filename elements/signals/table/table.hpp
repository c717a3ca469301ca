// SPDX-License-Identifier: BSD-3-Clause
// A curve through points: y of the input x, such as the torque of a motor over its speed; or a surface over two inputs.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo table_info;

}  // namespace polhode::elements
