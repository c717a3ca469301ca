// SPDX-License-Identifier: BSD-3-Clause
// CPU time a step of the program as users run it, with its default output. Of the optimized program only.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "support/places.hpp"
#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
constexpr bool optimized = true;
#else
constexpr bool optimized = false;
#endif

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// CPU time (user and system) of `polhode run`.
double cpu_seconds(const std::string& deck, double duration) {
  const auto folder = std::filesystem::temp_directory_path() / ("polhode_speed_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string results = folder / "results.h5";
  const std::string input = POLHODE_SOURCE_DIR "/inputs/benchmarks/" + deck + ".yaml";
  const std::string setting = set_duration(duration);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    execl(POLHODE_BINARY, POLHODE_BINARY, "run", input.c_str(), "-o", results.c_str(), "--set", setting.c_str(),
          nullptr);
    _exit(1);
  }
  int status = -1;
  rusage used{};
  EXPECT_EQ(wait4(child, &status, 0, &used), child);
  EXPECT_EQ(status, 0) << deck;
  std::filesystem::remove_all(folder);
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Other programs on the machine only add time: the least of several runs counts, until it is good enough.
void expect_step_time(const std::string& model, const std::string& deck, double step, double duration, double bound) {
  if (!optimized) bound *= 100;  // the bounds are those of the release build; others must only not hang
  double least_short = std::numeric_limits<double>::infinity();
  double least_long = least_short;
  double time = least_short;
  for (int repeat = 0; repeat < 15 && (repeat < 3 || time > bound); ++repeat) {
    least_short = std::min(least_short, cpu_seconds(deck, duration));
    least_long = std::min(least_long, cpu_seconds(deck, 11 * duration));
    time = (least_long - least_short) * step / (10 * duration);
  }
  expect_between(model, "lie_alpha: CPU time a step [µs]", 1e6 * time, 0, 1e6 * bound, 1);
}

TEST(Speed, HeavyTopStepTakesAtMostFifteenMicroseconds) { expect_step_time("heavy top", "heavy_top", 0.002, 2, 15e-6); }

TEST(Speed, RightAngleBeamStepTakesAtMostHalfAMillisecond) {
  expect_step_time("right-angle beam", "right_angle_beam", 0.2, 30, 0.5e-3);
}

}  // namespace
}  // namespace polhode::verification
