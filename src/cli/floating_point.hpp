// SPDX-License-Identifier: BSD-3-Clause
// Numbers below 1e-308 count as zero: waves that die out along a structure leave them, and they slow arithmetic down
// tenfold.
#pragma once
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace polhode::cli {

inline void flush_denormals() {
#if defined(__SSE2__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
}

}  // namespace polhode::cli
