// SPDX-License-Identifier: BSD-3-Clause
// Text files.
#include "io/export/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "polhode/io/deck/deck.hpp"

namespace polhode::io {

// Folders first: a missing one would be reported as a missing file.
OutputFile::OutputFile(const std::string& path) : path_(path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw FileError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  file_ = std::fopen(path.c_str(), "w");
  if (!file_) fail();
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

// errno is that of the call that failed: nothing may come between.
void OutputFile::fail() const {
  throw FileError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void OutputFile::line(std::string_view text) {
  write(text);
  write("\n");
}

// A full disk may show only here, when the last block is written.
const std::string& OutputFile::close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  return path_;
}

}  // namespace polhode::io
