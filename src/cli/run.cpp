// SPDX-License-Identifier: BSD-3-Clause
// polhode run: reads a deck, does its analyses in turn, and says how it went.
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "floating_point.hpp"
#include "run_observer.hpp"
#include "threads.hpp"

namespace polhode::cli {
namespace {

using analyses::TransientResult;

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::max(0, std::vsnprintf(nullptr, 0, pattern, arguments));
  std::string text(static_cast<std::size_t>(length), ' ');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void explain(const integrators::StepReport& failure, const analyses::TransientSettings& settings, Log& log) {
  log.say(format("error: the step of %.6g s to t = %.9g s %s after %d linear solves", failure.h, failure.t,
                 std::string(integrators::text_of(failure.outcome)).c_str(), failure.iterations));
  log.say("  iteration   residual [N, N m]   constraints [m, rad]   increment [weighted]   contraction");
  const std::size_t count = failure.history.size(), first = count > 8 ? count - 8 : 0;
  for (std::size_t i = first; i < count; ++i) {
    const integrators::Iteration& it = failure.history[i];
    const double before = i > 0 ? failure.history[i - 1].increment : 0;
    log.say(format("  %9zu   %17.6g   %20.6g   %20s   %11s", i, it.residual, it.constraint_residual,
                   it.increment > 0 ? format("%.6g", it.increment).c_str() : "-",
                   it.increment > 0 && before > 0 ? format("%.3g", it.increment / before).c_str() : "-"));
  }
  log.say("  worst rows:");
  for (const std::string& row : failure.worst) log.say("    " + row);
  if (settings.control)
    log.say(
        failure.outcome == integrators::Outcome::inaccurate
            ? format(
                  "  its estimated error is %.3g times what the tolerance allows a step; the rows above have most of "
                  "it (positions by the size of the model). To go on: a smaller `step: {min}` or a larger "
                  "`tolerance`; a smoother load or drive at this time; more damping in stiff parts",
                  failure.error)
            : "  no larger step than `step: {min}` converges. To go on: a smaller `min`; a smoother load or drive at "
              "this "
              "time; look at the motion up to here, which is kept");
  else if (settings.newton.halvings == 0)
    log.say("  to go on: a smaller `step`, or `newton: {halvings: 4}` to repeat a failed step in smaller parts");
  else
    log.say(
        format("  %d halvings of the step did not help. To go on: a smaller `step`; a smoother load or drive at this "
               "time; look at "
               "the motion up to here, which is kept",
               settings.newton.halvings));
}

void tell_control(const analyses::Progress& p, Log& log) {
  if (p.step == 0) return;
  log.say(format("steps under control: %ld accepted, %.3g to %.3g s; rejected: %ld for their error, %ld by Newton",
                 p.step, p.shortest, p.longest, p.rejected_for_error, p.rejected_by_newton));
}

void write_responses(const std::string& file, const analyses::ResponseValues& responses) {
  std::ofstream out(file);
  out << "{";
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const double value = responses.value(i);
    out << (i ? ",\n " : "\n ") << '"' << responses.name(i)
        << "\": " << (std::isfinite(value) ? format("%.17g", value) : "null");
  }
  out << "\n}\n";
  if (!out.flush()) throw io::ResultsError(file + ": cannot be written");
}

void note_host(Log& log, int threads) {
  utsname host{};
  uname(&host);
  log.note(format("host: %s, %s %s; threads: %d", host.nodename, host.sysname, host.machine, threads));
}

}  // namespace

int run(const RunOptions& options) {
  const io::Deck deck = io::read_deck(options.deck, options.set);
  flush_denormals();
  const double read = cpu_seconds();
  Log log;
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  const auto refuse_problems = [&] {
    if (!problems.empty()) throw io::DeckError(io::format_problems(deck, problems));
  };
  refuse_problems();

  const std::string results =
      options.output.empty() ? std::filesystem::path(options.deck).stem().string() + ".h5" : options.output;
  if (const std::string clash = clash_of_outputs(options, results); !clash.empty()) {
    std::fprintf(stderr, "%s\n", clash.c_str());
    return wrong_usage;
  }
  const std::string headline = format("%s: %zu nodes, %zu elements, %d unknowns, %d constraint rows",
                                      deck.title.empty() ? options.deck.c_str() : deck.title.c_str(),
                                      system->nodes() - 1, system->elements(), system->free_unknowns(), system->rows());
  RunObserver observer(*system, deck, results, headline, log,
                       problems);  // its problems are told with those of the start
  log.note(version_text());
  note_host(log, set_threads(options.threads, system->elements()));
  const double built = cpu_seconds();

  catch_interrupts();
  model::State q = system->initial_state();
  double external_work = 0;
  analyses::Progress total;
  int status = done;
  for (std::size_t i = 0; i < deck.analyses.size() && status == done; ++i) {
    const analyses::TransientSettings& settings = deck.analyses[i];
    observer.begin_analysis(static_cast<int>(i), q.t, q.t + settings.duration);
    const TransientResult result = run_transient(*system, settings, q, external_work, observer, problems);
    external_work = result.progress.external_work;
    total.step += result.progress.step, total.iterations += result.progress.iterations,
        total.wasted += result.progress.wasted;
    total.factorizations += result.progress.factorizations;
    total.halved += result.progress.halved, total.round_off += result.progress.round_off;
    if (settings.control) tell_control(result.progress, log);
    switch (result.end) {
      case TransientResult::End::done:
        break;
      case TransientResult::End::interrupted:
        log.say(format("interrupted at t = %.6g s", q.t));
        status = interrupted;
        break;
      case TransientResult::End::failed:
        explain(result.failure, settings, log);
        status = solution_failed;
        break;
      case TransientResult::End::invalid:
        observer.finish(q, external_work, io::Status::failed);
        refuse_problems();
    }
  }

  if (total.halved * 20 > total.step)
    observer.warn(
        format("%ld of %ld steps converged in parts only: the step is too large for this motion, and its results are "
               "inaccurate; use a smaller `step`",
               total.halved, total.step));
  const double energy = system->energies(q).total();
  log.say(format(
      "%ld steps to t = %.6g s, %.3f linear solves a step%s%s%s", total.step, q.t,
      total.step ? static_cast<double>(total.iterations) / static_cast<double>(total.step) : 0.0,
      total.factorizations < total.iterations
          ? format(", %.3f factorizations", static_cast<double>(total.factorizations) / static_cast<double>(total.step))
                .c_str()
          : "",
      (total.halved ? format("; %ld steps done in parts", total.halved) : std::string())
          .append(total.wasted ? format(", %ld solves wasted", total.wasted) : std::string())
          .c_str(),
      total.round_off ? format("; %ld stopped at round-off", total.round_off).c_str() : ""));
  const double gain = energy - observer.first_energy() - external_work;
  log.say(format("energy %.9g J at the start, %.9g J at the end, %.9g J of work done on the model, balance %+.3g J",
                 observer.first_energy(), energy, external_work, gain));
  const double scale = std::max({std::abs(observer.first_energy()), std::abs(energy - gain), std::abs(external_work)});
  if (gain > 0.05 * scale && gain > 1e-9 * system->length())
    observer.warn(
        "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step`, "
        "or more "
        "numerical damping (a smaller `rho_infinity`)");
  for (std::size_t i = 0; i < observer.responses().size(); ++i)
    log.say(format("%s = %.9g  (%s)", observer.responses().name(i).c_str(), observer.responses().value(i),
                   observer.responses().description(i).c_str()));
  const double finished = cpu_seconds();
  log.say(format("CPU time %.3f s: reading %.3f, set-up %.3f, analyses %.3f (output took %.3f s of the clock)",
                 finished, read, built - read, finished - built, observer.output_seconds()));
  observer.finish(q, external_work,
                  status == done          ? io::Status::completed
                  : status == interrupted ? io::Status::interrupted
                                          : io::Status::failed);
  if (observer.has_file()) log.say("results: " + results);
  if (!options.responses_file.empty() && status == done) write_responses(options.responses_file, observer.responses());
  return status;
}

}  // namespace polhode::cli
