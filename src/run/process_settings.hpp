// SPDX-License-Identifier: BSD-3-Clause
// What a run changes in its process for as long as it lasts: floating-point mode and number of threads.
#pragma once
#include <cstddef>

namespace polhode::run {

// Flushes numbers below 1e-308 to zero: waves that die out along a structure leave them, and they slow arithmetic down
// tenfold. The mode is that of the calling thread; the destructor restores it.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned before_ = 0;
};

// The number of threads for loops over elements and nodes. `asked` = 0: one, but for models of many elements, where
// assembly and elimination take most of the time, as many as there are processors (four at most).
int number_of_threads(int asked, std::size_t elements);

// Sets the number of threads for all such loops; the destructor restores it. Results do not depend on it.
class Threads {
 public:
  explicit Threads(int number);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

}  // namespace polhode::run
