// SPDX-License-Identifier: BSD-3-Clause
// The catalog of analyses: one line a type, in the order of the reference page.
#include "polhode/analyses/catalog.hpp"

#include <algorithm>
#include <array>

#include "analyses/initial/analysis.hpp"
#include "analyses/linearize/analysis.hpp"
#include "analyses/modal/analysis.hpp"
#include "analyses/static/analysis.hpp"
#include "analyses/transient/analysis.hpp"

namespace polhode::analyses {

// References to functions with static objects: no type registers itself, and none is made before it is used.
std::span<const AnalysisType* const> analysis_types() {
  // clang-format off
  static const std::array<const AnalysisType*, 5> types{
      &initial_analysis(),
      &static_analysis(),
      &modal_analysis(),
      &linearize_analysis(),
      &transient_analysis(),
  };
  // clang-format on
  return types;
}

const AnalysisType* find_type(std::span<const AnalysisType* const> types, std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const auto* type) { return type->name() == name; });
  return found == types.end() ? nullptr : *found;
}

// The same corrections that a run makes, on a state that is thrown away.
StartReport check_consistent_start(const StartContext& context) {
  if (!context.problems.empty()) return {};
  const StartReport start = meet_constraints(context.system, context.q, context.duration, context.problems);
  if (context.problems.empty()) set_accelerations(context.system, context.q, context.problems);
  return start;
}

double duration_of(const std::vector<Analysis>& all) {
  double sum = 0;
  for (const Analysis& one : all) sum += one.duration();
  return sum;
}

// Times go on from one analysis to the next, and outputs may be asked for from a time on.
double expected_states(const std::vector<Analysis>& all, const results::OutputSettings& output) {
  double states = 0;
  double begin = 0;
  for (const Analysis& one : all) {
    // A motion goes on from the state that the analysis before has stored.
    if (states > 0 && one.duration() > 0) --states;
    states += one.expected_states(output, begin);
    begin += one.duration();
  }
  return states;
}

// What any of the analyses needs is in the file from its begin, empty for the others.
results::RunContents contents_of(const std::vector<Analysis>& all) {
  results::RunContents all_contents;
  for (const Analysis& one : all) {
    const results::RunContents contents = one.contents();
    all_contents.step_control |= contents.step_control;
    all_contents.static_analyses |= contents.static_analyses;
    all_contents.discrete_invariants |= contents.discrete_invariants;
    all_contents.modes += contents.modes;
  }
  return all_contents;
}

}  // namespace polhode::analyses
