// SPDX-License-Identifier: BSD-3-Clause
// A text file that is written from begin to end.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace polhode::io {

class OutputFile {
 public:
  // Creates or replaces the file; makes the folders on its path. Throws FileError, as do all others.
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // closes; errors are lost, so call close() first
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void line(std::string_view text);  // and a line end
  // Reports errors of all writes. Returns the path.
  const std::string& close();

 private:
  [[noreturn]] void fail() const;  // with the reason in errno

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace polhode::io
