// SPDX-License-Identifier: BSD-3-Clause
// polhode convergence: runs a deck with several steps, and prints the errors and the orders that they show.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "commands.hpp"
#include "convergence_table.hpp"
#include "floating_point.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "run_observer.hpp"

namespace polhode::cli {
namespace {

// A line on the terminal, and the end on an interrupt.
class Watcher final : public analyses::ConvergenceObserver {
 public:
  explicit Watcher(const analyses::ConvergencePlan& plan) : terminal_(isatty(STDERR_FILENO) == 1) {
    for (const long count : plan.counts) all_ += count;
  }
  ~Watcher() override {
    if (visible_) std::fputs("\r\x1b[K", stderr);
  }
  void advanced(long steps) override {
    done_ += steps;
    if (!terminal_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const double share = static_cast<double>(done_) / static_cast<double>(all_);
    std::fprintf(stderr, "\r\x1b[K%3.0f %% of %ld steps", 100 * share, all_);
    if (share > 0.01)
      std::fprintf(stderr, "  %.0f s left", std::chrono::duration<double>(now - start_).count() * (1 - share) / share);
    std::fflush(stderr);
    visible_ = true;
  }
  bool interrupted() const override { return is_interrupted(); }

 private:
  std::atomic<long> done_ = 0;
  long all_ = 0;
  bool terminal_;
  bool visible_ = false;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

int wrong(const std::string& message) {
  std::fprintf(stderr, "polhode convergence: %s\n", message.c_str());
  return wrong_usage;
}

void warn(const std::string& message) { std::fprintf(stderr, "warning: %s\n", message.c_str()); }

// What the runs had to say: each thing once.
void tell(const std::vector<analyses::StepRun>& runs) {
  std::set<std::string> told;
  for (const analyses::StepRun& run : runs)
    for (const std::string& warning : run.warnings)
      if (told.insert(warning).second) warn(number_text(run.step) + " s: " + warning);
  for (const analyses::StepRun& run : runs)
    if (run.progress.halved > 0)
      warn(number_text(run.step) + " s: " + std::to_string(run.progress.halved) + " of " + std::to_string(run.steps) +
           " steps were done in parts, so that this is no run with one step");
}

}  // namespace

int convergence(const ConvergenceOptions& options) {
  const io::Deck deck = io::read_deck(options.deck, options.set);
  if (deck.analyses.size() != 1)
    throw io::DeckError(options.deck +
                        ": analysis: the order of a method is that of one transient, and this deck has " +
                        std::to_string(deck.analyses.size()) + " analyses; leave one");
  const auto* transient = std::get_if<analyses::TransientSettings>(&deck.analyses.front());
  if (!transient)
    throw io::DeckError(options.deck +
                        ": analysis.type: the order of a method is that of a transient, and this deck has none");
  const std::string output =
      options.output.empty() ? std::filesystem::path(options.deck).stem().string() + ".convergence.h5" : options.output;
  if (const std::string clash = clash_of_output(output, {options.deck, options.reference}); !clash.empty()) {
    std::fprintf(stderr, "%s\n", clash.c_str());
    return wrong_usage;
  }
  flush_denormals();
  model::Problems problems;
  const auto system = assembly::System::make(deck.model, problems);
  const auto refuse = [&](const model::Problems& found) {
    if (!found.empty()) throw io::DeckError(io::format_problems(deck, found));
  };
  refuse(problems);

  io::ConvergenceTable table;
  std::vector<analyses::Component> components = analyses::components_of(*system);
  analyses::ConvergenceSettings settings;
  settings.steps = options.steps;
  if (options.reference_step > 0) settings.reference_step = options.reference_step;
  if (options.from > 0) settings.from = options.from;
  if (options.to > 0) settings.to = options.to;
  std::size_t numbers = 0;
  for (const analyses::Component& component : components) numbers += component.size;
  std::string problem;
  table.plan = plan_convergence(*transient, settings, !options.reference.empty(), numbers, problem);
  if (!problem.empty()) return wrong(problem);

  analyses::Trajectory reference;
  if (!options.reference.empty()) {
    const std::size_t before = components.size();
    reference = io::read_trajectory(io::ResultsReader(options.reference), components, table.plan);
    if (components.size() < before)
      warn(options.reference + ": holds " + std::to_string(before - components.size()) +
           " components of the solution less than the model; they are not compared");
    table.reference = "results of " + options.reference;
  } else {
    table.reference = "own run with a step of " + number_text(table.plan.reference_step) + " s";
  }

  if (table.plan.kept.size() < 11)
    warn("the steps share " + std::to_string(table.plan.kept.size() - 1) +
         " times after the start only, and the errors are the largest over these; whole multiples share more");
  catch_interrupts();
  const int jobs = options.jobs > 0 ? options.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  {
    Watcher watcher(table.plan);
    table.runs = run_convergence(deck.model, *transient, table.plan, components, jobs, watcher);
  }
  for (const analyses::StepRun& run : table.runs) refuse(run.problems);
  tell(table.runs);
  for (const analyses::StepRun& run : table.runs)
    if (run.interrupted) {
      std::fprintf(stderr, "interrupted: there are no orders yet\n");
      return interrupted;
    }
  if (options.reference.empty()) {
    if (!table.runs.back().problem.empty()) {
      std::fprintf(stderr, "error: the run to compare with, step %s s, failed: %s\n",
                   number_text(table.runs.back().step).c_str(), table.runs.back().problem.c_str());
      return solution_failed;
    }
    reference = std::move(table.runs.back().trajectory);
  }

  table.title = deck.title.empty() ? options.deck : deck.title;
  table.deck_text = deck.text;
  table.method = transient->integrator.method;
  table.length = system->length();
  table.time = reference.time;
  table.intervals = intervals_of(table.plan);
  bool failed = false;
  for (std::size_t c = 0; c < components.size(); ++c) {
    io::ComponentErrors errors{components[c], largest_size(components[c], c, reference), {}, {}};
    if (components[c].quantity == analyses::Quantity::position) errors.size = table.length;
    for (std::size_t i = 0; i < table.plan.steps.size(); ++i) {
      const analyses::StepRun& run = table.runs[i];
      failed = failed || !run.problem.empty();
      errors.distances.push_back(run.problem.empty() ? distances(components[c], c, run.trajectory, reference)
                                                     : std::vector<double>{});
    }
    for (const analyses::Interval& interval : table.intervals)
      errors.errors.push_back(errors_of(table.plan.steps, errors.distances, table.time, interval, errors.size));
    table.components.push_back(std::move(errors));
  }
  print_table(table);
  io::write_convergence(output, table);
  std::fprintf(stderr, "results: %s\n", output.c_str());
  return failed ? solution_failed : done;
}

}  // namespace polhode::cli
