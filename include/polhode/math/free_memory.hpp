// SPDX-License-Identifier: BSD-3-Clause
// How much memory there is for what has not been allocated yet.
#pragma once
#include <new>
#include <string>
#include <utility>

namespace polhode::math {

// Bytes that this process may still take: the least of what the machine has free (with swap), what the control group
// leaves (containers, batch systems) and what the limit of addresses leaves (`ulimit -v`). Infinite where nothing is
// known. Reads files of /proc: some 50 us.
double free_memory();

// Memory that is not there, with the text for the user: how much for what.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// "there is not enough memory for this model", and how much for what where it is known.
std::string memory_text(const std::bad_alloc& error);

// Throws NotEnoughMemory where `bytes` are more than what is free: "<what> takes about 12.3 GB, and 3.1 GB are free".
// Without it the system would end the process while it fills them, and nothing would say why. Few bytes are not looked
// at.
void require_memory(double bytes, const std::string& what);

// "12.3 GB"
std::string bytes_text(double bytes);

}  // namespace polhode::math
