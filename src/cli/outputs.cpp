// SPDX-License-Identifier: BSD-3-Clause
// Files that a run would write over: results take the place of results, and of nothing else.
#include <filesystem>

#include "commands.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::cli {
namespace {

namespace fs = std::filesystem;

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return a.lexically_normal() == b.lexically_normal() || fs::equivalent(a, b, none);
}

}  // namespace

std::string clash_of_outputs(const RunOptions& options, const std::string& results) {
  const fs::path picture = fs::path(results).replace_extension(".xdmf");
  for (const fs::path& output : {fs::path(results), picture, fs::path(options.responses_file)})
    if (!output.empty() && is_same(output, options.deck))
      return output.string() + ": is the deck itself; name another file with -o";
  if (!options.responses_file.empty() &&
      (is_same(options.responses_file, results) || is_same(options.responses_file, picture)))
    return options.responses_file + ": is a file of the results already; name another one for --responses";
  std::error_code none;
  if (fs::is_regular_file(results, none) && fs::file_size(results, none) > 0 && !io::is_hdf5_file(results))
    return results + ": is there already and holds no results; name another file with -o, or remove it";
  return "";
}

std::string clash_of_output(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (!input.empty() && is_same(output, input))
      return output + ": is what this command reads; name another file with -o";
  std::error_code none;
  if (fs::is_regular_file(output, none) && fs::file_size(output, none) > 0 && !io::is_hdf5_file(output))
    return output + ": is there already and holds no results; name another file with -o, or remove it";
  return "";
}

}  // namespace polhode::cli
