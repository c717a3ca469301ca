// SPDX-License-Identifier: BSD-3-Clause
// The cases of a study that have no row yet, run side by side.
#pragma once
#include <functional>
#include <vector>

#include "polhode/studies/study_files.hpp"

namespace polhode::studies {

struct CaseSettings {
  Share share;              // of the cases
  int jobs = 1;             // cases side by side, >= 1
  double case_timeout = 0;  // s by the clock, after which a case is given up; 0 = none
};

// How far a study is.
struct StudyProgress {
  std::size_t all = 0;     // cases to be done
  std::size_t done = 0;    // of these
  std::size_t failed = 0;  // of those done, not completed
};

// What a study calls while it goes. All are optional.
struct StudyCallbacks {
  std::function<bool()> interrupted;                   // true: no more rows are waited for
  std::function<void(const StudyProgress&)> progress;  // at least five times a second
};

// Runs the cases of the share that `rows` do not have, each in a process of its own; their rows are added to `file` and
// to `rows`. False if interrupted. Throws io::ResultsError where files cannot be written.
bool run_missing_cases(io::Study& study, const Cases& cases, const StudyFiles& files, const CaseSettings& settings,
                       std::size_t responses, RowsFile& file, DoneRows& rows, const StudyCallbacks& callbacks);

}  // namespace polhode::studies
