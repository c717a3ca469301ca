// SPDX-License-Identifier: BSD-3-Clause
// A deck run step by step, for programs that look at the state between steps: bindings, couplings, displays.
//
//   run::Simulation simulation(deck, {.results_file = "four_bar.h5"});
//   simulation.start();
//   while (simulation.step()) show(simulation.state());
//   const run::RunResult result = simulation.finish();
//
// The steps are those of run_deck(), to the last bit: it is the same run, which a thread of its own does, and which is
// held between the steps. Results file, messages and result are the same, too.
#pragma once
#include <memory>

#include "polhode/run/run.hpp"

namespace polhode::run {

class Simulation {
 public:
  // `deck` and what the callbacks refer to must outlive the simulation. Nothing is done before start(). The callbacks
  // are called while start(), step(), advance_to() or finish() wait, by another thread.
  explicit Simulation(const io::Deck& deck, RunSettings settings = {}, RunCallbacks callbacks = {});
  // Ends a run that is not finished.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Does the analyses before the first transient, and the start of that. False if the run has ended: because there is
  // no transient, or for a reason that finish() returns. Throws what run_deck() throws, as the functions below do.
  bool start();
  // The next step of the present transient, or the start of the next one with all analyses between. False if the run
  // has ended. Calls start() where that has not been done.
  bool step();
  // Steps until the time is `t` (s) at least. False if the run has ended before.
  bool advance_to(double t);
  // Whether the run has ended, of itself or by finish().
  bool is_done() const;

  // The state after the last step; empty before start().
  const model::State& state() const;
  double time() const { return state().t; }  // s
  // Steps of all transients so far.
  long steps() const;

  // Ends the run, with Status::interrupted where it was not done, and closes the results file.
  RunResult finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::run
