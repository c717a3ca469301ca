// SPDX-License-Identifier: BSD-3-Clause
// The cases of a study that have no row yet, run side by side.
#pragma once
#include <functional>
#include <vector>

#include "polhode/studies/study_files.hpp"

namespace polhode::studies {

struct CaseSettings {
  // Which of the cases.
  Shard shard;
  // Cases side by side, >= 1
  int jobs = 1;
  // s by the clock, after which a case is given up; 0 = none
  double case_timeout = 0;
};

// How far a study is.
struct StudyProgress {
  // Number of cases to be done.
  std::size_t all = 0;
  // Number of those that are done.
  std::size_t done = 0;
  // Number of those done that did not complete.
  std::size_t failed = 0;
};

// What a study calls while it goes. All are optional.
struct StudyCallbacks {
  // Asked often; true ends the study, without the rows of cases that run.
  std::function<bool()> interrupted;
  // Called at least five times a second.
  std::function<void(const StudyProgress&)> progress;
};

// Runs the cases of the shard that `rows` do not have, in processes of their own; their rows are added to `file` and to
// `rows`. False if interrupted. Throws io::ResultsError where files cannot be written.
bool run_missing_cases(io::Study& study, const Cases& cases, const StudyFiles& files, const CaseSettings& settings,
                       std::size_t responses, RowsFile& file, DoneRows& rows, const StudyCallbacks& callbacks);

}  // namespace polhode::studies
