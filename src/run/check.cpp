// SPDX-License-Identifier: BSD-3-Clause
// What can be checked before a run, and the sizes of the model.
#include "polhode/run/check.hpp"

#include <fmt/format.h>

#include <limits>

#include "polhode/analyses/initial/initial.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/static/static.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/run/run.hpp"

namespace polhode::run {
namespace {

results::Sampler sampler_of(const assembly::System& system, const io::Deck& deck) {
  return {system, deck.output.fields, analyses::contents_of(deck.analyses)};
}

// The speed of a model at rest counts against its size and a duration: of the first analysis, else of all.
double duration_of(const io::Deck& deck) {
  const double first = analyses::duration_of(deck.analyses.front());
  const double all = analyses::duration_of(deck.analyses);
  if (first > 0) return first;
  return all > 0 ? all : 1;
}

void check_initial_start(const assembly::System& system, model::State& q, ModelSummary& summary) {
  std::vector<analyses::NodeChange> changes;
  std::string redundant;
  analyses::meet_all_constraints(system, q, changes, redundant, summary.problems);
  summary.start = fmt::format("{} nodes are moved to meet the constraints", changes.size());
}

void check_other_start(const assembly::System& system, const io::Deck& deck, model::State& q, ModelSummary& summary) {
  if (!summary.problems.empty()) return;
  const analyses::StartReport start = analyses::meet_constraints(system, q, duration_of(deck), summary.problems);
  if (!summary.problems.empty()) return;
  if (system.rows() > 0 && analyses::duration_of(deck.analyses.front()) > 0)
    summary.start = fmt::format("constraints met to {:.2g} of the size, {:.2g} of the speed", start.position_violation,
                                start.velocity_violation);
  if (!analyses::set_accelerations(system, q, summary.problems)) return;
  if (const auto* transient = std::get_if<analyses::TransientSettings>(&deck.analyses.front()))
    check_transient(system, *transient, q, summary.problems);
}

// Returns the number of constraint equations that are dropped as redundant.
int check_start(const assembly::System& system, const io::Deck& deck, ModelSummary& summary) {
  model::State q = system.initial_state();
  analyses::Redundancy redundancy(system);
  summary.redundant = redundancy.begin(q);
  const analyses::Analysis& first = deck.analyses.front();
  if (std::holds_alternative<analyses::InitialSettings>(first))
    check_initial_start(system, q, summary);
  else if (std::holds_alternative<analyses::StaticSettings>(first))
    analyses::check_static_start(system, q, false, summary.problems);
  else
    check_other_start(system, deck, q, summary);
  return q.dropped.count();
}

void set_sizes(const assembly::System& system, int dropped, ModelSummary& summary) {
  summary.nodes = system.nodes() - 1;
  for (const auto& batch : system.batches())
    summary.kinds[std::string(batch->kind())] += static_cast<int>(batch->size());
  summary.unknowns = system.free_unknowns();
  summary.constraint_rows = system.rows();
  summary.constraint_rank = system.rows() - dropped;
  summary.length = system.length();
}

void set_results(const results::Layout& layout, const io::Deck& deck, ModelSummary& summary) {
  summary.states = analyses::expected_states(deck.analyses, deck.output);
  const bool by_steps = !deck.output.interval && deck.output.times.empty();
  summary.states_are_guessed = by_steps && analyses::any_controlled(deck.analyses);
  summary.histories = layout.states.size();
  summary.result_bytes = summary.states * static_cast<double>(layout.state_size * sizeof(double));
}

}  // namespace

ModelSummary check_deck(const io::Deck& deck) {
  ModelSummary summary;
  auto system = assembly::System::make(deck.model, summary.problems);
  if (!summary.problems.empty()) return summary;
  const results::Sampler sampler = sampler_of(*system, deck);
  const results::ResponseValues responses(sampler.layout(), deck.responses, summary.problems);
  check_analyses(*system, deck, summary.problems);
  const int dropped = check_start(*system, deck, summary);
  set_sizes(*system, dropped, summary);
  set_results(sampler.layout(), deck, summary);
  return summary;
}

std::vector<ResponseValue> check_responses(const io::Deck& deck, model::Problems& problems) {
  auto system = assembly::System::make(deck.model, problems);
  if (!problems.empty()) return {};
  const results::Sampler sampler = sampler_of(*system, deck);
  const results::ResponseValues values(sampler.layout(), deck.responses, problems);
  std::vector<ResponseValue> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back(
        {values.name(i), values.units(i), values.description(i), std::numeric_limits<double>::quiet_NaN()});
  return all;
}

}  // namespace polhode::run
