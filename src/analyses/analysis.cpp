// SPDX-License-Identifier: BSD-3-Clause
// What all types of analysis share: counts, and a failure as text.
#include "polhode/analyses/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::analyses {
namespace {

constexpr std::size_t most_iterations = 8;  // of a table that a person reads

// One iteration. The contraction, the ratio of two increments, shows whether Newton's method was on its way:
// far below 1 and falling, or not at all.
std::string line_of(const Failure& failure, std::size_t i) {
  const integrators::Iteration& it = failure.iterations[i];
  const double before = i > 0 ? failure.iterations[i - 1].increment : 0;
  const bool solved = it.increment > 0;
  const std::string increment = solved ? fmt::format("{:.6g}", it.increment) : "-";
  const std::string contraction = solved && before > 0 ? fmt::format("{:.3g}", it.increment / before) : "-";
  return fmt::format("  {:9}   {:17.6g}   {:20.6g}   {:>20}   {:>11}", i, it.residual, it.constraint_residual,
                     increment, contraction);
}

}  // namespace

// The last iterations say most; those before them are dropped from a long table.
std::vector<std::string> lines_of(const Failure& failure) {
  std::vector<std::string> lines{"error: " + failure.what};
  const std::size_t count = failure.iterations.size();
  if (count > 0)
    lines.emplace_back(
        "  iteration   residual [N, N m]   constraints [m, rad]   increment [weighted]   contraction");
  for (std::size_t i = count - std::min(count, most_iterations); i < count; ++i) lines.push_back(line_of(failure, i));
  if (!failure.worst.empty()) lines.emplace_back("  worst rows:");
  for (const std::string& row : failure.worst) lines.push_back("    " + row);
  for (const std::string& detail : failure.details) lines.push_back("  " + detail);
  return lines;
}

Counts& Counts::operator+=(const Counts& other) {
  steps += other.steps;
  iterations += other.iterations;
  wasted += other.wasted;
  factorizations += other.factorizations;
  halved += other.halved;
  round_off += other.round_off;
  return *this;
}

}  // namespace polhode::analyses
