// SPDX-License-Identifier: BSD-3-Clause
// The summary of a run as text.
#include <fmt/format.h>

#include "polhode/model/text.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {
namespace {

using Components = std::array<double, 3>;

// "[1, 2, 3]", or "1" of a single component; `pattern` formats a number.
std::string list_of(const Components& values, std::size_t size, const char* pattern) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) text += ", ";
    text += fmt::format(fmt::runtime(pattern), values[i]);
  }
  return size > 1 ? "[" + text + "]" : text;
}

Components difference(const Components& a, const Components& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

// Drift: last less first value. Spread: largest less smallest.
std::string line_of(const Invariant& q) {
  return fmt::format("{} {} {} {}, drift {}, spread {}", q.name, list_of(q.first, q.size, "{:.9g}"), q.units,
                     q.from_first_step ? "in the first step" : "at the start",
                     list_of(difference(q.last, q.first), q.size, "{:+.3g}"),
                     list_of(difference(q.largest, q.smallest), q.size, "{:.3g}"));
}

// Counts that are zero are not mentioned.
std::string line_of(const analyses::Counts& counts, double end_time) {
  const auto steps = static_cast<double>(counts.steps);
  std::string text = fmt::format("{} steps to t = {:.6g} s, {:.3f} linear solves a step", counts.steps, end_time,
                                 static_cast<double>(counts.iterations) / steps);
  if (counts.factorizations < counts.iterations)
    text += fmt::format(", {:.3f} factorizations", static_cast<double>(counts.factorizations) / steps);
  if (counts.halved > 0) text += fmt::format("; {} steps subdivided", counts.halved);
  if (counts.wasted > 0) text += fmt::format(", {} wasted", model::counted(counts.wasted, "solve"));
  if (counts.round_off > 0) text += fmt::format("; {} stopped at round-off", counts.round_off);
  return text;
}

std::string line_of(const EnergyBalance& energy) {
  return fmt::format(
      "energy {:.9g} J at the start, {:.9g} J at the end, {:.9g} J of work done on the model, balance {:+.3g} J",
      energy.first, energy.last, energy.external_work, energy.gain());
}

}  // namespace

std::vector<std::string> summary_of(const RunResult& result) {
  std::vector<std::string> lines;
  if (result.counts.steps > 0) lines.push_back(line_of(result.counts, result.end_time));
  if (result.energy) lines.push_back(line_of(*result.energy));
  for (const Invariant& invariant : result.invariants) lines.push_back(line_of(invariant));
  for (const ResponseValue& response : result.responses)
    lines.push_back(fmt::format("{} = {:.9g}  ({})", response.name, response.value, response.description));
  return lines;
}

}  // namespace polhode::run
