// SPDX-License-Identifier: BSD-3-Clause
// Memory that is free, and what is said where it is too little.
#include "polhode/math/free_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace polhode::math {
namespace {

double bytes_of_addresses() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// In a child, whose limit does not concern other tests. What was mapped when it was asked lies between both figures.
TEST(FreeMemory, IsNoMoreThanALimitOfAddressesLeaves) {
  const pid_t child = fork();
  if (child == 0) {
    const auto most = static_cast<rlim_t>(bytes_of_addresses() + 50e6);
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
    const double before = static_cast<double>(most) - bytes_of_addresses();
    const double free = free_memory();
    const double after = static_cast<double>(most) - bytes_of_addresses();
    _exit(free >= std::min(before, after) && free <= std::max(before, after) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(FreeMemory, IsSomeOnAMachineThatRunsTests) { EXPECT_GT(free_memory(), 1e6); }

TEST(RequireMemory, NamesWhatIsNeededForWhatAndHowMuchIsFree) {
  require_memory(1e6, "a small thing");
  try {
    require_memory(5e15, "the factorization of 12 unknowns");
    ADD_FAILURE() << "5 PB were free";
  } catch (const std::bad_alloc& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("the factorization of 12 unknowns takes about 5 PB, and "), 0u) << text;
    EXPECT_TRUE(text.ends_with("B are free")) << text;
  }
}

TEST(BytesText, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(bytes_text(0), "0 MB");
  EXPECT_EQ(bytes_text(12.34e6), "12.3 MB");
  EXPECT_EQ(bytes_text(4.2e9), "4.2 GB");
  EXPECT_EQ(bytes_text(3e13), "30 TB");
}

}  // namespace
}  // namespace polhode::math
