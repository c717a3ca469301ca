// SPDX-License-Identifier: BSD-3-Clause
#include "large_pages.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace polhode::cli {
namespace {

constexpr const char* tunables_variable = "GLIBC_TUNABLES";
constexpr std::string_view tunable_of_pages = "glibc.malloc.hugetlb";
// Some thousand bodies: reading them takes fifty times as long as the start
constexpr std::uintmax_t large_deck = 1u << 20;

bool is_large_deck(const char* argument) {
  const std::filesystem::path path(argument);
  if (path.extension() != ".yaml" && path.extension() != ".yml" && path.extension() != ".json") return false;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return !error && size >= large_deck;
}

}  // namespace

std::optional<std::string> tunables_for(std::span<char* const> arguments, const char* present) {
  const std::string_view set(present ? present : "");
  if (set.find(tunable_of_pages) != std::string_view::npos) return {};
  if (std::none_of(arguments.begin(), arguments.end(), is_large_deck)) return {};
  // 1: pages that the system gives on request, and need not
  return std::string(set) + (set.empty() ? "" : ":") + std::string(tunable_of_pages) + "=1";
}

void ask_for_large_pages(int argc, char** argv) {
  const std::optional<std::string> tunables =
      tunables_for({argv, static_cast<std::size_t>(argc)}, std::getenv(tunables_variable));
  if (!tunables || setenv(tunables_variable, tunables->c_str(), 1) != 0) return;
  execv("/proc/self/exe", argv);
}

}  // namespace polhode::cli
