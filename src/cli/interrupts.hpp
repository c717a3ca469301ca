// SPDX-License-Identifier: BSD-3-Clause
// Signals that end a run.
#pragma once

namespace polhode::cli {

// From now on an interrupt or a termination ends the program at once, with a message and status 130. Signals that are
// ignored stay so. For the first thing that the program does.
void announce_interrupts();
// From now on an interrupt or a termination ends a run at the next step.
void catch_interrupts();
// Whether one has come.
bool is_interrupted();

}  // namespace polhode::cli
