// SPDX-License-Identifier: BSD-3-Clause
// Files that a deck includes: their entries stand in the deck's tree before anything is read or set.
#pragma once
#include <string>

#include "../deck_source.hpp"

namespace polhode::io {

// Takes `include` out of the deck's tree and puts entries of the files that it names behind the deck's own, with their
// places in those files. Names of files go to `DeckSource::Impl::included`. Throws DeckError.
void include_files(DeckSource::Impl& deck, Includes allowed);

// Names of entries and parameters in the tree of one file begin with the prefix, and so do references to them; what
// refers to entries elsewhere stays. Keys whose references are not known go to the findings.
void prefix_names(Item& root, const std::string& prefix, Findings& findings);

}  // namespace polhode::io
