// SPDX-License-Identifier: BSD-3-Clause
// The entry of libFuzzer; POLHODE_TARGET is one of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polhode::fuzz::POLHODE_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
