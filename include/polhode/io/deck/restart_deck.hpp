// SPDX-License-Identifier: BSD-3-Clause
// The deck of a run that is taken up again: read from the results, or compared with them.
#pragma once
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/restart_file.hpp"

namespace polhode::io {

// The deck that the results hold, with `settings` (PATH=VALUE) on top. Its tables are read from where they were. Throws
// as read_deck().
Deck read_deck_of(const RestartSource& source, const std::vector<std::string>& settings = {});

// Indices of the analyses of `deck` that last longer than those of the run in the file. Throws DeckError with the first
// difference where the decks differ in anything else, or tables do.
std::vector<std::size_t> longer_analyses(const Deck& deck, const RestartSource& source);

// Of the texts of all tables that the deck has read, but for those from pipes.
std::string digest_of_tables(const Deck& deck);

}  // namespace polhode::io
