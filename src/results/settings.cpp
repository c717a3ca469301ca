// SPDX-License-Identifier: BSD-3-Clause
// The keys of `output` and `responses`.
#include "polhode/results/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::results {
namespace {

using model::Given;
using model::Problems;
using model::Setting;
using Kind = Response::Kind;

// First parts of the paths of channels.
constexpr std::string_view groups[] = {"nodes",     "bodies", "beams",      "joints", "forces",
                                       "reactions", "energy", "invariants", "signals"};

constexpr Setting output_keys[] = {
    model::setting<&OutputSettings::every>(
        {.name = "every",
         .doc = "number of steps from one stored state to the next; the first and the last state are always stored",
         .min = 1,
         .max = 1e9}),
    model::setting<&OutputSettings::interval>(
        {.name = "interval",
         .unit = "s",
         .doc = "instead of every: time from one stored state to the next, independent of the steps",
         .min = 0,
         .min_exclusive = true}),
    model::setting<&OutputSettings::times>(
        {.name = "times",
         .unit = "s",
         .doc = "instead of every: times of the stored states, in addition to the first and the last",
         .min = 0}),
    model::setting<&OutputSettings::fields>(
        {.name = "fields", .doc = "groups of the results to store; default: all", .choices = groups}),
    model::setting<&OutputSettings::restart>(
        {.name = "restart",
         .doc = "number of steps from one restart point to the next, all of which are kept, 0 for none; default: 1000 "
                "steps of a transient and 100 load steps, and of these points the file keeps the last ones and some "
                "before",
         .min = 0,
         .max = 1e9}),
};

// As many as a run may have steps.
constexpr double most_states = 2e9;

// An empty list chooses nothing, where a missing one leaves the choice to the program.
void check_lists(const OutputSettings& settings, const Given& given, Problems& problems) {
  if (given.has("times") && settings.times.empty())
    problems.push_back({given.path_of("times"),
                        "the list is empty; give a time or more (the end of the run, for the first and the last state "
                        "alone), or remove it"});
  if (given.has("fields") && settings.fields.empty())
    problems.push_back({given.path_of("fields"),
                        "the list is empty; give a group or more (energy is small), or remove it to store all"});
}

// `every`, `interval` and `times` exclude each other; times lie within the run, and an interval makes no more states
// than can be counted.
void complete(OutputSettings& settings, const Given& given, Problems& problems) {
  check_lists(settings, given, problems);
  std::vector<double>& times = settings.times;
  std::sort(times.begin(), times.end());
  const auto equal = [](double a, double b) { return b - a <= 1e-12 * std::abs(b); };
  // Times that differ by round-off are one.
  times.erase(std::unique(times.begin(), times.end(), equal), times.end());
  if (!times.empty() && given.end_time > 0 && times.back() > given.end_time * (1 + 1e-9))
    problems.push_back(
        {given.path_of("times"), fmt::format("{} s is after the end of the analyses, {} s; leave it out",
                                             model::number_text(times.back()), model::number_text(given.end_time))});
  if (settings.interval && given.end_time / *settings.interval > most_states)
    problems.push_back({given.path_of("interval"), "makes more than 2e9 states of the run; choose a larger one"});
  std::string_view first;
  for (const std::string_view key : {"every", "interval", "times"}) {
    if (!given.has(key)) continue;
    if (!first.empty())
      problems.push_back(
          {given.path_of(key), fmt::format("excludes {}, both choose the stored states; remove one", first)});
    if (first.empty()) first = key;
  }
}

// A key that says the kind, with the name of the result.
template <Kind kind>
constexpr Setting of_kind(std::string_view name, std::string_view doc) {
  const auto assign = [](void* settings, const model::Value& value) {
    auto& response = *static_cast<Response*>(settings);
    response.kind = kind;
    response.of = std::get<std::string>(value);
  };
  const auto read = [](const void* settings) -> model::Value {
    const auto& response = *static_cast<const Response*>(settings);
    if (response.kind != kind) return {};
    return response.of;
  };
  return {.field = {.name = name, .type = model::FieldType::text, .doc = doc}, .assign = assign, .read = read};
}

constexpr Setting response_at_keys[] = {
    model::setting<&Response::time>({.name = "time",
                                     .unit = "s",
                                     .doc = "time at which the value is taken; linear between the steps around it",
                                     .required = true}),
    model::setting<&Response::of>({.name = "of",
                                   .doc = "the result, such as nodes.tip.position.z, or an \"=expression\" of results",
                                   .required = true}),
};

constexpr model::SettingsTable response_at_table{"at", "A result at a time.", response_at_keys};

// The mapping {time, of}, which is of the response itself.
constexpr Setting at_key() {
  const auto nested = [](void* settings) -> void* {
    static_cast<Response*>(settings)->kind = Kind::at;
    return settings;
  };
  const auto find = [](const void* settings) -> const void* {
    return static_cast<const Response*>(settings)->kind == Kind::at ? settings : nullptr;
  };
  return {.field = {.name = "at", .type = model::FieldType::group, .doc = "value at a time"},
          .members = &response_at_table,
          .nested = nested,
          .find = find};
}

constexpr Setting response_keys[] = {
    of_kind<Kind::max_abs>("max_abs", "largest absolute value; of a vector its Euclidean norm"),
    of_kind<Kind::range>("range", "largest minus smallest value"),
    of_kind<Kind::min>("min", "smallest value"),
    of_kind<Kind::max>("max", "largest value"),
    of_kind<Kind::last>("last", "value at the end"),
    of_kind<Kind::rms>("rms", "root of the mean square over time"),
    at_key(),
};

// Keys exclude each other: which one is given is the kind.
void complete_response(Response&, const Given& given, Problems& problems) {
  if (given.keys.size() != 1)
    problems.push_back({given.path, "give exactly one of max_abs, range, min, max, last, rms, at"});
}

}  // namespace

const model::SettingsTable output_table{"output", "What is stored.", output_keys, nullptr,
                                        model::completed_by<complete>};
const model::SettingsTable response_table{
    "response",
    "A number of a run: one of these keys, with the name of a result or an \"=expression\" of "
    "results, parameters and t.",
    response_keys, nullptr, model::completed_by<complete_response>};

}  // namespace polhode::results
