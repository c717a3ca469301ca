// SPDX-License-Identifier: BSD-3-Clause
// Messages of a run to whoever wants them: standard error, a log file, a text, a function of the caller.
//
// A message is one text without a line end, with a level. Each receiver names the least level that it takes. Nothing is
// printed in color; the status line appears on a terminal only.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace spdlog {
class logger;
}

namespace polhode::run {

// In ascending order of importance.
enum class Level {
  // Each step and its iterations; sizes of the equations.
  detail,
  // What the log of the results keeps beside the messages: versions, host, long tables
  note,
  // The summary of a run
  info,
  // Results may not be what was asked for
  warning,
  // There are no results, or not all of them
  error,
};

class Messages {
 public:
  using Receiver = std::function<void(Level, std::string_view)>;

  // Without receivers: messages are dropped.
  Messages();
  ~Messages();
  // A copy has the same receivers; receivers added to it later are its own.
  Messages(const Messages& other);
  Messages& operator=(const Messages&) = delete;

  // Adds a receiver for messages of level `least` and above.
  void print_to_standard_error(Level least = Level::info);
  // Appends to `file` with date and time; throws std::runtime_error ("FILE: cannot be written: REASON").
  void write_to_file(const std::string& file, Level least = Level::detail);
  // Appends one line a message to `text`, which must outlive these messages.
  void append_to(std::string& text, Level least = Level::note);
  void pass_to(Receiver receiver, Level least = Level::info);

  // Whether any receiver takes messages of this level: to be asked before texts are made in a loop.
  bool wants(Level level) const;
  // Whether standard error is a receiver of warnings and errors alone.
  bool is_quiet() const;

  void say(Level level, std::string_view text);
  void detail(std::string_view text) { say(Level::detail, text); }
  void note(std::string_view text) { say(Level::note, text); }
  void info(std::string_view text) { say(Level::info, text); }
  // Puts "warning: " in front of the text.
  void warning(std::string_view text);
  void error(std::string_view text) { say(Level::error, text); }

  // Replaces the status line of the terminal, the last line on it; the next message takes its place. Nothing happens
  // where standard error is no terminal, or is not a receiver of Level::info.
  void show_status(std::string_view text);
  void clear_status();
  bool shows_status() const;

 private:
  class StandardError;
  std::unique_ptr<spdlog::logger> logger_;
  // The receiver that prints to standard error; nullptr without.
  std::shared_ptr<StandardError> terminal_;
};

}  // namespace polhode::run
