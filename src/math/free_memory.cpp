// SPDX-License-Identifier: BSD-3-Clause
// Linux's own figures, from /proc and the control groups.
#include "polhode/math/free_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

namespace polhode::math {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// The number behind a word of a file ("MemAvailable:"); -1 where there is none.
double number_behind(const std::string& file, const std::string& word) {
  std::ifstream stream(file);
  for (std::string found; stream >> found;) {
    double number = 0;
    if (found == word && stream >> number) return number;
    stream.clear();
  }
  return -1;
}

// -1 where there is none: a group without a limit says "max".
double first_number(const std::string& file) {
  double number = 0;
  return std::ifstream(file) >> number ? number : -1;
}

// Of the machine, in kB; pages that hold files count as free.
double free_of_machine() {
  const double available = number_behind("/proc/meminfo", "MemAvailable:");
  if (available < 0) return unlimited;
  return 1024 * (available + std::max(0.0, number_behind("/proc/meminfo", "SwapFree:")));
}

// Of the group of this process and of those that it belongs to (version 2 of control groups).
double free_of_groups() {
  std::string path;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    if (line.starts_with("0::/")) path = line.substr(3);
  if (path == "/") path.clear();
  double free = unlimited;
  while (true) {
    const std::string folder = "/sys/fs/cgroup" + path + "/";
    const double most = first_number(folder + "memory.max");
    const double used = first_number(folder + "memory.current");
    const double files = number_behind(folder + "memory.stat", "inactive_file");
    if (most >= 0 && used >= 0) free = std::min(free, most - used + std::max(files, 0.0));
    if (path.empty()) return free;
    path.erase(path.rfind('/'));
  }
}

double free_of_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const double used = first_number("/proc/self/statm") * static_cast<double>(sysconf(_SC_PAGESIZE));
  return static_cast<double>(limit.rlim_cur) - used;
}

}  // namespace

double free_memory() { return std::max(0.0, std::min({free_of_machine(), free_of_groups(), free_of_addresses()})); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"MB", "GB", "TB", "PB"};
  double size = bytes * 1e-6;
  std::size_t unit = 0;
  while (size >= 1000 && unit + 1 < units.size()) {
    size *= 1e-3;
    ++unit;
  }
  return fmt::format("{:.3g} {}", size, units[unit]);
}

std::string memory_text(const std::bad_alloc& error) {
  std::string text = "there is not enough memory for this model";
  if (const auto* const known = dynamic_cast<const NotEnoughMemory*>(&error)) text += fmt::format(": {}", known->what());
  return text;
}

void require_memory(double bytes, const std::string& what) {
  constexpr double few = 32e6;
  if (bytes < few) return;
  const double free = free_memory();
  if (bytes <= free) return;
  throw NotEnoughMemory(fmt::format("{} takes about {}, and {} are free", what, bytes_text(bytes), bytes_text(free)));
}

}  // namespace polhode::math
