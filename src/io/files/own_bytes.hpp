// SPDX-License-Identifier: BSD-3-Clause
// Whether an open file is still what this program wrote: other programs may truncate it, or write over it in place.
#pragma once
#include <cstdint>
#include <vector>

namespace polhode::io {

// Knows the first two pages of a file, where the structure of results begins and the time stands at which they were
// made; what another program changes farther on, without changing the length, is not seen.
class OwnBytes {
 public:
  // To be called with all that is written, in its order.
  void add(std::uint64_t address, const unsigned char* data, std::size_t size);
  // False where the file has another length than `length`, bytes, or begins otherwise. True where that cannot be known.
  bool are_in(int descriptor, std::uint64_t length) const;

 private:
  std::vector<unsigned char> begin_;
};

}  // namespace polhode::io
