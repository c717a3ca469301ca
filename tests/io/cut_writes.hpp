// SPDX-License-Identifier: BSD-3-Clause
// Writes of this process that end in their middle, for tests of files that are left so. Replaces pwrite() of the C
// library: one source of a program may include it.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <random>

// All writes of this test program pass here. A child process can have some of its own cut, at the start of one or at
// the end of one of its pages: within a page the system does not stop. There it ends; or it stops, so that the test
// reads what an end would leave, and then goes on with the whole write.
namespace {
struct Cuts {
  // Until the one that is cut; below zero: none is
  long writes = -1;
  // Of it that are written
  std::size_t pages = 0;
  // The process stops in one of 1 to so many writes; 0: it ends in the first one
  unsigned thinning = 0;
  std::mt19937 random{7};

  // From the next write on.
  void stop(unsigned one_of) {
    thinning = one_of;
    writes = 0;
  }
  void go_on() {
    writes = static_cast<long>(random() % thinning);
    pages = random() % 4;
  }
};
Cuts cuts;
}  // namespace

extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t place) {
  if (cuts.writes == 0) {
    const std::size_t pages = 4096 * cuts.pages;
    const std::size_t skipped = static_cast<std::size_t>(place) % 4096;
    const std::size_t part = std::min(pages > skipped ? pages - skipped : 0, size);
    if (part > 0) syscall(SYS_pwrite64, descriptor, data, part, place);
    if (cuts.thinning == 0) _exit(0);
    raise(SIGSTOP);
    cuts.go_on();
  } else if (cuts.writes > 0) {
    --cuts.writes;
  }
  return syscall(SYS_pwrite64, descriptor, data, size, place);
}
