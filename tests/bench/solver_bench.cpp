// SPDX-License-Identifier: BSD-3-Clause
// Factorization and solution of the iteration matrix, by the method that the program takes and by KLU.
#include <benchmark/benchmark.h>

#include "iterate.hpp"

namespace polhode::bench {
namespace {

using Method = assembly::LinearSolver::Method;

// The matrix and its solver, factorized once.
struct Linear : Iterate {
  Linear(const std::string& model, Method method) : Iterate(bench::subject(model)), solver(matrix, method) {
    set_matrix();
    solver.factorize();
  }
  assembly::LinearSolver solver;
};

void factorize(benchmark::State& run, const std::string& model, Method method) {
  Linear linear(model, method);
  for (auto _ : run) benchmark::DoNotOptimize(linear.solver.factorize());
  run.counters["blocks"] = linear.solver.uses_blocks();
}

void solve(benchmark::State& run, const std::string& model, Method method) {
  Linear linear(model, method);
  std::vector<double> rhs(static_cast<std::size_t>(linear.matrix.size));
  for (auto _ : run) {
    std::fill(rhs.begin(), rhs.end(), 1.0);  // in place, so that each solution starts from the same
    linear.solver.solve(rhs);
    benchmark::DoNotOptimize(rhs.data());
  }
}

}  // namespace

void add_solver_benchmarks() {
  for (const std::string& model : models)
    for (const auto& [suffix, method] : {std::pair{"", Method::automatic}, std::pair{"_by_klu", Method::klu}}) {
      benchmark::RegisterBenchmark(("factorize" + std::string(suffix) + "/" + model).c_str(), factorize, model, method);
      benchmark::RegisterBenchmark(("solve" + std::string(suffix) + "/" + model).c_str(), solve, model, method);
    }
}

}  // namespace polhode::bench
