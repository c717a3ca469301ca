// SPDX-License-Identifier: BSD-3-Clause
// The progress line.
#include "progress.hpp"

#include <fmt/format.h>

namespace polhode::cli {

// Reading and set-up do not count in the time left.
void Progress::restart() {
  start_ = Clock::now();
  last_ = start_;
}

// More often than ten times a second is not read by anybody, and costs time.
bool Progress::is_due() {
  constexpr auto interval = std::chrono::milliseconds(100);
  if (!messages_.shows_status()) return false;
  const Clock::time_point now = Clock::now();
  if (now - last_ < interval) return false;
  last_ = now;
  return true;
}

// In proportion to the work done so far.
void Progress::show_text(double fraction, std::string text) {
  // Below, the time left is a guess
  constexpr double enough = 0.01;
  const double elapsed = std::chrono::duration<double>(last_ - start_).count();
  if (fraction > enough) text += fmt::format("  {:.0f} s left", elapsed * (1 - fraction) / fraction);
  messages_.show_status(text);
}

}  // namespace polhode::cli
