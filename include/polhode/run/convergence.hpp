// SPDX-License-Identifier: BSD-3-Clause
// Observed orders of a deck's transient: the same run with several fixed steps, compared with a reference.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/convergence_file.hpp"
#include "polhode/run/messages.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

struct ConvergenceRequest {
  // Steps, times that count; `jobs` = 0: one run a processor
  analyses::ConvergenceSettings settings;
  // Results to compare with; "" = a run with a finer step
  std::string reference_file;
};

// What a comparison calls while it goes; the last two are called by the threads of the runs. All are optional.
struct ConvergenceCallbacks {
  // Receives warnings.
  Messages* messages = nullptr;
  // Called when the first run begins.
  std::function<void()> begin;
  // Asked during the runs; true ends all of them.
  std::function<bool()> interrupted;
  // Called behind steps, with their number in all runs together.
  std::function<void(long done, long all)> progress;
};

struct ConvergenceResult {
  // `failed`: one of the runs at least; the table has the others.
  Status status = Status::completed;
  // With `invalid`: what is wrong with the request, and what to do; "" where it is the deck.
  std::string wrong_request;
  // With `invalid`: what is wrong with the deck or its model.
  model::Problems problems;
  // With `failed`: why there is no table; "" where there is one.
  std::string failure;
  std::vector<std::string> warnings;
  io::ConvergenceTable table;
};

// Runs the transient of `deck`, its only analysis, with all steps. Throws io::FileError where the reference cannot be
// read. Writes nothing; io::write_convergence stores the table.
ConvergenceResult compare_steps(const io::Deck& deck, const ConvergenceRequest& request,
                                const ConvergenceCallbacks& callbacks = {});

}  // namespace polhode::run
