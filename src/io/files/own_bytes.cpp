// SPDX-License-Identifier: BSD-3-Clause
// Length and first bytes of a file against those that were written.
#include "io/files/own_bytes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace polhode::io {
namespace {

constexpr std::size_t known_bytes = 8192;

}  // namespace

// Gaps between what was written are zeros, as they are on disk.
void OwnBytes::add(std::uint64_t address, const unsigned char* data, std::size_t size) {
  if (address >= known_bytes) return;
  const std::size_t count = std::min<std::size_t>(size, known_bytes - address);
  if (begin_.size() < address + count) begin_.resize(address + count);
  std::memcpy(begin_.data() + address, data, count);
}

// Two calls of the system, a few microseconds.
bool OwnBytes::are_in(int descriptor, std::uint64_t length) const {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return true;
  if (static_cast<std::uint64_t>(status.st_size) != length) return false;
  std::array<unsigned char, known_bytes> there;
  const ssize_t count = ::pread(descriptor, there.data(), begin_.size(), 0);
  if (count < 0) return true;
  return static_cast<std::size_t>(count) == begin_.size() && std::equal(begin_.begin(), begin_.end(), there.begin());
}

}  // namespace polhode::io
