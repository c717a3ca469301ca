// SPDX-License-Identifier: BSD-3-Clause
// A run whose results are changed behind its back, which its own HDF5 file driver sees.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/program.hpp"

namespace polhode::support {
namespace {

TEST(OrderedDriver, ResultsThatAreTruncatedDuringTheRunAreFour) {
  const Workshop workshop;
  const pid_t child = workshop.start(
      {shipped("benchmarks/heavy_top.yaml"), "--set", "analysis.duration=1.0e+5", "--set", "output.every=50"});
  while (!std::filesystem::exists(workshop.file("heavy_top.xdmf")))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::filesystem::resize_file(workshop.file("heavy_top.h5"), 100);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_TRUE(contains(workshop.said(), "heavy_top.h5: was truncated or overwritten by another program"))
      << workshop.said();
}

}  // namespace
}  // namespace polhode::support
