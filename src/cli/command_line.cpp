// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line, runs the command, and turns errors into exit statuses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <string_view>

#include "command.hpp"
#include "message_options.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/math/free_memory.hpp"

namespace polhode::cli {
namespace {

// CLI11 with a subcommand for each line of the table.
class CommandLine {
 public:
  explicit CommandLine(std::span<const CommandType* const> table) {
    app_.set_version_flag("--version", version_text, "versions of polhode, of its libraries and of the compiler");
    app_.set_help_flag("-h,--help", "this text");
    app_.require_subcommand(1);
    for (const CommandType* type : table) add(*type);
    app_.footer(
        "polhode <command> --help describes the options of a command.\n"
        "Exit status: 0 done, 1 wrong usage, 2 invalid deck or model, 3 the numerical solution failed,\n"
        "4 input or output failed, 130 interrupted.");
  }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
      // --help, --version
    } catch (const CLI::Success& request) {
      return app_.exit(request);
    } catch (const CLI::ParseError& error) {
      return report(error, argc, argv);
    }
    return run_chosen();
  }

 private:
  // Options are declared for all commands, as --help of each shows them; only the chosen one runs.
  void add(const CommandType& type) {
    CLI::App* const command = app_.add_subcommand(type.name, type.doc);
    commands_.push_back(type.make());
    Command* const made = commands_.back().get();
    Options options(*command);
    made->declare(options);
    message_options_.declare(options);
    command->callback([this, made] { chosen_ = made; });
  }

  // Where no command was found, the word that stands in its place is named.
  int report(const CLI::ParseError& error, int argc, const char* const* argv) const {
    const bool no_command = app_.get_subcommands().empty();
    if (no_command && argc > 1)
      std::fputs(fmt::format("polhode: \"{}\" is no command\n", argv[1]).c_str(), stderr);
    else
      std::fputs(fmt::format("polhode: {}\n", no_command ? "a command is missing" : error.what()).c_str(), stderr);
    for (const CLI::App* command : app_.get_subcommands())
      std::fputs(fmt::format("polhode {} --help shows what it takes\n", command->get_name()).c_str(), stderr);
    if (no_command) std::fputs("polhode --help shows the commands\n", stderr);
    return wrong_usage;
  }

  int run_chosen();

  CLI::App app_{"polhode: motion and forces of flexible multibody systems", "polhode"};
  std::vector<std::unique_ptr<Command>> commands_;
  Command* chosen_ = nullptr;
  // Of the command that was chosen
  MessageOptions message_options_;
};

// Exceptions become exit statuses here, once for all commands.
int CommandLine::run_chosen() {
  run::Messages messages;
  const auto report = [&](int status, std::string_view before, std::string_view text) {
    messages.clear_status();
    messages.error(fmt::format("{}{}", before, text));
    return status;
  };
  try {
    message_options_.apply(messages, chosen_->outputs());
    return chosen_->run(messages);
  } catch (const io::SettingError& error) {
    return report(wrong_usage, "", error.what());
  } catch (const io::DeckError& error) {
    return report(invalid_model, "", error.what());
  } catch (const io::FileError& error) {
    return report(files_failed, "", error.what());
  } catch (const io::ResultsError& error) {
    return report(files_failed, "", error.what());
  } catch (const std::bad_alloc& error) {
    return report(solution_failed, "polhode: ", math::memory_text(error));
  } catch (const std::exception& error) {
    return report(solution_failed, "polhode: ", error.what());
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv, std::span<const CommandType* const> table) {
  return CommandLine(table).run(argc, argv);
}

}  // namespace polhode::cli
