// SPDX-License-Identifier: BSD-3-Clause
// The measurements of single phases; scripts/bench builds and runs them.
#include <benchmark/benchmark.h>

#include "subject.hpp"

int main(int argc, char** argv) {
  polhode::bench::add_element_benchmarks();
  polhode::bench::add_assembly_benchmarks();
  polhode::bench::add_solver_benchmarks();
  polhode::bench::add_step_benchmarks();
  polhode::bench::add_output_benchmarks();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
