// SPDX-License-Identifier: BSD-3-Clause
// Rows of states and steps, where they go.
#include "recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "deck_sampler.hpp"
#include "polhode/io/deck/restart_deck.hpp"
#include "polhode/run/check.hpp"
#include "results_size.hpp"

namespace polhode::run {

// The file itself is made in open(), once there is a state to store.
Recorder::Recorder(const assembly::System& system, const io::Deck& deck, std::string file, model::Problems& problems)
    : deck_(deck),
      name_(std::move(file)),
      sampler_(sampler_of(system, deck)),
      responses_(sampler_.layout(), deck.responses, problems),
      invariants_(sampler_.layout()) {}

// A size that is guessed from the first step under control may be wrong by orders of magnitude; that of states at given
// times is not.
void Recorder::check_space() const {
  if (name_.empty()) return;
  const ResultsSize size = results_size_of(deck_, sampler_.layout());
  const std::string shortage = shortage_of(name_, size.known_bytes);
  if (!shortage.empty()) throw io::ResultsError(shortage + shortage_remedy);
}

// Responses stand in the file from the start, as NaN.
void Recorder::open() {
  if (name_.empty()) return;
  io::RunInfo info = run_info_of(deck_);
  info.restart = restart_info_of(deck_, sampler_.layout());
  info.restart.tables = io::digest_of_tables(deck_);
  for (std::size_t i = 0; i < responses_.size(); ++i)
    info.responses.push_back({responses_.name(i), responses_.units(i), responses_.description(i)});
  file_ = std::make_unique<io::ResultsFile>(name_, info, sampler_.layout());
}

std::span<const double> Recorder::row_of(const model::State& q, const StateNumbers& numbers) {
  return sampler_.state_row(q, numbers.residual, numbers.external_work, analysis_, numbers.statics, numbers.invariants);
}

// A later analysis begins with the state that the one before has stored last.
// Only where it has changed something there (velocities of a start, accelerations) is it stored again.
void Recorder::add_state(const model::State& q, const StateNumbers& numbers) {
  const auto row = row_of(q, numbers);
  largest_kinetic_ = std::max(largest_kinetic_, sampler_.kinetic_energy());
  const bool first_of_later_analysis = analysis_ > last_analysis_ && q.t == last_time_ && !last_row_.empty();
  // /time, /analysis and /static do not count in the comparison.
  const auto from = static_cast<std::ptrdiff_t>(sampler_.labels());
  if (first_of_later_analysis && std::equal(row.begin() + from, row.end(), last_row_.begin() + from)) return;
  if (deck_.analyses.size() > 1) last_row_.assign(row.begin(), row.end());
  last_time_ = q.t;
  last_analysis_ = analysis_;
  if (file_) file_->append_state(row);
  ++states_;
  responses_.add_state(row);
  invariants_.add(row);
}

// The largest kinetic energy is that of stored states alone.
void Recorder::add_to_responses(const model::State& q, const StateNumbers& numbers) {
  responses_.add_state(row_of(q, numbers));
}

// All steps, whatever states are stored.
void Recorder::add_step(const integrators::StepReport& report, int wasted_iterations,
                        const integrators::WatchedStep& watched) {
  const auto row = sampler_.step_row(report, wasted_iterations, watched);
  if (file_) file_->append_step(row);
  ++steps_;
  responses_.add_step(row);
}

// Without a file there is nowhere to keep them.
void Recorder::replace(const std::vector<results::StaticData>& data) {
  if (!file_) return;
  for (results::StaticData one : data) {
    results::name_units(one, deck_.units);
    file_->replace(one);
  }
}

void Recorder::keep_point(io::RestartHead head, const std::vector<double>& body) {
  if (!file_) return;
  head.states = states_;
  head.steps = steps_;
  file_->keep_point(head, body);
}

// Row by row, as the run has written them.
void Recorder::take_over(const io::RestartSource& source, const io::RestartHead& point,
                         const std::vector<results::StaticData>& data) {
  open();
  if (!file_) return;
  source.copy_states(sampler_.layout(), point.states, [&](std::span<const double> row) { file_->append_state(row); });
  source.copy_steps(sampler_.layout(), point.steps, [&](std::span<const double> row) { file_->append_step(row); });
  for (const results::StaticData& one : data) file_->replace(source.data_like(one));
  for (const io::RestartHead& head : source.points())
    if (head.number <= point.number) file_->keep_point(head, source.body_of(head));
  file_->flush();
}

void Recorder::archive(math::Archive& a) {
  a(responses_, invariants_, last_analysis_, last_time_, last_row_, largest_kinetic_, states_, steps_);
}

std::vector<ResponseValue> Recorder::responses() const {
  std::vector<ResponseValue> all;
  for (std::size_t i = 0; i < responses_.size(); ++i)
    all.push_back({responses_.name(i), responses_.units(i), responses_.description(i), responses_.value(i)});
  return all;
}

// The log comes last, with all that was reported.
void Recorder::finish(io::Status status, const std::string& log) {
  if (!file_) return;
  for (std::size_t i = 0; i < responses_.size(); ++i) file_->set_response(responses_.name(i), responses_.value(i));
  file_->finish(status, log);
}

}  // namespace polhode::run
