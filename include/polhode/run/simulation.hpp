// SPDX-License-Identifier: BSD-3-Clause
// A deck run step by step, for programs that look at the state between steps: bindings, couplings, displays.
//
//   run::Simulation simulation(deck, {.results_file = "four_bar.h5"});
//   simulation.start();
//   while (simulation.step()) show(simulation.state());
//   const run::RunResult result = simulation.finish();
//
// The steps are those of run_deck(), to the last bit: it is the same run, whose steps the caller does. Results file,
// messages and result are the same, too. Floating-point mode and number of threads are those of the run within the
// functions below only; helpers of large models wait until the run ends.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/run/run.hpp"

namespace polhode::run {

// A signal of the model.
struct SignalPlace {
  // In the deck
  std::string name;
  // Its outputs in model::SignalState::values
  std::size_t first = 0;
  std::size_t size = 1;
  // In model::SignalState::held; -1: it is not of `type: external`
  int external = -1;
};

class Simulation {
 public:
  // `deck` and what the callbacks refer to must outlive the simulation. Nothing is done before start(). The callbacks
  // are called by start(), step(), advance_to() and finish().
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

  // The state after the last step; empty before start(). Steps exchange its arrays: pointers into them are good until
  // the next one.
  const model::State& state() const;
  double time() const { return state().t; }  // s
  // In the order of the deck; empty before start().
  const std::vector<SignalPlace>& signals() const;
  // Sets an external signal from the present state on, until the run has ended. state() shows it at once; signals that
  // take it, and forces, follow in the next step. A signal of another type, or a number that is not finite, is a
  // std::invalid_argument.
  void set_signal(const SignalPlace& signal, double value);
  // Steps of all transients so far.
  long steps() const;

  // Ends the run, with Status::interrupted where it was not done, and closes the results file.
  RunResult finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::run
