// SPDX-License-Identifier: BSD-3-Clause
// The progress line.
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace polhode::cli {

Progress::Progress(double begin, double end)
    : terminal_(isatty(STDERR_FILENO) == 1), begin_(begin), end_(end), start_(Clock::now()), last_print_(start_) {}

Progress::~Progress() { clear(); }

void Progress::update(double time, long steps, long newton_solves) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_print_ < std::chrono::milliseconds(100)) return;
  last_print_ = now;
  const double done = end_ > begin_ ? std::clamp((time - begin_) / (end_ - begin_), 0.0, 1.0) : 1.0;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double mean = steps > 0 ? static_cast<double>(newton_solves) / static_cast<double>(steps) : 0.0;
  std::fprintf(stderr, "\r\x1b[K%3.0f %%  t = %.4g of %.4g s  %ld steps  %.2f Newton solves a step", 100 * done, time,
               end_, steps, mean);
  if (done > 0.01) std::fprintf(stderr, "  %.0f s left", elapsed * (1 - done) / done);
  std::fflush(stderr);
  visible_ = true;
}

void Progress::clear() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
  visible_ = false;
}

}  // namespace polhode::cli
