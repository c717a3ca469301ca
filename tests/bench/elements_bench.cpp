// SPDX-License-Identifier: BSD-3-Clause
// The kernels of each kind that the models hold, through the batch that runs them: time an element.
#include <benchmark/benchmark.h>

#include "iterate.hpp"

namespace polhode::bench {
namespace {

void count_elements(benchmark::State& run, const model::BatchBase& batch) {
  run.counters["s_per_element"] =
      benchmark::Counter(static_cast<double>(run.iterations()) * static_cast<double>(batch.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void residual_of(benchmark::State& run, const std::string& model, std::size_t kind) {
  const Subject& s = subject(model);
  const model::BatchBase& batch = *s.system.batches()[kind];
  assembly::Residual r = s.system.make_residual();
  for (auto _ : run) {
    batch.add_residual_to(batch.all(), s.q, s.system.context(s.q), {}, r.force,
                          {r.phi.data(), static_cast<std::size_t>(r.phi.size())});
    benchmark::DoNotOptimize(r.force.data());
  }
  count_elements(run, batch);
}

void tangents_of(benchmark::State& run, const std::string& model, std::size_t kind) {
  Iterate it(subject(model));
  const assembly::System& system = it.subject.system;
  const model::BatchBase& batch = *system.batches()[kind];
  for (auto _ : run) {
    batch.add_tangents_to(batch.all(), it.q, system.context(it.q), it.scheme->factors(it.q), it.scale,
                          system.unknowns(), it.matrix.values);
    benchmark::DoNotOptimize(it.matrix.values.data());
  }
  count_elements(run, batch);
}

}  // namespace

void add_element_benchmarks() {
  for (const char* model : {"heavy_top", "four_bar", "chain_1000"}) {
    const auto& batches = subject(model).system.batches();
    for (std::size_t kind = 0; kind < batches.size(); ++kind) {
      const std::string name = "/" + std::string(batches[kind]->kind()) + "/" + model;
      benchmark::RegisterBenchmark(("residual_of" + name).c_str(), residual_of, model, kind);
      benchmark::RegisterBenchmark(("tangents_of" + name).c_str(), tangents_of, model, kind);
    }
  }
}

}  // namespace polhode::bench
