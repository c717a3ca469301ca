// SPDX-License-Identifier: BSD-3-Clause
// Signals that end a run.
#include "interrupts.hpp"

#include <csignal>

namespace polhode::cli {
namespace {

volatile std::sig_atomic_t signaled = 0;
// Only sets a flag: nothing else is safe in the handler of a signal.
void on_signal(int) { signaled = 1; }

}  // namespace

// Called when a run begins: before, the default ends the program at once.
void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool is_interrupted() { return signaled != 0; }

}  // namespace polhode::cli
