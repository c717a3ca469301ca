// SPDX-License-Identifier: BSD-3-Clause
// How far off the responses of a run are: the run again with half the step, and with twice the elements.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/run/run.hpp"

namespace polhode::run {

struct VerifySettings {
  // With twice the elements of each beam, too: a third run.
  bool elements = false;
  // As RunSettings::threads
  int threads = 0;
};

// Of a response of the run that is verified, in its unit: estimates of the size of its error, not bounds.
struct ResponseError {
  std::string name;
  // Nothing where they were not verified; NaN where the finer run failed, and of a response without a value
  std::optional<double> steps = std::nullopt;
  std::optional<double> elements = std::nullopt;
  // Sum of both; NaN where nothing was verified
  double all = 0;
};

struct Verification {
  // Why there are no estimates, or not all of them, in words
  std::vector<std::string> notes;
  // In the order of RunResult::responses
  std::vector<ResponseError> errors;
};

// Estimates the errors of `result`, a run of `deck` that is completed. Steps are halved where they are fixed; where they
// are under control the tolerance is a quarter, and the largest step half. Errors are taken to go with the square of
// step and element, as those of most methods and elements do: for orders from 1 on an estimate is off by a factor of 2/3
// to 4/3. Of the callbacks `interrupted` is asked; nothing is written.
Verification verify_run(const io::Deck& deck, const RunResult& result, const VerifySettings& settings,
                        const RunCallbacks& callbacks = {});

// "peak = 12.345 +- 0.0012  (0.01 %)", one line a response, and the notes.
std::vector<std::string> lines_of(const Verification& verification, const RunResult& result);

}  // namespace polhode::run
