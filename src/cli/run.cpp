// SPDX-License-Identifier: BSD-3-Clause
// polhode run: reads a deck, does its analyses in turn, and says how it went.
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "analyses_run.hpp"
#include "commands.hpp"
#include "floating_point.hpp"
#include "polhode/model/text.hpp"
#include "threads.hpp"

namespace polhode::cli {

using model::counted, model::format;
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void write_responses(const std::string& file, const results::ResponseValues& responses) {
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
  const std::string results =
      options.output.empty() ? std::filesystem::path(options.deck).stem().string() + ".h5" : options.output;
  if (const std::string clash = clash_of_outputs(options, results); !clash.empty()) {
    std::fprintf(stderr, "%s\n", clash.c_str());
    return wrong_usage;
  }
  // Whoever calls the program for its responses must not take those of an earlier run for them.
  if (std::error_code none; std::filesystem::is_regular_file(options.responses_file, none))
    std::filesystem::remove(options.responses_file, none);
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

  const auto size = [](auto count, const char* what) { return counted(static_cast<long>(count), what); };
  const std::string headline = (deck.title.empty() ? options.deck : deck.title) + ": " +
                               size(system->nodes() - 1, "node") + ", " + size(system->elements(), "element") + ", " +
                               size(system->free_unknowns(), "unknown") + ", " + size(system->rows(), "constraint row");
  RunObserver observer(*system, deck, results, headline, log,
                       problems);  // its problems are told with those of the start
  check_analyses(*system, deck, problems);
  log.note(version_text());
  note_host(log, set_threads(options.threads, system->elements()));
  const double built = cpu_seconds();

  catch_interrupts();
  AnalysesRun analyses(*system, observer, log, problems);
  int status = analyses.run(deck);
  const model::State& q = analyses.state();
  const double external_work = analyses.external_work();
  const analyses::Progress& total = analyses.total();
  if (!problems.empty()) {  // the start of an analysis
    observer.finish(q, external_work, io::Status::failed);
    refuse_problems();
  }

  if (total.halved * 20 > total.step)
    observer.warn(
        format("%ld of %ld steps converged in parts only: the step is too large for this motion, and its results are "
               "inaccurate; use a smaller `step`",
               total.halved, total.step));
  const double energy = system->energies(q).total();
  if (total.step > 0)
    log.say(format("%ld steps to t = %.6g s, %.3f linear solves a step%s%s%s", total.step, q.t,
                   total.step ? static_cast<double>(total.iterations) / static_cast<double>(total.step) : 0.0,
                   total.factorizations < total.iterations
                       ? format(", %.3f factorizations",
                                static_cast<double>(total.factorizations) / static_cast<double>(total.step))
                             .c_str()
                       : "",
                   (total.halved ? format("; %ld steps done in parts", total.halved) : std::string())
                       .append(total.wasted ? (", " + counted(total.wasted, "solve") + " wasted") : std::string())
                       .c_str(),
                   total.round_off ? format("; %ld stopped at round-off", total.round_off).c_str() : ""));
  const double gain = energy - observer.first_energy() - external_work;
  if (total.step > 0)
    log.say(format("energy %.9g J at the start, %.9g J at the end, %.9g J of work done on the model, balance %+.3g J",
                   observer.first_energy(), energy, external_work, gain));
  const double scale = std::max({std::abs(observer.first_energy()), std::abs(energy - gain), std::abs(external_work),
                                 observer.largest_kinetic_energy()});
  if (total.step > 0 && gain > 0.05 * scale && gain > 1e-9 * system->length())
    observer.warn(
        "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step` "
        "or `tolerance`, or, of generalized-alpha methods, more numerical damping (a smaller `rho_infinity`)");
  if (total.step > 0)
    for (const std::string& line : observer.invariants().lines()) log.say(line);
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
  if (observer.has_begun()) log.say("results: " + results);
  if (!options.responses_file.empty() && status == done) write_responses(options.responses_file, observer.responses());
  return status;
}

}  // namespace polhode::cli
