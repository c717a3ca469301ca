// SPDX-License-Identifier: BSD-3-Clause
// How columns of small dense blocks stand in memory.
#pragma once

namespace polhode::math {

// Numbers that a column of so many rows takes, for vector registers: four up to four rows, else six. Those beyond its
// rows are zero. Blocks of more rows have none beyond.
constexpr int column_width(int rows) { return rows <= 4 ? 4 : rows <= 6 ? 6 : rows; }

}  // namespace polhode::math
