// SPDX-License-Identifier: BSD-3-Clause
// The folder of an export: which files may be written into it, and the list of those that polhode wrote.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "io/export/output_file.hpp"

namespace polhode::io {

class ExportFolder {
 public:
  // `source` is the results file. With `force`, files of others are replaced, too.
  ExportFolder(std::string folder, std::string source, bool force);

  // A file that is going to be written, relative to the folder: "state_space/A.mtx". `path` is what it holds in the
  // results. Throws FileError with this path where the name would lead elsewhere, is no plain name, or is taken.
  void add(const std::string& name, const std::string& path);

  // Writes the list, polhode-export.json, with all files that were added. Before that nothing has been touched. Throws
  // std::invalid_argument where files are there that the list of an earlier export does not have, or where the folder
  // leads elsewhere by a link.
  void open() const;

  // An added file, to be written. A link in its place is replaced: what it leads to is none of this folder.
  OutputFile make_file(const std::string& name) const;
  // Where it stands.
  std::string file(const std::string& name) const;

 private:
  void check(const std::string& name, const std::vector<std::string>& own) const;

  std::string folder_;
  std::string source_;
  bool force_;
  // Of each file what it holds
  std::map<std::string, std::string> paths_;
};

}  // namespace polhode::io
