// SPDX-License-Identifier: BSD-3-Clause
// Paths that a study varies, held against its deck.
#pragma once
#include "deck_source.hpp"
#include "model_reader.hpp"
#include "polhode/io/study.hpp"

namespace polhode::io {

// Each path names a value of the deck, or a key that the deck leaves to its default; all else goes to the findings.
void check_paths(const Item& root, const Study& study, Findings& findings);

}  // namespace polhode::io
