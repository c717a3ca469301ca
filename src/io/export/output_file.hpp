// SPDX-License-Identifier: BSD-3-Clause
// A text file that is written from begin to end.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include "io/files/part_file.hpp"

namespace polhode::io {

class OutputFile {
 public:
  enum class Folders { made, given };
  // Creates the file, or replaces it when it is closed, a link in its place or what the link leads to; the folders on
  // its path are made where that is asked for. Throws FileError, as do all others.
  explicit OutputFile(const std::string& path, Folders folders = Folders::made,
                      PartFile::Links links = PartFile::Links::followed);
  ~OutputFile();  // without close() before: drops what was written
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void line(std::string_view text);  // and a line end
  // Reports errors of all writes, and puts the file in its place. Returns the path.
  const std::string& close();

 private:
  [[noreturn]] void fail() const;  // with the reason in errno
  void make_folders() const;

  std::string path_;
  PartFile part_;
  bool is_special_ = false;  // written to where it stands
  std::FILE* file_ = nullptr;
};

}  // namespace polhode::io
