// SPDX-License-Identifier: BSD-3-Clause
// Options of a command, bound to variables. An adapter: CLI11, which costs seconds of compile time, stays in
// options.cpp and main.cpp.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace polhode::cli {

// How an option looks: "-o,--output" or, without dashes, a positional argument; its text for --help; and the name of
// its value there, as "FILE".
struct OptionText {
  const char* name;
  const char* doc;
  const char* value = "";
};

// Each function declares one option. The variable, whose value is the default, must outlive the reading of the command
// line. A handle is for `exclude`.
class Options {
 public:
  using Handle = CLI::Option*;
  explicit Options(CLI::App& app) : app_(app) {}

  Handle required(const OptionText& text, std::string& value);
  Handle text(const OptionText& text, std::string& value);
  // One of `choices`.
  Handle choice(const OptionText& text, std::string& value, const std::vector<std::string>& choices);
  Handle flag(const OptionText& text, bool& value);
  // Repeatable, one value each time.
  Handle repeated(const OptionText& text, std::vector<std::string>& values);
  // "a,b,c"
  Handle list(const OptionText& text, std::vector<std::string>& values);
  // Positive numbers "a,b,c" of seconds; must be given.
  Handle required_seconds(const OptionText& text, std::vector<double>& values);
  // A positive number of seconds.
  Handle seconds(const OptionText& text, double& value);
  Handle positive(const OptionText& text, double& value);
  // From 1 to `most`.
  Handle count(const OptionText& text, int& value, int most);
  Handle integer(const OptionText& text, std::optional<long>& value);
  // The two cannot stand together.
  void exclude(Handle a, Handle b);

 private:
  CLI::App& app_;
};

}  // namespace polhode::cli
