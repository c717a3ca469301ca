// SPDX-License-Identifier: BSD-3-Clause
// The choice of the number of threads.
#include "threads.hpp"

#include <omp.h>

#include <algorithm>

namespace polhode::cli {
namespace {

constexpr std::size_t many_elements = 5000;
constexpr int most_by_default = 4;  // beyond, the factorization, done by one thread, is what is waited for

}  // namespace

int set_threads(int asked, std::size_t elements) {
  const int automatic = elements < many_elements ? 1 : std::min(omp_get_num_procs(), most_by_default);
  const int threads = asked > 0 ? asked : automatic;
  omp_set_num_threads(threads);
  return threads;
}

}  // namespace polhode::cli
