// SPDX-License-Identifier: BSD-3-Clause
// What can be checked before a run, and the sizes of the model.
#include "polhode/run/check.hpp"

#include <cctype>
#include <limits>
#include <utility>

#include "deck_sampler.hpp"
#include "loose_nodes.hpp"
#include "magnitudes.hpp"
#include "model_size.hpp"
#include "polhode/analyses/initial/posture.hpp"
#include "polhode/analyses/joint_starts.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/assembly/feedback.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/run/run.hpp"
#include "results_size.hpp"
#include "swinging_tables.hpp"

namespace polhode::run {
namespace {

// The speed of a model at rest counts against its size and a duration: of the first analysis, else of all.
double duration_of(const io::Deck& deck) {
  const double first = deck.analyses.front().duration();
  const double all = analyses::duration_of(deck.analyses);
  if (first > 0) return first;
  return all > 0 ? all : 1;
}

// The start of the first analysis; others start from where it ends.
void check_start(const assembly::System& system, const io::Deck& deck, ModelSummary& summary) {
  model::State q = system.initial_state();
  analyses::PostureReport posture;
  analyses::set_coordinates(system, q, posture, summary.problems);
  summary.constraint_rows = system.rows();
  summary.masses = mass_properties_of(system, q);
  if (!summary.problems.empty()) return;
  double work = 0;
  analyses::start_joints(system, io::analysis_path(deck, 0), q, work, summary.problems);
  if (!summary.problems.empty()) return;
  analyses::Redundancy redundancy(system);
  summary.redundant = redundancy.begin(q);  // equations that are dropped do not count in the rank
  summary.start = deck.analyses.front().check_start({system, q, duration_of(deck), summary.problems});
  if (!posture.summary.empty()) summary.start = posture.summary.front() + "; " + summary.start;
  summary.constraint_rank = system.rows() - q.dropped.count();
  // Locks that do not hold are equations of nothing
  summary.constraint_rows -= static_cast<int>(q.dropped.open.size());
}

// Kinds by their names, elements summed over batches.
void set_sizes(const assembly::System& system, ModelSummary& summary) {
  summary.nodes = system.nodes() - 1;
  for (const auto& batch : system.batches())
    summary.kinds[std::string(batch->kind())] += static_cast<int>(batch->size());
  summary.unknowns = system.free_unknowns();
  summary.length = system.length();
}

// Drives add equations of their own to a joint's entry.
void set_joints(const assembly::System& system, ModelSummary& summary) {
  std::map<int, int> rows;
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) rows[batch->entry_of(e)] += batch->rows();
  for (const model::JointTopology& joint : system.joints()) {
    const model::Entry& entry = system.model().entries[static_cast<std::size_t>(joint.entry)];
    summary.joints.push_back({entry.path(), std::string(entry.kind->name), 6 - rows[joint.entry]});
  }
}

// "motor", or "about.motor" of a member of a group, "0.motor" of one of a list.
const model::Field* field_of(std::span<const model::Field> fields, std::string_view key) {
  for (const model::Field& field : fields) {
    if (field.name == key) return &field;
    if (!key.starts_with(field.name) || field.members.empty()) continue;
    std::string_view rest = key.substr(field.name.size() + 1);
    if (field.or_list && std::isdigit(static_cast<unsigned char>(rest.front()))) rest = rest.substr(rest.find('.') + 1);
    return field_of(field.members, rest);
  }
  return nullptr;
}

void set_feedback(const assembly::System& system, ModelSummary& summary) {
  const auto entry_of = [&](int entry) -> const model::Entry& {
    return system.model().entries[static_cast<std::size_t>(entry)];
  };
  for (const assembly::Feedback& feedback : assembly::feedback_of(system)) {
    const model::Entry& entry = entry_of(feedback.entry);
    const model::Field* field = field_of(entry.kind->fields, feedback.key);
    ModelSummary::Feedback& made = summary.feedback.emplace_back(
        ModelSummary::Feedback{entry.path(feedback.key), std::string(field ? field->unit : ""), {}});
    for (const int signal : feedback.sensors) {
      const model::SignalEntry& measured = system.signals().signals()[static_cast<std::size_t>(signal)];
      made.follows.push_back({entry_of(measured.entry).path(), measured.unit});
    }
  }
}

void set_results(const results::Layout& layout, const io::Deck& deck, ModelSummary& summary) {
  const ResultsSize size = results_size_of(deck, layout);
  summary.states = size.states;
  summary.states_are_guessed = size.states_are_guessed;
  summary.histories = layout.states.size();
  summary.result_bytes = size.bytes;
  summary.result_bytes_are_guessed = size.bytes_are_guessed;
  summary.known_result_bytes = size.known_bytes;
}

}  // namespace

// All checks add to one list of problems, so that a deck with several is corrected once.
ModelSummary check_deck(const io::Deck& deck) {
  ModelSummary summary;
  auto system = assembly::System::make(deck.model, summary.problems);
  if (!summary.problems.empty()) return summary;
  if (std::string loose = warning_of_loose_nodes(*system); !loose.empty()) summary.warnings.push_back(std::move(loose));
  if (std::string size = warning_of_unknown_size(*system); !size.empty()) summary.warnings.push_back(std::move(size));
  for (std::string& magnitude : warnings_of_magnitudes(deck)) summary.warnings.push_back(std::move(magnitude));
  for (std::string& swing : warnings_of_swinging_tables(*system)) summary.warnings.push_back(std::move(swing));
  const results::Sampler sampler = sampler_of(*system, deck);
  const results::ResponseValues responses(sampler.layout(), deck.responses, summary.problems);
  check_analyses(*system, deck, summary.problems);
  check_start(*system, deck, summary);
  set_sizes(*system, summary);
  set_joints(*system, summary);
  set_feedback(*system, summary);
  set_results(sampler.layout(), deck, summary);
  return summary;
}

std::string shortage_of_space(const ModelSummary& summary, const std::string& file) {
  return shortage_of(file, summary.result_bytes);
}

std::string known_shortage_of_space(const ModelSummary& summary, const std::string& file) {
  return shortage_of(file, summary.known_result_bytes);
}

// For studies: names, units and descriptions of the columns before any case has run. Values are NaN.
std::vector<ResponseValue> check_responses(const io::Deck& deck, model::Problems& problems) {
  auto system = assembly::System::make(deck.model, problems);
  if (!problems.empty()) return {};
  const results::Sampler sampler = sampler_of(*system, deck);
  const results::ResponseValues values(sampler.layout(), deck.responses, problems);
  std::vector<ResponseValue> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back({values.name(i), values.units(i), values.description(i), std::numeric_limits<double>::quiet_NaN()});
  return all;
}

}  // namespace polhode::run
