// SPDX-License-Identifier: BSD-3-Clause
// Two and four numbers in vector registers. GCC's and Clang's vectors: operators act number by number, in the order that
// is written, so that results do not depend on the processor.
#pragma once
#include <cstring>

namespace polhode::math {

typedef double Two __attribute__((vector_size(2 * sizeof(double))));
typedef double Four __attribute__((vector_size(4 * sizeof(double))));

// From and to memory of any alignment.
template <class Register>
inline Register load(const void* from) {
  Register r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
inline Four load_four(const double* from) { return load<Four>(from); }
inline void store(Two r, double* to) { std::memcpy(to, &r, sizeof r); }
inline void store(Four r, double* to) { std::memcpy(to, &r, sizeof r); }

}  // namespace polhode::math
