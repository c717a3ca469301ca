// SPDX-License-Identifier: BSD-3-Clause
// A std::vector whose memory, where it is much, lies in large pages.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace polhode::math {

// Arrays of many megabytes that are walked through at each iteration spend a tenth of the time on translating the
// addresses of small pages. Linux gives large ones on request, if it has them.
// An allocator of the standard library, without state: all of them are equal.
template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}

  // Aligned to a cache line at least; throws std::bad_alloc. Contents are not set.
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    const bool large = bytes >= page / 2;  // the last page may be in use by half
    const std::size_t alignment = large ? page : 64;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: it need not be granted
    return static_cast<T*>(memory);
  }
  // Serves both kinds of memory.
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  // Size of a large page of x86-64: 2 MiB.
  static constexpr std::size_t page = std::size_t{2} << 20;
};

// For slots, values of matrices and states; anything small is a plain std::vector.
template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace polhode::math
