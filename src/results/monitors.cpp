// SPDX-License-Identifier: BSD-3-Clause
// The table of monitors, one entry each, and what it makes.
#include "polhode/results/monitors.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "polhode/integrators/step_record.hpp"

namespace polhode::results {
namespace {

// {name, unit, doc, value, smallest, history, detail, sampled}; one entry a paragraph.
// clang-format off
constexpr Monitor table[] = {
    {"turn", "rad", "largest rotation of a node in the step, by its rate; from about 1 on steps are too large",
     [](const StepSample& s) { return s.watched.turn; }, false, "/monitors/turn"},
    {"twist", "rad", "largest rotation between the ends of a beam's element, against the initial configuration; looked at "
     "each 16th step; from about 0.5 on more elements are worth while, pi is the bound",
     [](const StepSample& s) { return s.watched.twist; }, false, "/monitors/twist", false, true},
    {"energy_balance", "J", "energy that nothing accounts for, since the start of the analysis; looked at each 32nd step",
     [](const StepSample& s) { return s.watched.energy_balance; }, false, "/monitors/energy_balance"},
    {"contraction", "1", "last increment of Newton's iteration over the one before; near 1 it hardly converges",
     [](const StepSample& s) { return s.report.contraction; }, false, "/solver/contraction"},
    {"constraint_residual", "m, rad", "Euclidean norm of the constraints at the last evaluation",
     [](const StepSample& s) { return s.report.constraint_residual; }, false, "/solver/constraint_residual"},
    {"multiplier_oscillation", "1", "part of the multipliers that changes sign from step to step, over the largest ones so "
     "far; looked at each 16th step, and in the first ones; no smaller at the end than at its worst, it grows",
     [](const StepSample& s) { return s.watched.oscillation; }, false, "/monitors/multiplier_oscillation"},
    {"fastest_motion", "1", "step times angular frequency of the fastest motion that there is; looked at each 16th step; "
     "above 1 steps hardly resolve it, above 2.5 not at all",
     [](const StepSample& s) { return s.watched.motion; }, false, "/monitors/fastest_motion", true, true},
    {"pivot_ratio", "1", "smallest over largest pivot of the last factorization; falls near singular positions",
     [](const StepSample& s) { return s.watched.pivot_ratio; }, true, "/monitors/pivot_ratio"},
};
// clang-format on

constexpr std::size_t count = std::size(table);

// A channel's function has no data: one function for each entry of the table.
template <std::size_t i>
void fill_from_table(const StepSample& sample, double* to) {
  *to = table[i].value(sample);
}

template <std::size_t... i>
constexpr std::array<void (*)(const StepSample&, double*), count> make_fills(std::index_sequence<i...>) {
  return {fill_from_table<i>...};
}

constexpr auto fills = make_fills(std::make_index_sequence<count>{});

// NaN, of a step without a value, is neither worst nor last: it is above nothing.
template <bool smallest>
void add_value(double value, double time, MonitorExtremes::Extreme& extreme) {
  const double badness = smallest ? -value : std::abs(value);
  if (badness > extreme.badness) {
    extreme.badness = badness;
    extreme.worst = value;
    extreme.time = time;
  }
  if (!std::isnan(value)) extreme.last = value;
}

}  // namespace

std::span<const Monitor> monitors() { return table; }

std::vector<StepChannel> monitor_channels() {
  std::vector<StepChannel> channels;
  for (std::size_t i = 0; i < count; ++i) {
    const Monitor& monitor = table[i];
    if (!monitor.history.starts_with("/monitors/")) continue;
    channels.push_back(
        {std::string(monitor.history), {}, std::string(monitor.unit), "", std::string(monitor.doc), fills[i]});
  }
  return channels;
}

MonitorExtremes::MonitorExtremes() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  extremes_.assign(count, {none, none, none, -std::numeric_limits<double>::infinity()});
}

// Each function of the table is known here, so that a step costs no calls.
void MonitorExtremes::add(const StepSample& sample, bool looked) {
  const auto add_one = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
    if (table[i].sampled && !looked) return;
    add_value<table[i].smallest>(table[i].value(sample), sample.report.t, extremes_[i]);
  };
  const auto add_each = [&]<std::size_t... i>(std::index_sequence<i...>) {
    (add_one(std::integral_constant<std::size_t, i>()), ...);
  };
  add_each(std::make_index_sequence<count>{});
}

std::vector<std::string> MonitorExtremes::lines(bool detail) const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    const Extreme& extreme = extremes_[i];
    if (std::isnan(extreme.worst) || table[i].detail != detail) continue;
    const std::string unit = table[i].unit == "1" ? "" : " " + std::string(table[i].unit);
    lines.push_back(fmt::format("{}: worst {:.3g}{} at t = {:.6g} s, {:.3g}{} at the end", table[i].name, extreme.worst,
                                unit, extreme.time, extreme.last, unit));
  }
  return lines;
}

}  // namespace polhode::results
