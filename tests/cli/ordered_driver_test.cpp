// SPDX-License-Identifier: BSD-3-Clause
// A run whose results are changed behind its back, which its own HDF5 file driver sees.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/program.hpp"

namespace polhode::support {
namespace {

TEST(OrderedDriver, ResultsThatAreTruncatedDuringTheRunAreFour) {
  const Workshop workshop;
  const pid_t child = workshop.start(
      {shipped("benchmarks/heavy_top.yaml"), "--set", "analysis.duration=1.0e+5", "--set", "output.every=50"});
  workshop.wait_for("heavy_top.xdmf");
  std::filesystem::resize_file(workshop.file("heavy_top.h5"), 100);
  EXPECT_EQ(Workshop::status_of(child), 4);
  EXPECT_TRUE(contains(workshop.said(), "heavy_top.h5: was truncated or overwritten by another program"))
      << workshop.said();
}

}  // namespace
}  // namespace polhode::support
