// SPDX-License-Identifier: BSD-3-Clause
// The analyses of a run, done in turn: each starts where the one before ended.
#pragma once
#include "commands.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "run_observer.hpp"

namespace polhode::cli {

// What can be told of the analyses of a deck before the first one runs becomes problems.
void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems);

class AnalysesRun {
 public:
  AnalysesRun(const assembly::System& system, RunObserver& observer, Log& log, model::Problems& problems)
      : system_(system), observer_(observer), log_(log), problems_(problems), q_(system.initial_state()) {}

  // Does the analyses until one fails, and says what they have to say. Problems of a start go to those of the run.
  ExitStatus run(const io::Deck& deck);

  const model::State& state() const { return q_; }
  double external_work() const { return external_work_; }     // J, since the start of the run
  const analyses::Progress& total() const { return total_; }  // of the transient analyses

 private:
  // One function a type of analysis.
  ExitStatus run(const analyses::TransientSettings& settings);
  ExitStatus run(const analyses::InitialSettings& settings);
  ExitStatus run(const analyses::StaticSettings& settings);
  ExitStatus run(const analyses::ModalSettings& settings);
  ExitStatus run(const analyses::LinearizeSettings& settings);

  const assembly::System& system_;
  RunObserver& observer_;
  Log& log_;
  model::Problems& problems_;
  model::State q_;
  double external_work_ = 0;
  bool loaded_ = false;  // loads act since an analysis before
  analyses::Progress total_;
  int index_ = 0;                      // of the analysis that runs
  std::string path_;                   // and its path in the deck
  std::vector<analyses::Mode> modes_;  // of all modal analyses, and the index of that of each
  std::vector<int> modes_from_;
  analyses::ModeNumbers mode_numbers_;
};

}  // namespace polhode::cli
