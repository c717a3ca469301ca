// SPDX-License-Identifier: BSD-3-Clause
// Names of the files of a run, and files that they would be written over.
#include "run_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "polhode/io/own_files.hpp"

namespace polhode::cli {
namespace {

namespace fs = std::filesystem;

// Files that polhode did not write are replaced on request alone.
std::string clash_with_others(const RunFiles& files) {
  if (std::string clash = clash_of_output(files.results(), {}, "or replace it with --force"); !clash.empty())
    return clash;
  if (!io::may_be_replaced(files.picture(), io::OwnFile::picture))
    return files.picture() +
           ": would be written beside the results, is there already and is none of polhode; name another file "
           "with -o, or replace it with --force";
  if (!io::may_be_replaced(files.responses, io::OwnFile::responses))
    return files.responses +
           ": is there already and holds no responses; name another file for --responses, or replace it with --force";
  return "";
}

}  // namespace

std::string RunFiles::results() const { return output_or_default(output, deck, ".h5"); }

std::string RunFiles::picture() const { return io::picture_of(results()); }

void RunFiles::remove_links() const {
  for (const std::string& file : {results(), picture(), responses}) {
    std::error_code none;
    const bool leads_to_file = fs::is_regular_file(file, none) || !fs::exists(file, none);
    if (fs::is_symlink(file, none) && leads_to_file) fs::remove(file, none);
  }
}

std::string RunFiles::clash_with(const io::Deck& read) const {
  for (const std::string& file : {results(), picture(), responses}) {
    if (file.empty()) continue;
    for (const std::string& table : read.tables)
      if (is_same_file(file, table)) return file + ": is a table of the deck; name another file";
    for (const std::string& included : read.included)
      if (is_same_file(file, included)) return file + ": is included by the deck; name another file";
  }
  return "";
}

std::vector<Output> RunFiles::all() const {
  return {{"results (-o)", results()},
          {fmt::format("picture beside the results {}", results()), picture()},
          {"responses (--responses)", responses}};
}

std::string RunFiles::clash(bool force) const {
  for (const std::string& file : {results(), picture(), responses})
    if (!file.empty() && is_same_file(file, deck)) return file + ": is the deck itself; name another file with -o";
  for (const std::string& file : {results(), picture(), io::temporary_name(results()), io::temporary_name(picture())})
    if (!responses.empty() && is_same_file(responses, file))
      return responses + ": is a file of the results already; name another one for --responses";
  return force ? "" : clash_with_others(*this);
}

}  // namespace polhode::cli
