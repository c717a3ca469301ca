// SPDX-License-Identifier: BSD-3-Clause
// The analyses of a deck in turn.
#include "polhode/run/run.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "polhode/model/text.hpp"
#include "process_settings.hpp"
#include "run_observer.hpp"

namespace polhode::run {
namespace {

using analyses::AnalysisContext;
using analyses::End;
using model::counted;

std::string headline_of(const io::Deck& deck, const assembly::System& system) {
  const auto size = [](auto count, const char* what) { return counted(static_cast<long>(count), what); };
  return fmt::format("{}: {}, {}, {}, {}", deck.title.empty() ? deck.file : deck.title,
                     size(system.nodes() - 1, "node"), size(system.elements(), "element"),
                     size(system.free_unknowns(), "unknown"), size(system.rows(), "constraint row"));
}

std::string host_text(int threads) {
  utsname host{};
  uname(&host);
  return fmt::format("host: {}, {} {}; threads: {}", host.nodename, host.sysname, host.machine, threads);
}

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

// The reports of an analysis that has ended, as messages.
void report(const analyses::AnalysisResult& result, Messages& messages) {
  for (const std::string& line : result.summary) messages.info(line);
  if (result.failure)
    for (const std::string& line : lines_of(*result.failure)) messages.error(line);
  for (const std::string& line : result.notes) messages.note(line);
}

// One analysis after the other, until one of them does not end as it should.
void run_analyses(const io::Deck& deck, RunObserver& observer, Messages& messages, AnalysisContext& context,
                  RunResult& result) {
  for (std::size_t i = 0; i < deck.analyses.size() && result.status == Status::completed; ++i) {
    const analyses::Analysis& analysis = deck.analyses[i];
    context.index = static_cast<int>(i);
    context.path = io::analysis_path(deck, i);
    const double begin = context.q.t;
    observer.begin_analysis(context.index, begin, begin + analysis.duration(), context.external_work);
    messages.detail(fmt::format("{} ({}) begins at t = {:.9g} s", context.path, analysis.type().name(), begin));
    AnalysisSummary summary{context.path, std::string(analysis.type().name()), begin, begin, {}};
    summary.result = analysis.run(context);
    summary.end = context.q.t;
    report(summary.result, messages);
    result.counts += summary.result.counts;
    result.failure = summary.result.failure;
    result.status = status_of(summary.result.end);
    result.analyses.push_back(std::move(summary));
  }
}

void warn_of_subdivided_steps(const analyses::Counts& counts, RunObserver& observer) {
  constexpr long many = 20;  // one step of so many
  if (counts.halved * many <= counts.steps) return;
  observer.warn(fmt::format(
      "{} of {} steps converged in parts only: the step is too large for this motion, and its results are "
      "inaccurate; use a smaller `step`",
      counts.halved, counts.steps));
}

// Energy that nothing gave to the model is an error of the solution: above 5 % of the largest energy of the run.
void warn_of_gained_energy(const EnergyBalance& energy, double length, RunObserver& observer) {
  const double scale = std::max({std::abs(energy.first), std::abs(energy.last - energy.gain()),
                                 std::abs(energy.external_work), energy.largest_kinetic});
  const double round_off = 1e-9 * length;
  if (energy.gain() <= 0.05 * scale || energy.gain() <= round_off) return;
  observer.warn(
      "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step` "
      "or `tolerance`, or, of generalized-alpha methods, more numerical damping (a smaller `rho_infinity`)");
}

// Counts, energies and responses of the run, and what is to be said of them.
void summarize(const assembly::System& system, const AnalysisContext& context, const Recorder& recorder,
               RunObserver& observer, Messages& messages, RunResult& result) {
  warn_of_subdivided_steps(result.counts, observer);
  if (result.counts.steps > 0) {
    result.energy = EnergyBalance{observer.first_energy(), system.energies(context.q).total(), context.external_work,
                                  recorder.largest_kinetic_energy()};
    result.invariants = recorder.invariants().invariants();
  }
  for (const std::string& line : summary_of(result)) messages.info(line);
  if (result.energy) warn_of_gained_energy(*result.energy, system.length(), observer);
}

}  // namespace

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems) {
  for (std::size_t i = 0; i < deck.analyses.size(); ++i)
    deck.analyses[i].check({system, io::analysis_path(deck, i), problems});
}

RunResult run_deck(const io::Deck& deck, const RunSettings& settings, const RunCallbacks& callbacks) {
  const double start = cpu_seconds();
  const FlushDenormals flush_denormals;
  RunResult result;
  result.status = Status::invalid;
  auto system = assembly::System::make(deck.model, result.problems);
  if (!result.problems.empty()) return result;

  std::string log;
  Messages messages = callbacks.messages ? *callbacks.messages : Messages();
  messages.append_to(log);
  Recorder recorder(*system, deck, settings.results_file, result.problems);
  RunObserver observer(*system, deck, recorder, callbacks, messages,
                       settings.headline.empty() ? headline_of(deck, *system) : settings.headline);
  check_analyses(*system, deck, result.problems);
  const Threads threads(settings.threads, system->elements());
  result.threads = threads.number();
  if (!settings.program.empty()) messages.note(settings.program);
  if (settings.summarize) messages.note(host_text(result.threads));
  result.times.set_up = cpu_seconds() - start;
  messages.detail(fmt::format("set-up: {} nodes, {} batches of elements, {} unknowns, {} constraint rows, {} threads",
                              system->nodes() - 1, system->batches().size(), system->free_unknowns(), system->rows(),
                              result.threads));
  if (callbacks.begin) callbacks.begin();

  result.status = Status::completed;
  AnalysisContext context{*system, observer, result.problems, system->initial_state(), 0, false, 0, "", {}};
  run_analyses(deck, observer, messages, context, result);
  observer.finish(context.q, context.external_work);
  result.end_time = context.q.t;
  result.responses = recorder.responses();
  if (!result.problems.empty()) result.status = Status::invalid;
  const bool valid = result.status != Status::invalid;
  if (valid && settings.summarize) summarize(*system, context, recorder, observer, messages, result);
  result.times.analyses = cpu_seconds() - start - result.times.set_up;
  result.times.output = observer.output_seconds();
  if (valid && settings.summarize)
    messages.info(fmt::format(
        "CPU time {:.3f} s: reading {:.3f}, set-up {:.3f}, analyses {:.3f} (output took {:.3f} s of the clock)",
        settings.reading_seconds + result.times.set_up + result.times.analyses, settings.reading_seconds,
        result.times.set_up, result.times.analyses, result.times.output));
  result.warnings = observer.warnings();
  if (observer.has_begun()) {
    recorder.finish(file_status(result.status), log);
    result.results_file = settings.results_file;
  }
  return result;
}

}  // namespace polhode::run
