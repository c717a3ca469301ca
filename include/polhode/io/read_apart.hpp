// SPDX-License-Identifier: BSD-3-Clause
// Reading files of others in a process of its own, with limits.
//
// HDF5 trusts the structure of a file: some that are damaged end the program that reads them by a signal, or take
// hours or all memory, before a look at their contents is possible. Whoever reads such a file does it in a child, so
// that the worst that a file can do is a message.
#pragma once
#include <functional>
#include <string>

namespace polhode::io {

// Limits of a child beyond what the file's own size accounts for: its bytes, and a second for each five megabytes.
struct ReadingLimits {
  // Bytes of memory beyond what the program has already, and twice the file
  double memory = 500e6;
  // Processor time, s; a child that waits for a disk may take ten times as long by the clock
  double seconds = 2;
};

// Has a child process read `file` by `work`, and returns what that returns; files that `work` writes are there when it
// is done. What `work` throws is thrown here: FileError, ResultsError, std::invalid_argument, all others as FileError.
// A child that ends by a signal or reaches a limit is a FileError: the file is damaged.
// For programs with one thread; others need `work` to do without the rest of them.
std::string read_apart(const std::string& file, const std::function<std::string()>& work,
                       const ReadingLimits& limits = {});

}  // namespace polhode::io
