// SPDX-License-Identifier: BSD-3-Clause
// Elimination by blocks and KLU give the same solution on every model of inputs/.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/io/deck/deck.hpp"
#include "support/places.hpp"

namespace polhode::verification {
namespace {

using assembly::LinearSolver;

std::vector<std::string> shipped_models() {
  std::vector<std::string> files;
  for (const char* folder : {"/inputs/benchmarks", "/inputs/examples"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(POLHODE_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

double step_of(const io::Deck& deck) {
  for (const auto& analysis : deck.analyses)
    if (const auto* transient = analysis.as<analyses::TransientSettings>(); transient && transient->step > 0)
      return transient->step;
  return 1e-3;
}

// Rounded once.
std::vector<double> product(const assembly::SparseMatrix& A, const std::vector<double>& x) {
  std::vector<long double> sum(x.size(), 0);
  for (int column = 0; column < A.size; ++column)
    for (int p = A.column_start[column]; p < A.column_start[column + 1]; ++p)
      sum[A.row[p]] += static_cast<long double>(A.at(p)) * x[column];
  return {sum.begin(), sum.end()};
}

// Euclidean, relative to the length of a.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double length = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    length += a[i] * a[i];
  }
  return std::sqrt(difference / length);
}

// A matrix of generalized-alpha steps with a solution that is known. What the best pivots lose to round-off, some
// hundred times as much may be lost by others.
TEST(Solvers, AgreeOnEveryShippedModel) {
  int by_blocks = 0;
  for (const std::string& file : shipped_models()) {
    const io::Deck deck = io::read_deck(file);
    model::Problems problems;
    const auto system = assembly::System::make(deck.model, problems);
    ASSERT_TRUE(system) << file;
    model::State q = system->initial_state();
    analyses::Redundancy(*system).begin(q);
    const double h = step_of(deck);
    const double scale = 0.25 * h * h;
    assembly::SparseMatrix A = system->make_matrix();
    system->set_matrix(q, {.m = 1 / scale, .c = 2 / h, .k = 1, .b = 1}, scale, A);
    LinearSolver blocks(A);
    LinearSolver klu(A, LinearSolver::Method::klu);
    ASSERT_TRUE(blocks.factorize() && klu.factorize()) << file;
    by_blocks += blocks.uses_blocks() ? 1 : 0;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> exact(static_cast<std::size_t>(A.size));
    for (double& x : exact) x = normal(random);
    std::vector<double> one = product(A, exact);
    std::vector<double> other = one;
    blocks.solve(one);
    klu.solve(other);
    const double best = distance(exact, other);
    EXPECT_LE(distance(other, one), 1e-10 + 100 * best) << file << ": KLU is off by " << best;
  }
  EXPECT_GE(by_blocks, 30);
}

}  // namespace
}  // namespace polhode::verification
