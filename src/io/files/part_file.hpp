// SPDX-License-Identifier: BSD-3-Clause
// Files that take their place when they are whole, and that are missed when they are gone.
#pragma once
#include <string>

struct stat;

namespace polhode::io {

// A file is made under a temporary name beside its place, `<file>.polhode-part`, and renamed: whoever is killed before
// leaves an older file as it was. The name is the mark of what such a kill leaves behind; the next one writes over it.
class PartFile {
 public:
  // What becomes of a link in the place of the file: the file that it leads to is replaced, or the link is.
  enum class Links { followed, replaced };
  // Touches nothing.
  explicit PartFile(const std::string& file, Links links = Links::followed);
  // Removes the temporary file where it was made and not put in place.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  const std::string& target() const { return target_; }

  // A device or a pipe stands in its place, which is written to and not replaced.
  bool is_special() const;
  // Why the file cannot be replaced, as a number of errno; 0 if it can.
  int problem() const;
  // Why nothing can be made beside the file: its folder is missing, or may not be written; as above.
  int folder_problem() const;
  // The temporary file is there, made by this program.
  void made() { made_ = true; }
  // Renames. Returns 0 or a number of errno.
  int put_in_place();

 private:
  // of the target, through links only where they are followed
  bool read_status(struct stat& status) const;

  Links links_;
  std::string target_;
  std::string temporary_;
  bool made_ = false;
};

// Another program holds a lock on the file: it is writing or reading it.
bool is_in_use(const std::string& file);

// An open file whose name is looked at now and then.
class FileWatch {
 public:
  FileWatch() = default;
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Keeps hold of the file that stands at `path` now. Where it cannot be opened nothing is watched.
  void begin(const std::string& path);
  // What has happened to it, as a part of a sentence; "" while it stands at `path`, or that cannot be known.
  std::string loss(const std::string& path) const;

 private:
  int descriptor_ = -1;
};

}  // namespace polhode::io
