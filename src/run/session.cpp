// SPDX-License-Identifier: BSD-3-Clause
// The parts of a run, made in turn.
#include "session.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "loose_nodes.hpp"
#include "model_size.hpp"
#include "polhode/analyses/initial/posture.hpp"
#include "polhode/analyses/joint_starts.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "polhode/math/free_memory.hpp"
#include "polhode/model/state_archive.hpp"
#include "polhode/model/text.hpp"
#include "polhode/model/units_in_text.hpp"
#include "process_settings.hpp"
#include "swinging_tables.hpp"

namespace polhode::run {
namespace {

using analyses::End;
using model::counted;

// "Four-bar mechanism: 33 nodes, 34 elements, 186 unknowns, 23 constraint rows"
std::string headline_of(const io::Deck& deck, const assembly::System& system) {
  const auto size = [](auto count, const char* what) { return counted(static_cast<long>(count), what); };
  return fmt::format("{}: {}, {}, {}, {}", deck.title.empty() ? deck.file : deck.title,
                     size(system.nodes() - 1, "node"), size(system.elements(), "element"),
                     size(system.free_unknowns(), "unknown"), size(system.rows(), "constraint row"));
}

// In the log of the file: numbers may be compared between hosts, times only on one.
std::string host_text(int threads) {
  utsname host{};
  uname(&host);
  return fmt::format("host: {}, {} {}; threads: {}", host.nodename, host.sysname, host.machine, threads);
}

// How the run ends where one of its analyses ends so.
Status status_of(End end) {
  switch (end) {
    case End::done:
      return Status::completed;
    case End::failed:
      return Status::failed;
    case End::interrupted:
      return Status::interrupted;
    case End::invalid:
      break;
  }
  return Status::invalid;
}

io::Status file_status(Status status) {
  if (status == Status::completed) return io::Status::completed;
  if (status == Status::interrupted) return io::Status::interrupted;
  return io::Status::failed;
}

// A few subdivided steps are an event of the motion; many say that the step is too large.
void warn_of_subdivided_steps(const analyses::Counts& counts, RunObserver& observer) {
  // One step of so many
  constexpr long many = 20;
  if (counts.halved * many <= counts.steps) return;
  observer.warn(
      fmt::format("{} of {} steps converged only when subdivided: the step is too large for this motion, and its "
                  "results are inaccurate; use a smaller `step`",
                  counts.halved, counts.steps));
}

// Those of the caller, with the log of this run as one receiver more.
Messages messages_for(const RunCallbacks& callbacks, std::string& log) {
  Messages messages = callbacks.messages ? *callbacks.messages : Messages();
  messages.append_to(log);
  return messages;
}

}  // namespace

// Each step may add problems, and the next is made only without them: a model that is wrong has no recorder,
// and wrong responses still have their analyses checked.
Session::Session(const io::Deck& deck, RunSettings settings, RunCallbacks callbacks)
    : deck_(deck),
      settings_(std::move(settings)),
      callbacks_(std::move(callbacks)),
      start_(cpu_seconds()),
      messages_(messages_for(callbacks_, log_)) {
  result_.status = Status::invalid;
  system_ = assembly::System::make(deck.model, result_.problems);
  if (!result_.problems.empty()) return;
  recorder_.emplace(*system_, deck, settings_.results_file, result_.problems);
  if (settings_.headline.empty()) settings_.headline = headline_of(deck, *system_);
  observer_.emplace(*system_, deck, *recorder_, callbacks_, messages_, settings_);
  check_analyses(*system_, deck, result_.problems);
  result_.threads = number_of_threads(settings_.threads, system_->elements());
  context_.emplace(analyses::AnalysisContext{*system_, *observer_, result_.problems, system_->initial_state()});
  result_.status = Status::completed;
  restarts_.emplace(deck, *recorder_, *observer_);
  observer_->set_restart_points(&*restarts_);
  note_set_up();
  if (!result_.problems.empty()) return;
  if (settings_.restart)
    take_up(*settings_.restart);
  else
    set_posture();
}

// A run begins where the deck gives its joints coordinates; one that is taken up has its state from the file.
void Session::set_posture() {
  analyses::PostureReport report;
  const auto stop = [this] { return observer_->interrupted(); };
  if (!analyses::set_coordinates(*system_, context_->q, report, result_.problems, stop))
    result_.status = result_.problems.empty() ? Status::interrupted : Status::invalid;
  for (const std::string& line : report.summary) messages_.info(line);
  for (const std::string& line : report.notes) messages_.note(line);
}

// Rows up to the point are those of the file, so that the results are those of one run.
void Session::take_up(const RestartFrom& from) {
  const io::RestartSource source(from.file);
  const std::optional<io::RestartHead> point = choose_point(source, deck_, from.at);
  messages_.info(text_of(point, deck_, from.file));
  if (!point) return;
  const std::vector<double> of_run = restarts_->go_on_from(from.file, *point, source.body_of(*point));
  math::Archive a(of_run);
  archive(a);
  if (!a.is_at_end() || result_.analyses.size() != static_cast<std::size_t>(point->analysis)) restarts_->refuse();
  observer_->take_over(source, *point);
  for (const AnalysisSummary& done : result_.analyses) report(done.result);
}

// Modes only where they count on.
void Session::archive(math::Archive& a) {
  a(context_->q, context_->external_work, context_->loaded, context_->events, *observer_);
  std::size_t done = result_.analyses.size();
  a(done);
  if (a.is_reading()) result_.analyses.resize(std::min(done, deck_.analyses.size()));
  for (AnalysisSummary& one : result_.analyses) {
    analyses::AnalysisResult& result = one.result;
    a(one.path, one.type, one.begin, one.end, result.summary, result.monitors, result.monitor_notes, result.notes,
      result.counts, result.ends_run);
  }
  a(result_.counts);
  const auto is_modal = [](const analyses::Analysis& one) { return one.as<analyses::ModalSettings>() != nullptr; };
  const auto next = deck_.analyses.begin() + static_cast<std::ptrdiff_t>(result_.analyses.size());
  if (std::any_of(next, deck_.analyses.end(), is_modal)) analyses::archive_modes(a, context_->modes);
}

void Session::note_set_up() {
  if (!settings_.program.empty()) messages_.note(settings_.program);
  if (settings_.summarize) messages_.note(host_text(result_.threads));
  messages_.detail(fmt::format("set-up: {} nodes, {} batches of elements, {} unknowns, {} constraint rows, {} threads",
                               system_->nodes() - 1, system_->batches().size(), system_->free_unknowns(),
                               system_->rows(), result_.threads));
  if (const std::string loose = warning_of_loose_nodes(*system_); !loose.empty()) observer_->warn(loose);
  if (const std::string size = warning_of_unknown_size(*system_); !size.empty()) observer_->warn(size);
  for (const std::string& swing : warnings_of_swinging_tables(*system_)) observer_->warn(swing);
  result_.times.set_up = cpu_seconds() - start_;
}

// After a failure the state is no start for what follows; an event may have ended the run.
bool Session::has_next() const {
  const bool ended = !result_.analyses.empty() && result_.analyses.back().result.ends_run;
  return result_.status == Status::completed && !ended && result_.analyses.size() < deck_.analyses.size();
}

// Time runs on: each analysis begins where the one before ended.
const analyses::Analysis& Session::begin_analysis() {
  const std::size_t i = result_.analyses.size();
  const analyses::Analysis& analysis = deck_.analyses[i];
  const double begin = context_->q.t;
  context_->index = static_cast<int>(i);
  context_->path = io::analysis_path(deck_, i);
  const std::string joints =
      analyses::start_joints(*system_, context_->path, context_->q, context_->external_work, result_.problems);
  if (!joints.empty()) messages_.info(joints);
  observer_->begin_analysis(context_->index, begin, begin + analysis.duration(), context_->external_work);
  const std::string type(analysis.type().name());
  messages_.detail(fmt::format("{} ({}) begins at t = {:.9g} s", context_->path, type, begin));
  math::Archive of_run;
  archive(of_run);
  restarts_->begin_analysis(context_->index, of_run.words());
  result_.analyses.push_back({context_->path, type, begin, begin, {}});
  return analysis;
}

// What the analysis reports becomes messages; its result is kept as it is.
void Session::report(const analyses::AnalysisResult& ended) {
  const auto named = [&](const std::string& line) { return model::in_units_of_deck(line, deck_.units); };
  for (const std::string& line : ended.summary) messages_.info(named(line));
  if (settings_.summarize) {
    for (const std::string& line : ended.monitors) messages_.info(named(line));
    for (const std::string& line : ended.monitor_notes) messages_.note(named(line));
  }
  if (ended.failure)
    for (const std::string& line : lines_of(*ended.failure)) messages_.error(named(line));
  for (const std::string& line : ended.notes) messages_.note(line);
}

void Session::end_analysis(analyses::AnalysisResult ended) {
  report(ended);
  result_.counts += ended.counts;
  result_.failure = ended.failure;
  result_.status = status_of(ended.end);
  // The step was the last one, so that nobody asked any more.
  if (observer_->is_cut() && result_.status == Status::completed) {
    result_.status = Status::interrupted;
    messages_.info("interrupted while states between two steps were stored; those that follow are missing");
  }
  result_.analyses.back().end = context_->q.t;
  result_.analyses.back().result = std::move(ended);
}

// What the analysis held is free again here, so that messages and the end of the file find memory.
void Session::end_without_memory(const std::bad_alloc& error) {
  analyses::Failure failure;
  failure.what = math::memory_text(error);
  failure.details = {"the model is " + headline_of(deck_, *system_),
                     "use fewer elements, or a machine with more memory"};
  analyses::AnalysisResult ended;
  ended.end = End::failed;
  ended.failure = std::move(failure);
  end_analysis(std::move(ended));
}

// Problems of a start end the run as invalid, though states of analyses before may be stored.
RunResult Session::finish() {
  if (!context_) return std::move(result_);
  observer_->finish(context_->q, context_->external_work);
  result_.end_time = context_->q.t;
  result_.responses = recorder_->responses();
  if (!result_.problems.empty()) result_.status = Status::invalid;
  if (result_.status != Status::invalid && settings_.summarize) summarize();
  result_.times.output = observer_->output_seconds();
  result_.warnings = observer_->warnings();
  if (observer_->has_begun()) {
    recorder_->finish(file_status(result_.status), log_);
    result_.results_file = settings_.results_file;
  }
  return std::move(result_);
}

// Counts, energies and responses of the run, and the warnings that follow from them.
void Session::summarize() {
  warn_of_subdivided_steps(result_.counts, *observer_);
  if (result_.counts.steps > 0) {
    result_.energy = EnergyBalance{observer_->first_energy(), system_->energies(context_->q).total(),
                                   context_->external_work, recorder_->largest_kinetic_energy()};
    result_.invariants = recorder_->invariants().invariants();
  }
  for (const std::string& line : summary_of(result_)) messages_.info(model::in_units_of_deck(line, deck_.units));
  RunTimes& times = result_.times;
  times.analyses = cpu_seconds() - start_ - times.set_up;
  messages_.info(fmt::format(
      "CPU time {:.3f} s: reading {:.3f}, set-up {:.3f}, analyses {:.3f} (output took {:.3f} s of the clock)",
      settings_.reading_seconds + times.set_up + times.analyses, settings_.reading_seconds, times.set_up,
      times.analyses, observer_->output_seconds()));
}

}  // namespace polhode::run
