// SPDX-License-Identifier: BSD-3-Clause
// The initial analysis of a run: what it moved, as a table.
#include "analyses/initial/analysis.hpp"

#include <fmt/format.h>

#include "polhode/analyses/initial/posture.hpp"

namespace polhode::analyses {

namespace {

class InitialAnalysis final : public AnalysisTypeOf<InitialSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const InitialSettings& settings, AnalysisContext& context) const override;
  std::string check_start(const InitialSettings& settings, const StartContext& context) const override;
  std::string describe(const InitialSettings&) const override { return "constraints met with the least change"; }
};

// The table of what was moved is cut on the terminal and whole in the log.
// Moving a state changes its energy; as a later analysis the change is booked as external work,
// so that the balance of the run stays meaningful.
AnalysisResult InitialAnalysis::run(const InitialSettings&, AnalysisContext& context) const {
  constexpr std::size_t most_lines = 20;
  const double energy = context.system.energies(context.q).total();
  AnalysisResult result;
  std::vector<NodeChange> changes;
  std::string redundant;
  const auto stop = [&context] { return context.observer.interrupted(); };
  // A static analysis before has left the model at rest.
  const State before = context.q;
  if (context.observer.has_begun() && !set_motion_again(context.system, context.q, context.problems)) {
    result.end = End::invalid;
    return result;
  }
  if (!meet_all_constraints(context.system, context.q, changes, redundant, context.problems, stop, context.loaded)) {
    result.end = context.problems.empty() ? End::interrupted : End::invalid;
    if (context.problems.empty()) result.summary.emplace_back("interrupted in `initial`: nothing was moved");
    return result;
  }
  changes = changes_between(context.system, before, context.q);
  // As a later analysis it changes the energy; as the first one it gives the state where the run begins.
  if (context.observer.has_begun()) context.external_work += context.system.energies(context.q).total() - energy;
  context.observer.observe(context.q, context.external_work);
  if (!redundant.empty()) context.observer.warn(redundant);
  if (changes.empty()) {
    result.summary.emplace_back(
        "initial: positions and velocities of the deck meet the constraints, nothing was moved");
  } else {
    result.summary = table_of(context.system, changes, most_lines);
    result.summary.insert(result.summary.begin(), fmt::format("initial: {} of {} nodes moved to meet the constraints",
                                                              changes.size(), context.system.nodes() - 1));
  }
  if (changes.size() > most_lines) result.notes = table_of(context.system, changes, changes.size());
  result.data = std::move(changes);
  return result;
}

// `polhode check` stops here: the state is moved in memory, and the number of nodes reported.
std::string InitialAnalysis::check_start(const InitialSettings&, const StartContext& context) const {
  std::vector<NodeChange> changes;
  std::string redundant;
  meet_all_constraints(context.system, context.q, changes, redundant, context.problems);
  return fmt::format("{} nodes are moved to meet the constraints", changes.size());
}

}  // namespace

const AnalysisTypeOf<InitialSettings>& initial_analysis() {
  static const InitialAnalysis type(initial_table);
  return type;
}

}  // namespace polhode::analyses
