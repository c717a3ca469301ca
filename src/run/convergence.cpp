// SPDX-License-Identifier: BSD-3-Clause
// The runs of a comparison, and the table of their errors.
#include "polhode/run/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "process_settings.hpp"

namespace polhode::run {
namespace {

// Passes steps and interrupts on; the threads of the runs call it.
class Observer final : public analyses::ConvergenceObserver {
 public:
  Observer(const analyses::ConvergencePlan& plan, const ConvergenceCallbacks& callbacks) : callbacks_(callbacks) {
    for (const long count : plan.counts) all_ += count;
  }
  // By any of the threads of the runs.
  void advanced(long steps) override {
    done_ += steps;
    if (callbacks_.progress) callbacks_.progress(done_, all_);
  }
  bool interrupted() const override { return callbacks_.interrupted && callbacks_.interrupted(); }

 private:
  const ConvergenceCallbacks& callbacks_;
  std::atomic<long> done_ = 0;
  long all_ = 0;
};

// A comparison as it goes: warnings are kept and passed on.
struct Comparison {
  const io::Deck& deck;
  const ConvergenceRequest& request;
  const ConvergenceCallbacks& callbacks;
  ConvergenceResult result;
  std::vector<analyses::Component> components;
  analyses::Trajectory reference;

  void warn(std::string text) {
    if (callbacks.messages) callbacks.messages->warning(text);
    result.warnings.push_back(std::move(text));
  }
  bool has_reference_file() const { return !request.reference_file.empty(); }
};

// An order is that of one method with one step, hence of one transient.
const analyses::TransientSettings* only_transient(const io::Deck& deck, model::Problems& problems) {
  if (deck.analyses.size() != 1) {
    problems.push_back({"analysis", fmt::format("the order of a method is that of one transient, and this deck has {} "
                                                "analyses; leave one",
                                                deck.analyses.size())});
    return nullptr;
  }
  const auto* transient = deck.analyses.front().as<analyses::TransientSettings>();
  if (!transient)
    problems.push_back({"analysis.type", "the order of a method is that of a transient, and this deck has none"});
  return transient;
}

// The steps, the times that are compared, and the reference where it is a file. False if the request is wrong.
bool plan(Comparison& comparison, const analyses::TransientSettings& transient) {
  io::ConvergenceTable& table = comparison.result.table;
  std::size_t numbers = 0;
  for (const analyses::Component& component : comparison.components) numbers += component.size;
  table.plan = plan_convergence(transient, comparison.request.settings, comparison.has_reference_file(), numbers,
                                comparison.result.wrong_request);
  if (!comparison.result.wrong_request.empty()) return false;
  if (comparison.has_reference_file()) {
    const std::string& file = comparison.request.reference_file;
    const std::size_t before = comparison.components.size();
    comparison.reference = io::read_reference(file, comparison.components, table.plan);
    if (comparison.components.size() < before)
      comparison.warn(fmt::format("{}: holds {} components of the solution less than the model; they are not compared",
                                  file, before - comparison.components.size()));
    table.reference = "results of " + file;
  } else {
    table.reference = fmt::format("own run with a step of {:g} s", table.plan.reference_step);
  }
  constexpr std::size_t few = 11;
  if (table.plan.kept.size() < few)
    comparison.warn(
        fmt::format("the steps share {} times after the start only, and the errors are the largest over "
                    "these; whole multiples share more",
                    table.plan.kept.size() - 1));
  return true;
}

// Warnings of the runs, each once, and steps that were subdivided.
void report_runs(Comparison& comparison) {
  const std::vector<analyses::StepRun>& runs = comparison.result.table.runs;
  std::set<std::string> reported;
  for (const analyses::StepRun& run : runs)
    for (const std::string& warning : run.warnings)
      if (reported.insert(warning).second) comparison.warn(fmt::format("{:g} s: {}", run.step, warning));
  for (const analyses::StepRun& run : runs)
    if (run.progress.halved > 0)
      comparison.warn(fmt::format("{:g} s: {} of {} steps were subdivided, so that this is no run with one step",
                                  run.step, run.progress.halved, run.steps));
}

// Whether all runs went far enough for a table.
bool check_runs(Comparison& comparison) {
  ConvergenceResult& result = comparison.result;
  for (const analyses::StepRun& run : result.table.runs) {
    result.problems = run.problems;
    result.status = Status::invalid;
    if (!result.problems.empty()) return false;
  }
  report_runs(comparison);
  result.status = Status::interrupted;
  for (const analyses::StepRun& run : result.table.runs)
    if (run.interrupted) return false;
  result.status = Status::completed;
  if (comparison.has_reference_file()) return true;
  const analyses::StepRun& finest = result.table.runs.back();
  if (finest.problem.empty()) return true;
  result.status = Status::failed;
  result.failure = fmt::format("the run to compare with, step {:g} s, failed: {}", finest.step, finest.problem);
  return false;
}

// Distances of all runs to the reference, and their largest values in each interval.
void add_errors(Comparison& comparison, std::size_t index) {
  io::ConvergenceTable& table = comparison.result.table;
  const analyses::Component& component = comparison.components[index];
  io::ComponentErrors errors{component, largest_size(component, index, comparison.reference), {}, {}};
  if (component.quantity == analyses::Quantity::position) errors.size = table.length;
  for (std::size_t i = 0; i < table.plan.steps.size(); ++i) {
    const analyses::StepRun& run = table.runs[i];
    const bool failed = !run.problem.empty();
    if (failed) comparison.result.status = Status::failed;
    errors.distances.push_back(failed ? std::vector<double>{}
                                      : distances(component, index, run.trajectory, comparison.reference));
  }
  for (const analyses::Interval& interval : table.intervals)
    errors.errors.push_back(errors_of(table.plan.steps, errors.distances, table.time, interval, errors.size));
  table.components.push_back(std::move(errors));
}

// The reference is the finest run where it is no file; its states are not needed otherwise.
void fill_table(Comparison& comparison, const analyses::TransientSettings& transient, double length) {
  io::ConvergenceTable& table = comparison.result.table;
  if (!comparison.has_reference_file()) comparison.reference = std::move(table.runs.back().trajectory);
  const io::Deck& deck = comparison.deck;
  table.title = deck.title.empty() ? deck.file : deck.title;
  table.deck_text = deck.text;
  table.method = transient.integrator.method;
  table.length = length;
  table.time = comparison.reference.time;
  table.intervals = intervals_of(table.plan);
  for (std::size_t i = 0; i < comparison.components.size(); ++i) add_errors(comparison, i);
}

// A run is a thread, and more threads than processors only wait for each other.
int number_of_jobs(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

// Checks first, what is cheap before what is not; an interrupt ends all runs and leaves no table.
ConvergenceResult compare_steps(const io::Deck& deck, const ConvergenceRequest& request,
                                const ConvergenceCallbacks& callbacks) {
  Comparison comparison{deck, request, callbacks, {}, {}, {}};
  ConvergenceResult& result = comparison.result;
  result.status = Status::invalid;
  const analyses::TransientSettings* transient = only_transient(deck, result.problems);
  if (!transient) return result;
  const FlushDenormals flush_denormals;
  auto system = assembly::System::make(deck.model, result.problems);
  if (!result.problems.empty()) return result;
  comparison.components = analyses::components_of(*system);
  if (!plan(comparison, *transient)) return result;

  if (callbacks.begin) callbacks.begin();
  // The runs are the threads
  const Threads one_thread(1);
  Observer observer(result.table.plan, callbacks);
  result.table.runs = run_convergence(deck.model, *transient, result.table.plan, comparison.components,
                                      number_of_jobs(request.settings.jobs), observer);
  if (check_runs(comparison)) fill_table(comparison, *transient, system->length());
  return std::move(comparison.result);
}

}  // namespace polhode::run
