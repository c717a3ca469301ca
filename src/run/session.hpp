// SPDX-License-Identifier: BSD-3-Clause
// A run as it goes: system, results file, messages and the state, from the deck to the result.
#pragma once
#include <new>
#include <optional>
#include <string>

#include "recorder.hpp"
#include "restarts.hpp"
#include "run_observer.hpp"

namespace polhode::run {

// Whoever holds it does the analyses in turn:
//   while (session.has_next()) session.end_analysis(session.begin_analysis().run(session.context()));
// and sets floating-point mode and threads() for as long as that takes (process_settings.hpp).
class Session {
 public:
  // Assembles the model of `deck`, which must outlive the session. Without a system where the model is wrong.
  Session(const io::Deck& deck, RunSettings settings, RunCallbacks callbacks);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool has_system() const { return context_.has_value(); }
  int threads() const { return result_.threads; }
  // Whether an analysis is left, and all before it have ended as they should.
  bool has_next() const;
  const analyses::Analysis& begin_analysis();
  void end_analysis(analyses::AnalysisResult ended);
  // The present analysis, which found no memory for what it needs, ends as one that failed; its states are kept.
  void end_without_memory(const std::bad_alloc& error);
  analyses::AnalysisContext& context() { return *context_; }
  const analyses::AnalysisContext& context() const { return *context_; }
  const assembly::System& system() const { return *system_; }
  const model::Problems& problems() const { return result_.problems; }
  // Stores what is left to be stored, and closes the file. The session is over.
  RunResult finish();

 private:
  void note_set_up();
  // Moves the state of the deck to the coordinates that it gives.
  void set_posture();
  // Goes on from the results that the settings name.
  void take_up(const RestartFrom& from);
  // What goes on from one analysis to the next.
  void archive(math::Archive& a);
  void report(const analyses::AnalysisResult& ended);
  void summarize();

  const io::Deck& deck_;
  RunSettings settings_;
  RunCallbacks callbacks_;
  // Processor time of the process, s
  double start_;
  // Of the results
  std::string log_;
  Messages messages_;
  RunResult result_;
  std::optional<assembly::System> system_;
  std::optional<Recorder> recorder_;
  std::optional<RunObserver> observer_;
  std::optional<Restarts> restarts_;
  std::optional<analyses::AnalysisContext> context_;
};

}  // namespace polhode::run
