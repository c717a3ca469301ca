// SPDX-License-Identifier: BSD-3-Clause
// Output of one step: the row of numbers of its state, and this row and that of the step into the results file.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "polhode/results/sampler.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "subject.hpp"

namespace polhode::bench {
namespace {

void state_row(benchmark::State& run, const std::string& model) {
  const Subject& s = subject(model);
  results::Sampler sampler(s.system, {});
  assembly::Residual residual = s.system.make_residual();
  s.system.set_residual(s.q, residual);
  for (auto _ : run) benchmark::DoNotOptimize(sampler.state_row(s.q, &residual, 0, 0).data());
}

void append(benchmark::State& run, const std::string& model) {
  const Subject& s = subject(model);
  results::Sampler sampler(s.system, {});
  assembly::Residual residual = s.system.make_residual();
  s.system.set_residual(s.q, residual);
  const auto state = sampler.state_row(s.q, &residual, 0, 0);
  const auto step = sampler.step_row(s.stepper.reports().back(), 0);
  // As many rows as a run writes between two flushes: some megabytes.
  const int rows = std::clamp(static_cast<int>(4000000 / sampler.layout().state_size), 1, 20000);
  const auto folder = std::filesystem::temp_directory_path() / ("polhode_bench_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    io::ResultsFile file(folder / "results.h5", {.title = {}, .deck_text = {}, .responses = {}, .expected_states = 1e6},
                         sampler.layout());
    for (auto _ : run) {
      for (int i = 0; i < rows; ++i) {
        file.append_state(state);
        file.append_step(step);
      }
      file.flush();
    }
  }
  run.counters["s_per_row"] = benchmark::Counter(static_cast<double>(run.iterations()) * rows,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  std::filesystem::remove_all(folder);
}

}  // namespace

void add_output_benchmarks() {
  for (const std::string& model : models) {
    benchmark::RegisterBenchmark(("state_row/" + model).c_str(), state_row, model);
    benchmark::RegisterBenchmark(("append/" + model).c_str(), append, model);
  }
}

}  // namespace polhode::bench
