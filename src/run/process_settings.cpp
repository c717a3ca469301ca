// SPDX-License-Identifier: BSD-3-Clause
// Floating-point mode and number of threads.
#include "process_settings.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <algorithm>

#include "polhode/math/parallel.hpp"

namespace polhode::run {
namespace {

constexpr std::size_t many_elements = 5000;
// Beyond, what one thread does alone is what is waited for: parts of the factorization, sums, output
constexpr int most_by_default = 4;

}  // namespace

#if defined(__SSE2__)
// Both directions: results and operands.
FlushDenormals::FlushDenormals() : before_(_mm_getcsr()) {
  constexpr unsigned flush_to_zero = 0x8000;
  constexpr unsigned denormals_are_zero = 0x0040;
  _mm_setcsr(before_ | flush_to_zero | denormals_are_zero);
}
FlushDenormals::~FlushDenormals() { _mm_setcsr(before_); }
#else
FlushDenormals::FlushDenormals() = default;
FlushDenormals::~FlushDenormals() = default;
#endif

// Small models lose more by starting threads than assembly gains.
int number_of_threads(int asked, std::size_t elements) {
  if (asked > 0) return asked;
  return elements < many_elements ? 1 : std::min(math::number_of_processors(), most_by_default);
}

Threads::Threads(int number) : before_(math::number_of_threads()) { math::set_number_of_threads(number); }

Threads::~Threads() { math::set_number_of_threads(before_); }

}  // namespace polhode::run
