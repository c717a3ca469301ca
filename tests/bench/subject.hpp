// SPDX-License-Identifier: BSD-3-Clause
// What is measured: the models of inputs/benchmarks in motion, and the registration of measurements.
//
// A measurement is called PHASE/MODEL or PHASE/KIND/MODEL, a model by its deck: "heavy_top", "chain_1000" (1000
// elements).
#pragma once
#include <string>
#include <vector>

#include "polhode/io/deck/deck.hpp"
#include "support/stepper.hpp"

namespace polhode::bench {

struct Subject {
  explicit Subject(const std::string& name);
  Subject(const Subject&) = delete;
  const analyses::TransientSettings& settings() const {
    return *deck.analyses.front().as<analyses::TransientSettings>();
  }
  // The next step of the motion.
  void advance();

  const io::Deck deck;
  const assembly::System system;
  support::Stepper stepper;
  model::State q;
  // since the start
  long steps = 0;
  long iterations = 0;
};

// Made at the first call, some steps after its start, and kept.
Subject& subject(const std::string& name);

inline const std::vector<std::string> models{"heavy_top",  "four_bar",    "right_angle_beam", "chain_10",
                                             "chain_1000", "chain_10000", "chain_100000"};

// One function a file; each makes its measurements known to Google Benchmark.
void add_element_benchmarks();
void add_assembly_benchmarks();
void add_solver_benchmarks();
void add_step_benchmarks();
void add_output_benchmarks();

}  // namespace polhode::bench
