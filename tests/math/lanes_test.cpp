// SPDX-License-Identifier: BSD-3-Clause
// Numbers side by side in a register: from lanes to places apart.
#include "polhode/math/lanes.hpp"

#include <gtest/gtest.h>

namespace polhode::math {
namespace {

TEST(Lanes, ColumnsOfSixAreAddedWhereEachLaneWantsThem) {
  std::array<Lanes, 6> numbers;
  for (int i = 0; i < 6; ++i)
    for (int lane = 0; lane < Lanes::count; ++lane) numbers[i].set(lane, 10 * lane + i);
  std::array<std::array<double, 9>, Lanes::count> room;
  std::array<double*, Lanes::count> to;
  for (int lane = 0; lane < Lanes::count; ++lane) {
    room[lane].fill(0.5);
    to[lane] = room[lane].data();
  }
  add_columns_of_six(numbers.data(), to, 2);
  for (int lane = 0; lane < Lanes::count; ++lane)
    for (int i = 0; i < 9; ++i)
      EXPECT_EQ(room[lane][i], i < 2 || i == 8 ? 0.5 : 0.5 + 10 * lane + i - 2) << lane << ' ' << i;
}

}  // namespace
}  // namespace polhode::math
