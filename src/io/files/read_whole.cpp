// SPDX-License-Identifier: BSD-3-Clause
// Reading to the end, or to the limit.
#include "io/files/read_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace polhode::io {
namespace {

std::string too_long(std::size_t most) {
  return fmt::format("is longer than the {:g} MB that are read at most; name another file, or a part of it",
                     1e-6 * static_cast<double>(most));
}

// A descriptor that is closed whatever happens.
struct OpenFile {
  explicit OpenFile(const std::string& file) : descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor;
};

}  // namespace

// Looked at before it is opened, which may do something to a device, and by its length, which files with holes have
// without having the bytes. Files that the system makes up while they are read have the length 0.
WholeText read_whole(const std::string& file, std::size_t most) {
  WholeText whole;
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    whole.error = errno;
    return whole;
  }
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) {
    whole.refusal = "is a device, which may have no end; name a regular file or a pipe";
    return whole;
  }
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > most) {
    whole.refusal = too_long(most);
    return whole;
  }
  const OpenFile open(file);
  if (open.descriptor < 0) {
    whole.error = errno;
    return whole;
  }
  if (S_ISREG(status.st_mode)) whole.text.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t count = ::read(open.descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) whole.error = errno;
    if (count <= 0) return whole;
    if (whole.text.size() + static_cast<std::size_t>(count) > most) {
      whole.text.clear();
      whole.refusal = too_long(most);
      return whole;
    }
    whole.text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace polhode::io
