// SPDX-License-Identifier: BSD-3-Clause
// A file of a few datasets that are written once, each with its unit and description: tables of studies, orders.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/hdf5/datasets.hpp"

namespace polhode::io::hdf5 {

class TableWriter {
 public:
  // Creates or empties the file. Throws Error, as do all others.
  explicit TableWriter(const std::string& file);

  // Of the file: its format, the program's version, the title and the time.
  void head(const char* format, const std::string& title);
  void attribute(const char* name, const std::string& text);

  // Each makes a dataset at `path`, and the groups on the way.
  void text(const std::string& path, const std::string& text, const std::string& description);
  void texts(const std::string& path, const std::vector<std::string>& texts, const std::string& description);
  // `values`: as many as `shape` has, last index fastest.
  void numbers(const std::string& path, const std::vector<double>& values, const std::vector<hsize_t>& shape,
               const std::string& units, const std::string& description);
  void counts(const std::string& path, const std::vector<std::int64_t>& values, const std::string& description);

  // A group whose members are listed in the order in which they were made.
  void ordered_group(const std::string& path);

  void close();  // reports what a destructor could not

 private:
  Handle file_;
};

// Has `write` fill a file that takes its place when it is whole. Throws ResultsError.
void write_whole(const std::string& file, const std::function<void(TableWriter&)>& write);

}  // namespace polhode::io::hdf5
