// SPDX-License-Identifier: BSD-3-Clause
// polhode run: reads a deck, runs its analyses in turn, and prints how that went.
#include "polhode/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "include_option.hpp"
#include "interrupts.hpp"
#include "polhode/io/deck/restart_deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/own_files.hpp"
#include "polhode/model/text.hpp"
#include "polhode/run/verify.hpp"
#include "progress.hpp"
#include "run_files.hpp"

namespace polhode::cli {
namespace {

namespace fs = std::filesystem;

// The exit status is documented in --help.
int status_of(run::Status status) {
  switch (status) {
    case run::Status::completed:
      return done;
    case run::Status::failed:
      return solution_failed;
    case run::Status::interrupted:
      return interrupted;
    case run::Status::invalid:
      break;
  }
  return invalid_model;
}

// In the order of the deck; numbers read back as the same to the last bit, and NaN becomes `null`.
void write_responses(const std::string& file, const std::vector<run::ResponseValue>& responses) {
  auto json = nlohmann::ordered_json::object();
  for (const run::ResponseValue& response : responses) json[response.name] = response.value;
  io::write_text(file, json.dump(1) + '\n');
}

// Reads, runs and reports; what a run does is up to run::run_deck.
class RunCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.text({"deck", "the deck (YAML); with --restart that of the results, unless it is given", "DECK"},
                 files_.deck);
    options.text({"-o,--output", "results file; default: the deck's name with .h5, in this folder", "FILE"},
                 files_.output);
    options.repeated({"--set", "replace a value of the deck (repeatable), as in analysis.step=0.001", "PATH=VALUE"},
                     set_);
    includes_.declare(options);
    options.text({"--responses", "write the deck's responses to a JSON file", "FILE.json"}, files_.responses);
    options.count(
        {"--threads", "number of threads, which does not change the results; default: 1, more for large models", "N"},
        threads_, 1024);
    options.flag({"--force", "replace files of others, too, and begin also where the results do not fit on the disk"},
                 force_);
    options.flag({"--strict", "a run with warnings ends with exit status 3, and writes no responses"}, strict_);
    options.text(
        {"--restart", "go on from the last restart point of these results, to what they would be uncut", "FILE"},
        restart_.file);
    options.flag({"--verify", "run again with half the step, and print an estimated error beside each response"},
                 verify_);
    options.flag({"--verify-elements", "the same, and once more with twice the elements of beams"}, verify_elements_);
    options.seconds({"--at", "go on from the last restart point up to this time (s) instead, with --restart", "T"},
                    at_);
  }

  std::vector<Output> outputs() const override { return files_.all(); }

  // Files that would be lost are looked at before anything is read, and touched once the deck is valid.
  int run(run::Messages& messages) override {
    if (const std::string wrong = wrong_use(); !wrong.empty()) {
      messages.error(wrong);
      return wrong_usage;
    }
    if (const std::string clash = files_.clash(force_); !clash.empty()) {
      messages.error(clash);
      return wrong_usage;
    }
    const io::Deck deck = files_.deck.empty() ? io::read_deck_of(io::RestartSource(restart_.file), set_)
                                              : io::read_deck(files_.deck, set_, includes_.value());
    if (const std::string clash = files_.clash_with(deck); !clash.empty()) {
      messages.error(clash);
      return wrong_usage;
    }
    const run::RunResult result = run_deck(deck, messages);
    io::throw_problems(deck, result.problems);
    if (!result.results_file.empty()) messages.info("results: " + result.results_file);
    if ((verify_ || verify_elements_) && result.status == run::Status::completed) verify(deck, result, messages);
    if (strict_ && result.status == run::Status::completed && !result.warnings.empty()) {
      messages.error(fmt::format("error: the run has {}, which --strict makes errors",
                                 model::counted(static_cast<long>(result.warnings.size()), "warning")));
      return solution_failed;
    }
    // A pipe that nobody reads is waited for: a signal ends that.
    announce_interrupts();
    if (!files_.responses.empty() && result.status == run::Status::completed)
      write_responses(files_.responses, result.responses);
    return status_of(result.status);
  }

 private:
  // What is missing on the command line, or does not go together; "" if nothing.
  std::string wrong_use() const {
    constexpr const char* help = "\npolhode run --help shows what it takes";
    if (restart_.file.empty()) {
      if (at_ > 0) return std::string("polhode run: --at goes with --restart alone") + help;
      return files_.deck.empty() ? std::string("polhode run: the deck is missing") + help : "";
    }
    if (files_.deck.empty() && files_.output.empty())
      return std::string("polhode run --restart: the name of the new results is missing; give it with -o") + help;
    if (is_same_file(files_.results(), restart_.file))
      return restart_.file +
             ": is the file to go on from, and would be lost if the run is cut; name another one for the results with "
             "-o";
    return "";
  }

  // Estimated errors are what was asked for: they go to standard output.
  void verify(const io::Deck& deck, const run::RunResult& result, run::Messages& messages) const {
    run::RunCallbacks callbacks;
    callbacks.interrupted = is_interrupted;
    messages.info(verify_elements_ ? "verification: the run again with half the step, and with twice the elements"
                                   : "verification: the run again with half the step");
    const run::Verification found = run::verify_run(deck, result, {verify_elements_, threads_}, callbacks);
    for (const std::string& line : run::lines_of(found, result)) print(line + '\n');
  }

  // The line shows the part of the present analysis that is done, by simulated time.
  run::RunResult run_deck(const io::Deck& deck, run::Messages& messages) const {
    run::RunSettings settings;
    settings.results_file = files_.results();
    settings.threads = threads_;
    settings.must_fit = !force_;
    settings.program = version_text();
    settings.reading_seconds = run::cpu_seconds();
    if (!restart_.file.empty()) settings.restart = restart_;
    if (at_ > 0 && settings.restart) settings.restart->at = at_;
    Progress line(messages);
    run::RunCallbacks callbacks;
    callbacks.messages = &messages;
    // The deck is valid, and nothing is written yet.
    callbacks.begin = [this] {
      catch_interrupts();
      if (force_) files_.remove_links();
    };
    // The run may fail: whoever calls the program for its responses must not take those of an earlier run for them.
    callbacks.first_state = [this] {
      if (!files_.responses.empty()) io::remove_file(files_.responses);
    };
    callbacks.interrupted = is_interrupted;
    callbacks.progress = [&line](const run::RunProgress& p) {
      if (p.steps == 0) line.restart();
      const double duration = p.end - p.begin;
      const double fraction = duration > 0 ? std::clamp((p.time - p.begin) / duration, 0.0, 1.0) : 1.0;
      line.show(fraction, [&] {
        const double solves = p.steps > 0 ? static_cast<double>(p.linear_solves) / static_cast<double>(p.steps) : 0.0;
        return fmt::format("{:3.0f} %  t = {:.4g} of {:.4g} s  {} steps  {:.2f} Newton solves a step", 100 * fraction,
                           p.time, p.end, p.steps, solves);
      });
    };
    return run::run_deck(deck, settings, callbacks);
  }

  RunFiles files_;
  // PATH=VALUE
  std::vector<std::string> set_;
  IncludeOption includes_;
  bool verify_ = false;
  bool verify_elements_ = false;
  // 0 = chosen by the size of the model
  int threads_ = 0;
  bool force_ = false;
  // Warnings are errors
  bool strict_ = false;
  run::RestartFrom restart_;
  // s; 0: the last point
  double at_ = 0;
};

}  // namespace

extern const CommandType run_command{"run", "run the analyses of a deck", make_command<RunCommand>};

}  // namespace polhode::cli
