// SPDX-License-Identifier: BSD-3-Clause
// Assembly of the residual and of the iteration matrix, all elements of a model.
#include <benchmark/benchmark.h>

#include "iterate.hpp"

namespace polhode::bench {
namespace {

void residual(benchmark::State& run, const std::string& model) {
  const Subject& s = subject(model);
  assembly::Residual r = s.system.make_residual();
  for (auto _ : run) {
    s.system.set_residual(s.q, r);
    benchmark::DoNotOptimize(r.force.data());
  }
}

void matrix(benchmark::State& run, const std::string& model) {
  Iterate it(subject(model));
  for (auto _ : run) {
    it.set_matrix();
    benchmark::DoNotOptimize(it.matrix.values.data());
  }
}

// What assembly costs beside this is scattering. Kinds with rows keep their scatter, which is a small part of them.
void matrix_without_scatter(benchmark::State& run, const std::string& model) {
  Iterate it(subject(model));
  const WithoutDestinations none(it.subject.system);
  for (auto _ : run) {
    it.add_tangents();
    benchmark::DoNotOptimize(it.matrix.values.data());
  }
}

}  // namespace

void add_assembly_benchmarks() {
  for (const std::string& model : models) {
    benchmark::RegisterBenchmark(("residual/" + model).c_str(), residual, model);
    benchmark::RegisterBenchmark(("matrix/" + model).c_str(), matrix, model);
    benchmark::RegisterBenchmark(("matrix_without_scatter/" + model).c_str(), matrix_without_scatter, model);
  }
}

}  // namespace polhode::bench
