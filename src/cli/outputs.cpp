// SPDX-License-Identifier: BSD-3-Clause
// Standard output, and files that a command would write over: results take the place of results, and of nothing else.
#include <cstdio>
#include <filesystem>

#include "command.hpp"
#include "polhode/io/own_files.hpp"

namespace polhode::cli {

namespace fs = std::filesystem;

namespace {

// Without links in what is there of it; a link to a file that is not there yet is the place of that file.
fs::path place_of(std::string file) {
  constexpr int most_links = 40;
  std::error_code none;
  for (int i = 0; i < most_links && fs::is_symlink(file, none) && !fs::exists(file, none); ++i)
    file = fs::path(file).parent_path() / fs::read_symlink(file, none);
  const fs::path place = fs::weakly_canonical(fs::absolute(file, none), none);
  return none ? fs::path(file).lexically_normal() : place;
}

}  // namespace

// By name where a file does not exist yet, by its place on disk where it does.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return place_of(a) == place_of(b) || fs::equivalent(a, b, none);
}

std::string output_or_default(const std::string& output, const std::string& input, const char* ending) {
  return output.empty() ? fs::path(input).stem().string() + ending : output;
}

// An empty file may be replaced: it holds nothing to lose.
std::string clash_of_output(const std::string& output, const std::vector<std::string>& inputs,
                            std::string_view remedy) {
  // Empty names are options that were not given.
  for (const std::string& input : inputs)
    if (!input.empty() && is_same_file(output, input))
      return output + ": is what this command reads; name another file with -o";
  if (io::may_be_replaced(output, io::OwnFile::results)) return "";
  return output + ": is there already and holds no results of polhode; name another file with -o, " +
         std::string(remedy);
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace polhode::cli
