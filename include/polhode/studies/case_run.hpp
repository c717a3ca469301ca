// SPDX-License-Identifier: BSD-3-Clause
// One case of a study, run in the process that calls.
#pragma once
#include "polhode/studies/cases.hpp"
#include "polhode/studies/rows.hpp"

namespace polhode::studies {

// Writes the values of the case into `deck`, and runs it; `results`: its whole results file, "" for none. `responses`:
// how many there are. What goes wrong with the case is in the row; files that cannot be written are io::ResultsError.
Row run_case(const Cases& cases, std::size_t number, io::DeckSource& deck, std::size_t responses,
             const std::string& results);

}  // namespace polhode::studies
