// SPDX-License-Identifier: BSD-3-Clause
// What an analysis does to joints at its start: `locked` and `released`, which the reader of decks makes an entry of.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo start_info;

}  // namespace polhode::elements
