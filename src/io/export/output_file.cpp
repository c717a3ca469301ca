// SPDX-License-Identifier: BSD-3-Clause
// Text files.
#include "io/export/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/own_files.hpp"

namespace polhode::io {

// Folders first: a missing one would be reported as a missing file.
void OutputFile::make_folders() const {
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw FileError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

OutputFile::OutputFile(const std::string& path, Folders folders, PartFile::Links links)
    : path_(path), part_(path, links) {
  if (folders == Folders::made) make_folders();
  is_special_ = part_.is_special();
  if (!is_special_) {
    errno = part_.problem();
    if (errno != 0) fail();
  }
  const std::string& name = is_special_ ? part_.target() : part_.temporary();
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail();
  if (!is_special_) part_.made();
  file_ = ::fdopen(descriptor, "w");
  if (!file_) {
    const int number = errno;
    ::close(descriptor);
    errno = number;
    fail();
  }
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
  if (is_special_) return path_;
  errno = part_.put_in_place();
  if (errno != 0) fail();
  return path_;
}

void write_text(const std::string& file, std::string_view text) {
  OutputFile out(file, OutputFile::Folders::given);
  out.write(text);
  out.close();
}

}  // namespace polhode::io
