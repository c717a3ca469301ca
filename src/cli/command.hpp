// SPDX-License-Identifier: BSD-3-Clause
// What a command is, and what the program returns to the shell. docs/adding_a_command.md shows how to write one.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "polhode/run/messages.hpp"

namespace polhode::cli {

enum ExitStatus : int {
  done = 0,
  wrong_usage = 1,
  // Deck or model, and what is not yet in this version
  invalid_model = 2,
  // What was computed is kept
  solution_failed = 3,
  // Input or output
  files_failed = 4,
  interrupted = 130,
};

// A file that a command is going to write.
struct Output {
  // "results (-o)", as part of a sentence
  std::string what;
  std::string file;
};

// One command: holds its options, and runs.
class Command {
 public:
  virtual ~Command() = default;
  // Declares the options; their values are set before `run`.
  virtual void declare(Options& options) = 0;
  // Asked behind the options and before `run`: the log, which begins before the command does, must be none of them.
  virtual std::vector<Output> outputs() const { return {}; }
  // Returns an exit status. Bad input, failed files and the like are exceptions that main() turns into one.
  virtual int run(run::Messages& messages) = 0;
};

// A line of the table of commands.
struct CommandType {
  const char* name;
  // One line, for --help
  const char* doc;
  std::unique_ptr<Command> (*make)();
};

template <class Type>
std::unique_ptr<Command> make_command() {
  return std::make_unique<Type>();
}

// All commands, in the order of --help (commands.cpp).
std::span<const CommandType* const> commands();

// Reads the command line, runs its command and returns the exit status. `table` is commands() but in tests.
int run_command_line(int argc, const char* const* argv, std::span<const CommandType* const> table);

// Whether two names mean the same file, whether it exists or not.
bool is_same_file(const std::string& a, const std::string& b);

// The name that was given, or that of the input with another ending, in the current folder.
std::string output_or_default(const std::string& output, const std::string& input, const char* ending);

// Why a file may not be written: it is one that the command reads, or polhode did not write it; "" if it may. The remedy
// is that of the latter.
std::string clash_of_output(const std::string& output, const std::vector<std::string>& inputs,
                            std::string_view remedy = "or remove it");

// Writes to standard output. A failed write shows at the end of the program (main.cpp), as it does for std::cout.
void print(std::string_view text);

// Polhode, libraries, compiler
std::string version_text();

}  // namespace polhode::cli
