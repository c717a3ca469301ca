// SPDX-License-Identifier: BSD-3-Clause
// Which decks have the heap in large pages: large ones, unless the user has said what pages it has.
#include "cli/large_pages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace polhode::cli {
namespace {

TEST(LargePages, AreForLargeDecks) {
  const std::string folder = testing::TempDir();
  std::string small = folder + "large_pages_small.yaml";
  std::string large = folder + "large_pages_large.yaml";
  std::string results = folder + "large_pages_large.h5";
  std::ofstream(small) << "format: polhode-deck/1\n";
  for (const std::string& file : {large, results}) {
    std::ofstream(file) << "format: polhode-deck/1\n";
    std::filesystem::resize_file(file, 1 << 20);
  }
  const auto tunables = [](std::string& file, const char* present) {
    std::string run = "run";
    const std::array<char*, 2> arguments{run.data(), file.data()};
    return tunables_for(arguments, present);
  };
  EXPECT_EQ(tunables(large, nullptr), "glibc.malloc.hugetlb=1");
  EXPECT_EQ(tunables(large, "glibc.malloc.check=3"), "glibc.malloc.check=3:glibc.malloc.hugetlb=1");
  EXPECT_FALSE(tunables(large, "glibc.malloc.hugetlb=0"));
  EXPECT_FALSE(tunables(small, nullptr));
  EXPECT_FALSE(tunables(results, nullptr));
  std::string absent = folder + "large_pages_absent.yaml";
  EXPECT_FALSE(tunables(absent, nullptr));
  for (const std::string& file : {small, large, results}) std::filesystem::remove(file);
}

}  // namespace
}  // namespace polhode::cli
