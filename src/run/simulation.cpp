// SPDX-License-Identifier: BSD-3-Clause
// A run in a thread of its own that is held between its steps. At any time one of the two threads waits.
#include "polhode/run/simulation.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace polhode::run {

// What both threads share. `mutex` guards it while the turn changes.
struct Simulation::Impl {
  // Whose turn it is
  enum class Turn { caller, run };

  Impl(const io::Deck& run_deck, RunSettings run_settings, RunCallbacks run_callbacks)
      : deck(run_deck), settings(std::move(run_settings)), callbacks(std::move(run_callbacks)) {}

  // Called by the run between two steps: hands over to the caller, and waits for its turn.
  // The state is copied: the caller may read it as long as it likes.
  void hold(const model::State& q, const RunProgress& progress) {
    std::unique_lock lock(mutex);
    state = q;
    if (progress.steps > 0) ++steps;
    turn = Turn::caller;
    changed.notify_all();
    changed.wait(lock, [&] { return turn == Turn::run; });
  }

  // The whole run.
  void work() {
    RunCallbacks all = callbacks;
    all.step = [&](const model::State& q, const RunProgress& progress) {
      if (callbacks.step) callbacks.step(q, progress);
      if (!is_ending) hold(q, progress);
    };
    all.interrupted = [&] { return is_ending || (callbacks.interrupted && callbacks.interrupted()); };
    try {
      result = run_deck(deck, settings, all);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    is_done = true;
    turn = Turn::caller;
    changed.notify_all();
  }

  // Called by the caller: lets the run go on, and waits until it is held or over.
  // An exception of the run is thrown in the thread of the caller, once.
  void proceed() {
    if (is_done) return;
    std::unique_lock lock(mutex);
    turn = Turn::run;
    if (!thread.joinable()) thread = std::thread([this] { work(); });
    changed.notify_all();
    changed.wait(lock, [&] { return turn == Turn::caller; });
    lock.unlock();
    if (is_done) thread.join();
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

  void end() {
    is_ending = true;
    proceed();
  }

  const io::Deck& deck;
  const RunSettings settings;
  const RunCallbacks callbacks;
  RunResult result;
  model::State state;
  long steps = 0;
  bool is_done = false;
  // At the wish of the caller
  bool is_ending = false;
  std::exception_ptr error;
  std::mutex mutex;
  std::condition_variable changed;
  Turn turn = Turn::caller;
  std::thread thread;
};

Simulation::Simulation(const io::Deck& deck, RunSettings settings, RunCallbacks callbacks)
    : impl_(std::make_unique<Impl>(deck, std::move(settings), std::move(callbacks))) {}

// The thread must end before what it refers to.
Simulation::~Simulation() {
  if (!impl_->thread.joinable()) return;
  try {
    impl_->end();
  } catch (...) {
    // A results file that cannot be written is lost with the simulation
    return;
  }
}

// To the first state, before any step.
bool Simulation::start() {
  if (!impl_->thread.joinable()) impl_->proceed();
  return !impl_->is_done;
}

bool Simulation::step() {
  impl_->proceed();
  return !impl_->is_done;
}

// To the first state at or behind t.
bool Simulation::advance_to(double t) {
  if (!start()) return false;
  while (time() < t)
    if (!step()) return false;
  return true;
}

bool Simulation::is_done() const { return impl_->is_done; }

const model::State& Simulation::state() const { return impl_->state; }

long Simulation::steps() const { return impl_->steps; }

// The run ends as an interrupted one does, with its file closed.
RunResult Simulation::finish() {
  impl_->end();
  return impl_->result;
}

}  // namespace polhode::run
