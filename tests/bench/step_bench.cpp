// SPDX-License-Identifier: BSD-3-Clause
// Whole steps of the method, Newton iteration included, without output.
#include <benchmark/benchmark.h>

#include "subject.hpp"

namespace polhode::bench {
namespace {

void step(benchmark::State& run, const std::string& model) {
  Subject& s = subject(model);
  const long steps = s.steps;
  const long iterations = s.iterations;
  for (auto _ : run) s.advance();
  run.counters["solves"] = static_cast<double>(s.iterations - iterations) / static_cast<double>(s.steps - steps);
}

}  // namespace

void add_step_benchmarks() {
  for (const std::string& model : models) benchmark::RegisterBenchmark(("step/" + model).c_str(), step, model);
}

}  // namespace polhode::bench
