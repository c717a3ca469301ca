// SPDX-License-Identifier: BSD-3-Clause
// The entries of libFuzzer; the target is that of the environment, POLHODE_FUZZ_TARGET.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.hpp"

namespace {

const polhode::fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("POLHODE_FUZZ_TARGET");
  target = polhode::fuzz::find_target(name ? name : "");
  if (target) return 0;
  std::fprintf(stderr, "POLHODE_FUZZ_TARGET is none of the targets\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
