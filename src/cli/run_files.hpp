// SPDX-License-Identifier: BSD-3-Clause
// The files of `polhode run`, which `polhode check` asks for as well: what may be written, and what not.
#pragma once
#include <string>
#include <vector>

#include "command.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::cli {

struct RunFiles {
  std::string deck;
  // "" = the deck's name with .h5, in the current folder
  std::string output = {};
  // JSON; "" = none
  std::string responses = {};

  // HDF5
  std::string results() const;
  // XDMF, beside the results
  std::string picture() const;
  std::vector<Output> all() const;
  // Why they may not be written: they are the deck, each other, or, without `force`, of others; "" if they may.
  std::string clash(bool force) const;
  // Why none may be written over the tables and other files that the deck has read, whether forced or not; "" if none
  // would be.
  std::string clash_with(const io::Deck& read) const;
  // Links in the places of these files, which files of this run replace: what they lead to stays.
  void remove_links() const;
};

}  // namespace polhode::cli
