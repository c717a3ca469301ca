// SPDX-License-Identifier: BSD-3-Clause
// The whole memory of the program in large pages, where a deck is large. The C library gives the heap such pages if an
// environment variable asks for them at the start, so that the program has to start anew.
#pragma once
#include <optional>
#include <span>
#include <string>

namespace polhode::cli {

// What GLIBC_TUNABLES, now `present` or null, has to be for these arguments. Nothing where no deck among them is large,
// or where it says already what pages the heap has.
std::optional<std::string> tunables_for(std::span<char* const> arguments, const char* present);

// Starts the program anew, as the same process, where that is worth it. Returns otherwise, or if it fails.
void ask_for_large_pages(int argc, char** argv);

}  // namespace polhode::cli
