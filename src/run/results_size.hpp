// SPDX-License-Identifier: BSD-3-Clause
// How large the results of a deck are going to be, and whether the disk has room for them.
#pragma once
#include <string>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::run {

struct ResultsSize {
  // States that are stored.
  double states = 0;
  // Of the file, without the matrices of `linearize`; with twenty modes of a band, whose number nobody knows.
  double bytes = 0;
  // Steps are under control, and states or at least /solver follow them.
  bool states_are_guessed = false;
  bool bytes_are_guessed = false;
  // Of these what is known whatever the steps are: states at given times
  double known_bytes = 0;
};

// What the results file of a deck is made with, without its responses: how many rows are expected sets its chunks.
io::RunInfo run_info_of(const io::Deck& deck);

// Of its restart points, without the digest of its tables.
io::RestartInfo restart_info_of(const io::Deck& deck, const results::Layout& layout);

ResultsSize results_size_of(const io::Deck& deck, const results::Layout& layout);

// A message with remedy where `bytes` are more than what is free on the disk of `file`, a file in its place counted as
// free; "" where they fit, or nothing is known of the disk.
std::string shortage_of(const std::string& file, double bytes);

}  // namespace polhode::run
