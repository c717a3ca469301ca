// SPDX-License-Identifier: BSD-3-Clause
// Messages by spdlog: one logger with a sink for each receiver.
#include "polhode/run/messages.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "polhode/model/text.hpp"

namespace polhode::run {
namespace {

// Five levels of ours onto five of spdlog's.
spdlog::level::level_enum level_of(Level level) {
  switch (level) {
    case Level::detail:
      return spdlog::level::trace;
    case Level::note:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      break;
  }
  return spdlog::level::err;
}

Level level_of(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::trace:
      return Level::detail;
    case spdlog::level::debug:
      return Level::note;
    case spdlog::level::info:
      return Level::info;
    case spdlog::level::warn:
      return Level::warning;
    default:
      return Level::error;
  }
}

// Texts are passed as they are: braces in them are no place holders.
std::string_view text_of(const spdlog::details::log_msg& message) {
  return {message.payload.data(), message.payload.size()};
}

// The text of each message to a function.
class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(Messages::Receiver receiver) : receiver_(std::move(receiver)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    receiver_(level_of(message.level), text_of(message));
  }
  void flush_() override {}
  Messages::Receiver receiver_;
};

}  // namespace

// Standard error, whose last line on a terminal may be a status line.
class Messages::StandardError final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  StandardError() : is_terminal_(isatty(STDERR_FILENO) == 1) {}
  ~StandardError() override { clear(); }
  bool is_terminal() const { return is_terminal_; }
  // Written over itself: back to the begin of the line, and the rest erased.
  void show(std::string_view text) {
    const std::lock_guard lock(mutex_);
    std::fputs(fmt::format("{}{}", erase_line, text).c_str(), stderr);
    std::fflush(stderr);
    visible_ = true;
  }
  void clear_status() {
    const std::lock_guard lock(mutex_);
    clear();
  }

 private:
  static constexpr auto erase_line = "\r\x1b[K";
  // With the lock held. Any message erases the status line before it is printed.
  void clear() {
    if (visible_) std::fputs(erase_line, stderr);
    visible_ = false;
  }
  void sink_it_(const spdlog::details::log_msg& message) override {
    clear();
    const std::string shown = model::shown_text({message.payload.data(), message.payload.size()});
    std::fwrite(shown.data(), 1, shown.size(), stderr);
    std::fputc('\n', stderr);
  }
  void flush_() override { std::fflush(stderr); }

  bool is_terminal_;
  bool visible_ = false;
};

Messages::Messages() : logger_(std::make_unique<spdlog::logger>("polhode")) {
  logger_->set_level(spdlog::level::trace);
  // A message that cannot be written (a full disk) is lost; the run goes on.
  logger_->set_error_handler([](const std::string&) {});
}

Messages::~Messages() = default;

// Copies share the receivers, so that a run may add one of its own.
Messages::Messages(const Messages& other)
    : logger_(std::make_unique<spdlog::logger>(*other.logger_)), terminal_(other.terminal_) {}

// Kept beside the logger, because of the status line.
void Messages::print_to_standard_error(Level least) {
  terminal_ = std::make_shared<StandardError>();
  terminal_->set_level(level_of(least));
  logger_->sinks().push_back(terminal_);
}

// Each line is complete when it is written, so that a killed run leaves what it had reported.
void Messages::write_to_file(const std::string& file, Level least) {
  std::shared_ptr<spdlog::sinks::basic_file_sink_mt> sink;
  // The library would make a folder that is not there.
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (std::error_code none; !folder.empty() && !std::filesystem::is_directory(folder, none))
    throw std::runtime_error(file + ": cannot be written: there is no folder " + folder.string());
  try {
    sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
    sink->set_level(level_of(least));
    sink->set_pattern("%Y-%m-%d %H:%M:%S.%e  %v");
    // A file that has begun is known by its first line; no results take its place.
    sink->log(spdlog::details::log_msg(logger_->name(), spdlog::level::critical, "log of polhode"));
    sink->flush();
  } catch (const spdlog::spdlog_ex& error) {
    throw std::runtime_error(file + ": cannot be written: " + error.what());
  }
  logger_->sinks().push_back(sink);
}

// The text must outlive the messages.
void Messages::append_to(std::string& text, Level least) {
  pass_to([&text](Level, std::string_view line) { text.append(line).append(1, '\n'); }, least);
}

void Messages::pass_to(Receiver receiver, Level least) {
  const auto sink = std::make_shared<FunctionSink>(std::move(receiver));
  sink->set_level(level_of(least));
  logger_->sinks().push_back(sink);
}

// Receivers have levels of their own, hence one has to be asked after the other.
bool Messages::wants(Level level) const {
  for (const spdlog::sink_ptr& sink : logger_->sinks())
    if (sink->should_log(level_of(level))) return true;
  return false;
}

// Receivers lock: threads may report at the same time.
void Messages::say(Level level, std::string_view text) {
  logger_->log(level_of(level), spdlog::string_view_t(text.data(), text.size()));
}

void Messages::warning(std::string_view text) {
  std::string line = "warning: ";
  line.append(text);
  say(Level::warning, line);
}

bool Messages::is_quiet() const { return terminal_ && !terminal_->should_log(spdlog::level::info); }

// A quiet program has no status line.
bool Messages::shows_status() const { return terminal_ && terminal_->is_terminal() && !is_quiet(); }

void Messages::show_status(std::string_view text) {
  if (shows_status()) terminal_->show(text);
}

void Messages::clear_status() {
  if (terminal_) terminal_->clear_status();
}

}  // namespace polhode::run
