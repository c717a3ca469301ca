// SPDX-License-Identifier: BSD-3-Clause
// The progress bar of a study.
#include "sweep_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace polhode::cli {

SweepProgress::SweepProgress(std::size_t to_go) : all_(to_go), terminal_(isatty(STDERR_FILENO) == 1) {}

SweepProgress::~SweepProgress() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
}

void SweepProgress::add(bool completed) {
  ++done_;
  if (!completed) ++failed_;
}

void SweepProgress::show() {
  constexpr std::size_t width = 30;
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const std::size_t filled = width * done_ / std::max<std::size_t>(all_, 1);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fprintf(stderr, "\r\x1b[K[%s] %zu done, %zu failed, %zu to go", bar.c_str(), done_, failed_, all_ - done_);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (done_ > 0)
    std::fprintf(stderr, ", %.0f s left", elapsed * static_cast<double>(all_ - done_) / static_cast<double>(done_));
  std::fflush(stderr);
  visible_ = true;
}

}  // namespace polhode::cli
