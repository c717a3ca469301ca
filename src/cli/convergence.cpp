// SPDX-License-Identifier: BSD-3-Clause
// polhode convergence: runs a deck with several steps, and prints the errors and the orders that they show.
#include "polhode/run/convergence.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>

#include "command.hpp"
#include "convergence_table.hpp"
#include "include_option.hpp"
#include "interrupts.hpp"
#include "progress.hpp"

namespace polhode::cli {
namespace {

// Prints the table, and stores it, also where some of the runs failed.
class ConvergenceCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"deck", "the deck (YAML), with one transient", "DECK"}, deck_);
    options.required_seconds({"--steps", "step sizes, two or more, as in 1e-3,5e-4,2.5e-4", "A,B,..."}, steps_);
    const auto reference =
        options.text({"--reference", "results to compare with; default: the deck with a finer step", "FILE"},
                     request_.reference_file);
    const auto step =
        options.seconds({"--reference-step", "step of the run to compare with; default: a tenth of the smallest", "H"},
                        reference_step_);
    options.exclude(step, reference);
    options.text(
        {"-o,--output", "file of the results; default: the deck's name with .convergence.h5, in this folder", "FILE"},
        output_);
    options.repeated({"--set", "replace a value of the deck (repeatable), as in analysis.duration=1", "PATH=VALUE"},
                     set_);
    includes_.declare(options);
    options.seconds({"--from", "time at which the start's transient is over; default: by the method's damping", "T"},
                    from_);
    options.seconds({"--to", "time at which the runs end; default: the deck's duration", "T"}, to_);
    options.count({"--jobs", "runs side by side; default: one a processor", "N"}, request_.settings.jobs, 1024);
  }

  std::vector<Output> outputs() const override { return {{"results (-o)", results_file()}}; }

  // Deck and output are checked first. A reference file that would be written over is refused like the deck.
  int run(run::Messages& messages) override {
    const io::Deck deck = io::read_deck(deck_, set_, includes_.value());
    output_ = results_file();
    if (const std::string clash = clash_of_output(output_, {deck_, request_.reference_file}); !clash.empty()) {
      messages.error(clash);
      return wrong_usage;
    }
    complete_request();
    const run::ConvergenceResult result = compare(deck, messages);
    io::throw_problems(deck, result.problems);
    if (!result.wrong_request.empty()) {
      messages.error("polhode convergence: " + result.wrong_request);
      return wrong_usage;
    }
    if (result.status == run::Status::interrupted) {
      messages.error("interrupted: there are no orders yet");
      return interrupted;
    }
    if (!result.failure.empty()) {
      messages.error("error: " + result.failure);
      return solution_failed;
    }
    print_table(result.table);
    io::write_convergence(output_, result.table);
    messages.info("results: " + output_);
    return result.status == run::Status::failed ? solution_failed : done;
  }

 private:
  std::string results_file() const { return output_or_default(output_, deck_, ".convergence.h5"); }

  // Options that were not given stay zero and leave the defaults.
  void complete_request() {
    analyses::ConvergenceSettings& settings = request_.settings;
    settings.steps = steps_;
    if (reference_step_ > 0) settings.reference_step = reference_step_;
    if (from_ > 0) settings.from = from_;
    if (to_ > 0) settings.to = to_;
  }

  // Runs are threads, so the progress line has a lock.
  run::ConvergenceResult compare(const io::Deck& deck, run::Messages& messages) const {
    Progress line(messages);
    std::mutex mutex;
    run::ConvergenceCallbacks callbacks;
    callbacks.messages = &messages;
    callbacks.begin = catch_interrupts;
    callbacks.interrupted = is_interrupted;
    callbacks.progress = [&](long steps, long all) {
      const std::lock_guard lock(mutex);
      const double fraction = static_cast<double>(steps) / static_cast<double>(all);
      line.show(fraction, [&] { return fmt::format("{:3.0f} % of {} steps", 100 * fraction, all); });
    };
    return run::compare_steps(deck, request_, callbacks);
  }

  std::string deck_;
  // "" = the deck's name with .convergence.h5, in the current folder
  std::string output_;
  // PATH=VALUE
  std::vector<std::string> set_;
  IncludeOption includes_;
  // s
  std::vector<double> steps_;
  // s; 0 = a tenth of the smallest step
  double reference_step_ = 0;
  // s; 0 = not given
  double from_ = 0;
  // s; 0 = not given
  double to_ = 0;
  run::ConvergenceRequest request_;
};

}  // namespace

extern const CommandType convergence_command{"convergence", "observed order of each solution component",
                                             make_command<ConvergenceCommand>};

}  // namespace polhode::cli
