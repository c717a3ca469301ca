// SPDX-License-Identifier: BSD-3-Clause
// Memory that is held back for the moment when there is no other.
#pragma once
#include <sys/mman.h>

#include <cstddef>

namespace polhode::io {

// HDF5 does not survive every allocation that fails while it makes, flushes or closes a file. The reserve counts as
// used, for limits of a process as well as for systems that do not overcommit; since it is never touched it takes no
// memory else.
class MemoryReserve {
 public:
  MemoryReserve() = default;
  ~MemoryReserve() { release(); }
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  // False where there is not so much (bytes). What was held before is given back first.
  bool acquire(std::size_t size) {
    release();
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = memory;
    size_ = size;
    return true;
  }

  // From here on anybody can allocate it.
  void release() {
    if (memory_) munmap(memory_, size_);
    memory_ = nullptr;
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace polhode::io
