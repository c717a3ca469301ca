// SPDX-License-Identifier: BSD-3-Clause
// Results of cases that were cut.
#include "cut_results.hpp"

#include <filesystem>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/restart_file.hpp"
#include "polhode/io/own_files.hpp"

namespace polhode::studies {
namespace {

namespace fs = std::filesystem;

bool is_plain_file(const std::string& file) {
  std::error_code none;
  return fs::is_regular_file(file, none) && !fs::is_symlink(file, none);
}

bool has_point(const std::string& file) {
  if (!is_plain_file(file)) return false;
  try {
    return !io::RestartSource(file).points().empty();
  } catch (const io::FileError&) {
    return false;
  }
}

std::string aside_of(const std::string& results) {
  return fs::path(results).replace_extension(".cut" + fs::path(results).extension().string()).string();
}

}  // namespace

// A case that went on and was cut again has all that stands aside, and more.
CutResults::CutResults(const std::string& results) {
  if (results.empty()) return;
  const std::string aside = aside_of(results);
  std::error_code error;
  if (has_point(results) && io::may_be_replaced(aside, io::OwnFile::results)) {
    fs::rename(results, aside, error);
    if (!error) file_ = aside;
  } else if (has_point(aside)) {
    file_ = aside;
  }
}

CutResults::~CutResults() {
  std::error_code none;
  if (!file_.empty()) fs::remove(file_, none);
}

}  // namespace polhode::studies
