// SPDX-License-Identifier: BSD-3-Clause
// The analyses of a deck in turn.
#include "polhode/run/run.hpp"

#include <ctime>
#include <new>

#include "process_settings.hpp"
#include "session.hpp"

namespace polhode::run {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems) {
  for (std::size_t i = 0; i < deck.analyses.size(); ++i)
    deck.analyses[i].check({system, io::analysis_path(deck, i), problems});
}

// Threads are set behind the set-up, whose size decides their number.
RunResult run_deck(const io::Deck& deck, const RunSettings& settings, const RunCallbacks& callbacks) {
  const FlushDenormals flush_denormals;
  Session session(deck, settings, callbacks);
  const Threads threads(session.threads());
  if (session.has_system() && callbacks.assembled) callbacks.assembled(session.system());
  if (session.has_system() && callbacks.begin) callbacks.begin();
  while (session.has_next()) {
    const analyses::Analysis& analysis = session.begin_analysis();
    try {
      session.end_analysis(analysis.run(session.context()));
    } catch (const std::bad_alloc& error) {
      session.end_without_memory(error);
    }
  }
  return session.finish();
}

}  // namespace polhode::run
