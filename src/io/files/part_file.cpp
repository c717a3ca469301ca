// SPDX-License-Identifier: BSD-3-Clause
// Temporary names, renaming, and what became of a file.
#include "io/files/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <functional>

namespace polhode::io {
namespace {

namespace fs = std::filesystem;

// An open file of this program: "/dev/stdout" leads there.
bool is_descriptor(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  return text.starts_with("/proc/") || text.starts_with("/dev/fd/");
}

// Where a chain of links ends, whether there is a file or not. What leads to an open file stops there: another one in
// its place would not be what is open.
std::string end_of_links(const std::string& file) {
  constexpr int most_links = 40;  // as the system has it
  fs::path path(file);
  std::error_code none;
  for (int i = 0; i < most_links && !is_descriptor(path) && fs::is_symlink(fs::symlink_status(path, none)); ++i) {
    const fs::path next = fs::read_symlink(path, none);
    if (none) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path.string();
}

// Names that are too long with the ending are cut, and told apart by a number that is the same in each run.
std::string temporary_of(const std::string& target) {
  const std::string ending = ".polhode-part";
  constexpr std::size_t longest = NAME_MAX;
  const std::size_t folder = target.rfind('/') + 1;  // 0 without one
  const std::string name = target.substr(folder);
  if (name.size() + ending.size() <= longest) return target + ending;
  const std::string number = fmt::format("-{:016x}", std::hash<std::string>{}(name));
  return target.substr(0, folder) + name.substr(0, longest - ending.size() - number.size()) + number + ending;
}

}  // namespace

PartFile::PartFile(const std::string& file, Links links)
    : links_(links), target_(links == Links::followed ? end_of_links(file) : file), temporary_(temporary_of(target_)) {}

PartFile::~PartFile() {
  if (made_) std::remove(temporary_.c_str());
}

// False where nothing stands there, or a link that is to be replaced: it has no more rights than its folder.
bool PartFile::read_status(struct stat& status) const {
  if (links_ == Links::followed) return ::stat(target_.c_str(), &status) == 0;
  return ::lstat(target_.c_str(), &status) == 0 && !S_ISLNK(status.st_mode);
}

bool PartFile::is_special() const {
  struct stat status {};
  return is_descriptor(target_) || (read_status(status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

// A file that may not be written is not replaced either, though renaming would do it.
int PartFile::problem() const {
  struct stat status {};
  if (is_descriptor(target_)) return EINVAL;
  if (read_status(status)) {
    if (S_ISDIR(status.st_mode)) return EISDIR;
    if (!S_ISREG(status.st_mode)) return EINVAL;
    if (::access(target_.c_str(), W_OK) != 0) return errno;
  }
  const bool is_other = ::lstat(temporary_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  return is_other ? EEXIST : 0;
}

// The folder itself, by ".": with a file in its place the error is another one than that of a folder which may not be
// written.
int PartFile::folder_problem() const {
  const fs::path folder = fs::path(target_).parent_path() / ".";
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

int PartFile::put_in_place() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return errno;
  made_ = false;
  return 0;
}

// The lock is given back at once, by closing.
bool is_in_use(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

FileWatch::~FileWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// No right to read is needed, and no lock is touched.
void FileWatch::begin(const std::string& path) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = ::open(path.c_str(), O_PATH | O_CLOEXEC);
}

// Both are asked anew: some file systems change the numbers of their files.
std::string FileWatch::loss(const std::string& path) const {
  struct stat own {};
  struct stat there {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &own) != 0) return "";
  const bool found = ::stat(path.c_str(), &there) == 0;
  if (!found && errno != ENOENT && errno != ENOTDIR) return "";
  if (found && own.st_dev == there.st_dev && own.st_ino == there.st_ino) return "";
  if (own.st_nlink > 0) return "was moved while it was written; what was computed is in the file that was moved";
  return found ? "was replaced by another file while it was written; its results are lost"
               : "was removed while it was written; its results are lost";
}

}  // namespace polhode::io
