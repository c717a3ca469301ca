// SPDX-License-Identifier: BSD-3-Clause
// A run whose caller does its steps.
#include "polhode/run/simulation.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "polhode/analyses/transient/steps.hpp"
#include "polhode/math/parallel.hpp"
#include "polhode/model/catalog.hpp"
#include "process_settings.hpp"
#include "session.hpp"

namespace polhode::run {
namespace {

// Names and places of the signals.
std::vector<SignalPlace> places_of(const assembly::System& system) {
  const assembly::SignalNetwork& network = system.signals();
  std::vector<SignalPlace> places;
  for (std::size_t i = 0; i < network.signals().size(); ++i) {
    const model::SignalEntry& signal = network.signals()[i];
    const model::Entry& entry = system.model().entries[static_cast<std::size_t>(signal.entry)];
    const int outputs = signal.block ? signal.block->sizes().outputs : 1;
    // Signals of `type: mode` keep a number, too, which is for events to set
    const int external = entry.kind->name == "external" ? network.place_of_held(i) : -1;
    places.push_back({entry.name, network.first_of(i), static_cast<std::size_t>(outputs), external});
  }
  return places;
}

}  // namespace

struct Simulation::Impl {
  Impl(const io::Deck& run_deck, RunSettings run_settings, RunCallbacks run_callbacks)
      : deck(run_deck), settings(std::move(run_settings)), callbacks(std::move(run_callbacks)) {}

  void begin();
  // To the next state that is observed. False if the run has ended before.
  bool advance();
  bool advance_transient();
  // Begins the next analysis; all of it but for a transient, whose start is a stop.
  bool advance_session();
  // The present transient, which has no step any more.
  void end_transient();
  // What `work` returns; false where it finds no memory, which ends the run.
  template <class Work>
  bool with_memory(const Work& work);
  // What `move` returns. An exception ends the run: neither its state nor its file is one to go on from.
  template <class Move>
  bool in_run(const Move& move);

  const io::Deck& deck;
  const RunSettings settings;
  const RunCallbacks callbacks;
  RunResult result;
  std::optional<Session> session;
  // The present transient and its settings, from its start to its end
  std::optional<analyses::TransientSteps> transient;
  const analyses::TransientSettings* transient_settings = nullptr;
  std::vector<SignalPlace> signals;
  long steps = 0;
  bool is_done = false;
  // At the wish of the caller
  bool is_ending = false;
};

// Floating-point mode and threads are those of the run while it moves. Helpers of large models stay until its end: to
// start them takes as long as a step.
template <class Move>
bool Simulation::Impl::in_run(const Move& move) {
  const FlushDenormals flush_denormals;
  try {
    if (session) math::set_number_of_threads(session->threads());
    if (move()) return true;
    result = session->finish();
  } catch (...) {
    is_done = true;
    transient.reset();
    math::set_number_of_threads(1);
    throw;
  }
  is_done = true;
  math::set_number_of_threads(1);
  return false;
}

// The model is complete here: signals have their places, and nothing has been stored.
void Simulation::Impl::begin() {
  RunCallbacks all = callbacks;
  all.interrupted = [this] { return is_ending || (callbacks.interrupted && callbacks.interrupted()); };
  session.emplace(deck, settings, std::move(all));
  if (!session->has_system()) return;
  math::set_number_of_threads(session->threads());
  signals = places_of(session->system());
  if (callbacks.assembled) callbacks.assembled(session->system());
  if (callbacks.begin) callbacks.begin();
}

// Analyses without steps are done on the way, since nothing can be looked at within them.
bool Simulation::Impl::advance() {
  if (transient && advance_transient()) return true;
  while (session->has_next())
    if (advance_session()) return true;
  return false;
}

// As run_deck() does: the states before are kept. What the step held is free before the session reports.
template <class Work>
bool Simulation::Impl::with_memory(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc& error) {
    transient.reset();
    session->end_without_memory(error);
    return false;
  }
}

bool Simulation::Impl::advance_transient() {
  return with_memory([this] {
    if (transient->step()) {
      ++steps;
      return true;
    }
    end_transient();
    return false;
  });
}

bool Simulation::Impl::advance_session() {
  const analyses::Analysis& analysis = session->begin_analysis();
  return with_memory([&] {
    transient_settings = analysis.as<analyses::TransientSettings>();
    if (!transient_settings) {
      session->end_analysis(analysis.run(session->context()));
      return false;
    }
    transient.emplace(analyses::begin_transient(*transient_settings, session->context()));
    if (transient->start()) return true;
    end_transient();
    return false;
  });
}

// The loop is gone before the session reports: it holds more memory than all else.
void Simulation::Impl::end_transient() {
  analyses::AnalysisContext& context = session->context();
  analyses::AnalysisResult ended = analyses::end_transient(*transient_settings, context, transient->finish());
  transient.reset();
  session->end_analysis(std::move(ended));
}

Simulation::Simulation(const io::Deck& deck, RunSettings settings, RunCallbacks callbacks)
    : impl_(std::make_unique<Impl>(deck, std::move(settings), std::move(callbacks))) {}

Simulation::~Simulation() {
  if (!impl_->session || impl_->is_done) return;
  try {
    finish();
  } catch (...) {
    // A results file that cannot be written is lost with the simulation
    return;
  }
}

// To the first state, before any step.
bool Simulation::start() {
  if (impl_->session || impl_->is_done) return !impl_->is_done;
  return impl_->in_run([this] {
    impl_->begin();
    return impl_->advance();
  });
}

// Start and step in one call, so that `while (step())` sees every state but the first.
bool Simulation::step() {
  if (!start()) return false;
  return impl_->in_run([this] { return impl_->advance(); });
}

// To the first state at or behind t.
bool Simulation::advance_to(double t) {
  if (!start()) return false;
  while (time() < t)
    if (!step()) return false;
  return true;
}

bool Simulation::is_done() const { return impl_->is_done; }

// That of the run itself, no copy. It is there as long as the simulation, also behind the end of the run.
const model::State& Simulation::state() const {
  static const model::State none;
  const bool has_state = impl_->session && impl_->session->has_system();
  return has_state ? impl_->session->context().q : none;
}

const std::vector<SignalPlace>& Simulation::signals() const { return impl_->signals; }

// The value is shown at once; all that follows from it is found by the next step.
void Simulation::set_signal(const SignalPlace& signal, double value) {
  if (signal.external < 0)
    throw std::invalid_argument("signals." + signal.name + ": is not of `type: external`, and cannot be set");
  if (!std::isfinite(value)) throw std::invalid_argument("signals." + signal.name + ": must be a finite number");
  if (impl_->is_done) return;
  model::SignalState& signals = impl_->session->context().q.signals;
  if (signals.held[signal.external] == value) return;
  signals.held[signal.external] = value;
  signals.values[static_cast<Eigen::Index>(signal.first)] = value;
  if (impl_->transient) impl_->transient->note_inputs();
}

long Simulation::steps() const { return impl_->steps; }

// The run ends as an interrupted one does, with its file closed.
RunResult Simulation::finish() {
  impl_->is_ending = true;
  while (step()) continue;
  return impl_->result;
}

}  // namespace polhode::run
