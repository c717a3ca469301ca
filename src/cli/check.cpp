// SPDX-License-Identifier: BSD-3-Clause
// polhode check: reads and validates a deck, assembles the model and meets its constraints, and prints a summary.
#include <cstdio>
#include <map>

#include "analyses_run.hpp"
#include "commands.hpp"
#include "polhode/analyses/initial/initial.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/static/static.hpp"
#include "polhode/integrators/structure.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::cli {

int check(const CheckOptions& options) {
  const io::Deck deck = io::read_deck(options.deck);
  model::Problems problems;
  const auto refuse_problems = [&] {
    if (!problems.empty()) throw io::DeckError(io::format_problems(deck, problems));
  };
  auto system = assembly::System::make(deck.model, problems);
  refuse_problems();
  const results::Sampler sampler(*system, deck.output.fields, analyses::any_controlled(deck.analyses),
                                  analyses::has_static(deck.analyses), analyses::any_keeps_structure(deck.analyses));
  const results::ResponseValues responses(sampler.layout(), deck.responses, problems);
  check_analyses(*system, deck, problems);
  model::State q = system->initial_state();
  const double all = analyses::duration_of(deck.analyses);
  const double first = analyses::duration_of(deck.analyses.front());
  const double duration = first > 0 ? first : all > 0 ? all : 1;
  // An analysis of type initial meets any violation.
  const bool assembles = std::holds_alternative<analyses::InitialSettings>(deck.analyses.front());
  analyses::Redundancy redundancy(*system);
  const std::string over_constrained = redundancy.begin(q);
  analyses::StartReport start;
  std::vector<analyses::NodeChange> changes;
  if (assembles) {
    std::string redundant;
    analyses::meet_all_constraints(*system, q, changes, redundant, problems);
  } else if (std::holds_alternative<analyses::StaticSettings>(deck.analyses.front())) {
    analyses::check_static_start(*system, q, false, problems);
  } else {
    refuse_problems();
    start = analyses::meet_constraints(*system, q, duration, problems);
    refuse_problems();
    if (analyses::set_accelerations(*system, q, problems))
      if (const auto* transient = std::get_if<analyses::TransientSettings>(&deck.analyses.front()))
        check_structure(*system, transient->integrator, transient->path, q, transient->step, problems);
  }
  refuse_problems();

  const double states = analyses::expected_states(deck.analyses, deck.output);
  const bool by_steps = !deck.output.interval && deck.output.times.empty();
  const bool guessed = by_steps && analyses::any_controlled(deck.analyses);
  std::map<std::string, int> kinds;
  for (const auto& batch : system->batches()) kinds[std::string(batch->kind())] += static_cast<int>(batch->size());

  std::printf("%s\n", deck.title.empty() ? options.deck.c_str() : deck.title.c_str());
  std::printf("  nodes                %zu\n", system->nodes() - 1);
  for (const auto& [kind, count] : kinds) std::printf("  %-20s %d\n", kind.c_str(), count);
  std::printf("  unknowns             %d\n", system->free_unknowns());
  const int rank = system->rows() - static_cast<int>(system->left_out().size());
  std::printf("  constraints          %d rows, rank %d\n", system->rows(), rank);
  if (!over_constrained.empty()) std::printf("                       %s\n", over_constrained.c_str());
  std::printf("  degrees of freedom   %d\n", system->free_unknowns() - rank);
  std::printf("  size                 %.6g m\n", system->length());
  if (assembles)
    std::printf("  start                %zu nodes are moved to meet the constraints\n", changes.size());
  else if (system->rows() > 0 && first > 0)
    std::printf("  start                constraints met to %.2g of the size, %.2g of the speed\n",
                start.position_violation, start.velocity_violation);
  std::printf("  results              about %.3g MB, %zu histories, %s%.0f states%s\n",
              states * static_cast<double>(sampler.layout().state_size) * 8e-6, sampler.layout().states.size(),
              guessed ? "some " : "", states, guessed ? " (a guess: steps are under control)" : "");
  return done;
}

}  // namespace polhode::cli
