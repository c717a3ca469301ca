// SPDX-License-Identifier: BSD-3-Clause
// Runs a deck with the installed library, whole and step by step, and prints what it gave: run_deck DECK.
#include <cstdio>
#include <string>

#include "polhode/run/run.hpp"
#include "polhode/run/simulation.hpp"

namespace {

// All analyses at once.
void run_whole(const polhode::io::Deck& deck) {
  const polhode::run::RunResult result = polhode::run::run_deck(deck);
  std::printf("whole: %ld steps to t = %g s\n", result.counts.steps, result.end_time);
  for (const polhode::run::ResponseValue& response : result.responses)
    std::printf("%s = %.9g %s\n", response.name.c_str(), response.value, response.units.c_str());
}

// The same motion, with the program's own hands on it between the steps.
void run_stepwise(const polhode::io::Deck& deck) {
  polhode::run::Simulation simulation(deck);
  if (!simulation.start()) return;
  while (!simulation.is_done() && simulation.step()) continue;
  const polhode::model::State& q = simulation.state();
  std::printf("stepwise: %ld steps to t = %g s, first node at %.9g %.9g %.9g\n", simulation.steps(), q.t, q.x[1].x(),
              q.x[1].y(), q.x[1].z());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: run_deck DECK\n");
    return 1;
  }
  try {
    const polhode::io::Deck deck = polhode::io::read_deck(argv[1]);
    run_whole(deck);
    run_stepwise(deck);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
