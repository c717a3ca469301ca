// SPDX-License-Identifier: BSD-3-Clause
// polhode <command> [options]: reads the command line, calls the command, and turns errors into exit statuses.
#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <new>

#include "commands.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::cli {
namespace {

class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", version_text, "versions of polhode, of its libraries and of the compiler");
    app_.set_help_flag("-h,--help", "this text");
    app_.require_subcommand(1);
    add_run();
    add_check();
    add_info();
    add_export();
    add_schema();
    add_sweep();
    add_convergence();
    app_.footer(
        "polhode <command> --help describes the options of a command.\n"
        "Exit status: 0 done, 1 wrong usage, 2 invalid deck or model, 3 the numerical solution failed,\n"
        "4 input or output failed, 130 interrupted.");
  }

  int operator()(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& request) {  // --help, --version
      return app_.exit(request);
    } catch (const CLI::ParseError& error) {
      const bool no_command = app_.get_subcommands().empty();
      if (no_command && argc > 1)
        std::fprintf(stderr, "polhode: \"%s\" is no command\n", argv[1]);
      else
        std::fprintf(stderr, "polhode: %s\n", no_command ? "a command is missing" : error.what());
      for (const CLI::App* command : app_.get_subcommands())
        std::fprintf(stderr, "polhode %s --help shows what it takes\n", command->get_name().c_str());
      if (no_command) std::fprintf(stderr, "polhode --help shows the commands\n");
      return wrong_usage;
    }
    return action_();
  }

 private:
  void add_run() {
    CLI::App* command = app_.add_subcommand("run", "run the analyses of a deck");
    command->add_option("deck", run_.deck, "the deck (YAML)")->required()->type_name("DECK");
    command->add_option("-o,--output", run_.output, "results file; default: the deck's name with .h5, in this folder")
        ->type_name("FILE");
    command->add_option("--set", run_.set, "replace a value of the deck (repeatable), as in analysis.step=0.001")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command->add_option("--responses", run_.responses_file, "write the deck's responses to a JSON file")
        ->type_name("FILE.json");
    command
        ->add_option("--threads", run_.threads,
                     "number of threads, which does not change the results; default: 1, more for large models")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    const CLI::Option* restart =
        command->add_option("--restart", run_.restart, "go on from a file (not yet in this version)")
            ->type_name("FILE");
    command->callback([this, restart] {
      action_ = [this, restart] {
        if (*restart) return refuse("polhode run --restart");
        return run(run_);
      };
    });
  }

  void add_check() {
    CLI::App* command = app_.add_subcommand("check", "read and validate a deck only; print a summary of the model");
    command->add_option("deck", check_.deck, "the deck (YAML)")->required()->type_name("DECK");
    command->callback([this] { action_ = [this] { return check(check_); }; });
  }

  void add_info() {
    CLI::App* command = app_.add_subcommand("info", "what is in a deck or in a results file");
    command->add_option("file", info_.file, "a deck (YAML) or results (HDF5)")->required()->type_name("FILE");
    command->callback([this] { action_ = [this] { return info(info_); }; });
  }

  void add_export() {
    CLI::App* command = app_.add_subcommand("export", "histories as CSV, with units in the heads");
    command->add_option("file", export_.file, "results (HDF5)")->required()->type_name("FILE");
    command->add_option("--csv", export_.folder, "folder for the tables; default: the file's name without ending, here")
        ->type_name("DIR");
    command
        ->add_option("--paths", export_.paths,
                     "histories or groups, as /nodes/position,joints/motor; default: all groups")
        ->type_name("A,B")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        ->add_option("--matrix-market", export_.matrices,
                     "folder for the matrices of linear models (analysis: linearize); then no tables unless asked for")
        ->type_name("DIR");
    command->callback([this] { action_ = [this] { return export_tables(export_); }; });
  }

  void add_schema() {
    CLI::App* command =
        app_.add_subcommand("schema", "JSON Schema of decks and studies, from the tables that the reader uses");
    command->add_option("what", schema_.what, "deck (default) or study")
        ->check(CLI::IsMember({"deck", "study"}))
        ->type_name("");
    command->add_flag("--markdown", schema_.markdown, "the reference as Markdown instead");
    command->callback([this] { action_ = [this] { return schema(schema_); }; });
  }

  void add_convergence() {
    const CLI::Validator positive(
        [](std::string& text) {
          double value = 0;
          const bool number = CLI::detail::lexical_cast(text, value);
          return number && value > 0 && std::isfinite(value) ? "" : '"' + text + "\" is no positive number of seconds";
        },
        "");
    CLI::App* command = app_.add_subcommand("convergence", "observed order of each solution component");
    command->add_option("deck", convergence_.deck, "the deck (YAML), with one transient")
        ->required()
        ->type_name("DECK");
    command->add_option("--steps", convergence_.steps, "step sizes, two or more, as in 1e-3,5e-4,2.5e-4")
        ->required()
        ->check(positive)
        ->type_name("A,B,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* reference = command->add_option("--reference", convergence_.reference,
                                                 "results to compare with; default: the deck with a finer step");
    reference->type_name("FILE");
    command
        ->add_option("--reference-step", convergence_.reference_step,
                     "step of the run to compare with; default: a tenth of the smallest")
        ->check(positive)
        ->type_name("H")
        ->excludes(reference);
    command
        ->add_option("-o,--output", convergence_.output,
                     "file of the results; default: the deck's name with .convergence.h5, in this folder")
        ->type_name("FILE");
    command
        ->add_option("--set", convergence_.set, "replace a value of the deck (repeatable), as in analysis.duration=1")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--from", convergence_.from,
                     "time at which the start's transient is over; default: by the method's damping")
        ->check(positive)
        ->type_name("T");
    command->add_option("--to", convergence_.to, "time at which the runs end; default: the deck's duration")
        ->check(positive)
        ->type_name("T");
    command->add_option("--jobs", convergence_.jobs, "runs side by side; default: one a processor")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command->callback([this] { action_ = [this] { return convergence(convergence_); }; });
  }

  void add_sweep() {
    CLI::App* command = app_.add_subcommand("sweep", "a parameter study: many runs of one deck");
    command->add_option("study", sweep_.study, "the study (YAML)")->required()->type_name("STUDY");
    command
        ->add_option("-o,--output", sweep_.output, "table (HDF5); default: the study's name with .h5, in this folder")
        ->type_name("FILE");
    command->add_option("--jobs", sweep_.jobs, "cases side by side; default: one a processor")
        ->check(CLI::Range(1, 4096))
        ->type_name("N");
    CLI::Option* shard = command->add_option("--shard", sweep_.shard,
                                             "one share of the cases; default: by Slurm or mpirun, else all of them");
    shard->type_name("I/N");
    command->add_option("--case-timeout", sweep_.case_timeout, "seconds after which a case is given up; default: none")
        ->check(CLI::PositiveNumber)
        ->type_name("S");
    command->add_flag("--collect", sweep_.collect, "run nothing: join the rows of all shares, and say what is missing")
        ->excludes(shard);
    command->add_flag("--csv", sweep_.csv, "write the table as CSV, too");
    command->add_option("--print-case", sweep_.print_case, "run nothing: print the whole deck of a case, from 0")
        ->type_name("K");
    command->callback([this] { action_ = [this] { return sweep(sweep_); }; });
  }

  CLI::App app_{"polhode: motion and forces of flexible multibody systems", "polhode"};
  RunOptions run_;
  ConvergenceOptions convergence_;
  SweepOptions sweep_;
  CheckOptions check_;
  InfoOptions info_;
  ExportOptions export_;
  SchemaOptions schema_;
  std::function<int()> action_;
};

int main_of(int argc, char** argv) {
  const auto say = [](const std::exception& error) { std::fprintf(stderr, "%s\n", error.what()); };
  try {
    return CommandLine()(argc, argv);
  } catch (const io::SettingError& error) {
    say(error);
    return wrong_usage;
  } catch (const io::DeckError& error) {
    say(error);
    return invalid_model;
  } catch (const io::FileError& error) {
    say(error);
    return files_failed;
  } catch (const io::ResultsError& error) {
    say(error);
    return files_failed;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "polhode: there is not enough memory for this model\n");
    return solution_failed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "polhode: %s\n", error.what());
    return solution_failed;
  }
}

}  // namespace

int refuse(const std::string& what) {
  std::fprintf(stderr, "%s: not yet in this version\n", what.c_str());
  return invalid_model;
}

}  // namespace polhode::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the file size is a failed write like any other, not a sudden death
  const int status = polhode::cli::main_of(argc, argv);
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0;
  if (!written) std::fprintf(stderr, "standard output: cannot be written: %s\n", std::strerror(errno));
  return written || status != 0 ? status : polhode::cli::files_failed;
}
