// SPDX-License-Identifier: BSD-3-Clause
// polhode check: reads and validates a deck, assembles the model and meets its constraints, and prints a summary.
#include <cstdio>
#include <map>

#include "commands.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/responses.hpp"
#include "polhode/analyses/sampler.hpp"
#include "polhode/analyses/start.hpp"
#include "polhode/io/deck.hpp"

namespace polhode::cli {

int check(const CheckOptions& options) {
  const io::Deck deck = io::read_deck(options.deck);
  model::Problems problems;
  const auto refuse_problems = [&] {
    if (!problems.empty()) throw io::DeckError(io::format_problems(deck, problems));
  };
  auto system = assembly::System::make(deck.model, problems);
  refuse_problems();
  const analyses::Sampler sampler(*system, deck.output.fields, analyses::any_controlled(deck.analyses));
  const analyses::ResponseValues responses(sampler.layout(), deck.responses, problems);
  model::State q = system->initial_state();
  const double duration = deck.analyses.empty() ? 1 : deck.analyses.front().duration;
  analyses::Redundancy redundancy(*system);
  const std::string over_constrained = redundancy.begin(q);
  const analyses::StartReport start = analyses::meet_constraints(*system, q, duration, problems);
  refuse_problems();
  analyses::set_accelerations(*system, q, problems);
  refuse_problems();

  double states = 0;
  for (double begin = 0; const analyses::TransientSettings& a : deck.analyses) {
    states += analyses::expected_states(a, deck.output, begin);
    begin += a.duration;
  }
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
  if (system->rows() > 0)
    std::printf("  start                constraints met to %.2g of the size, %.2g of the speed\n",
                start.position_violation, start.velocity_violation);
  std::printf("  results              about %.3g MB, %zu histories, %s%.0f states%s\n",
              states * static_cast<double>(sampler.layout().state_size) * 8e-6, sampler.layout().states.size(),
              guessed ? "some " : "", states, guessed ? " (a guess: steps are under control)" : "");
  return done;
}

}  // namespace polhode::cli
