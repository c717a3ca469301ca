// SPDX-License-Identifier: BSD-3-Clause
// The parts of a study: what varies, how it is sampled, and the paths held against the deck.
#pragma once
#include "deck_source.hpp"
#include "model_reader.hpp"
#include "polhode/io/deck/study.hpp"

namespace polhode::io {

inline constexpr double most_cases = 1e8;

void read_vary(const Item& item, Study& study, Reader& reader);
void read_sampling(const Item& item, Study& study, Reader& reader);

// Each path names a value of the deck, or a key that the deck leaves to its default; all else goes to the findings.
void check_paths(const Item& root, const Study& study, Findings& findings);

}  // namespace polhode::io
