// SPDX-License-Identifier: BSD-3-Clause
// Signals that end a run.
#include "interrupts.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "command.hpp"

namespace polhode::cli {
namespace {

volatile std::sig_atomic_t signaled = 0;
pid_t program = 0;
// Only sets a flag: hardly anything else is safe in the handler of a signal.
void on_signal(int) { signaled = 1; }

// write() and _exit() are safe. A process of this program's own ends as it would without a handler: its parent, which
// waits for it, speaks for both.
void on_early_signal(int number) {
  constexpr std::string_view text = "polhode: interrupted\n";
  if (getpid() != program) {
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(interrupted);
}

}  // namespace

void announce_interrupts() {
  program = getpid();
  for (const int number : {SIGINT, SIGTERM})
    if (std::signal(number, on_early_signal) == SIG_IGN) std::signal(number, SIG_IGN);
}

// Called when a run begins: before, there is nothing to be kept.
void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool is_interrupted() { return signaled != 0; }

}  // namespace polhode::cli
