// SPDX-License-Identifier: BSD-3-Clause
// Decimal numbers with a point, whatever locale a program that uses the library has set.
#pragma once
#include <locale.h>
#include <stdlib.h>

namespace polhode::math {

// As std::strtod with the locale "C".
inline double decimal(const char* text, char** end) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, end, plain);
}

}  // namespace polhode::math
