// SPDX-License-Identifier: BSD-3-Clause
// The file of rows: head, lock, appending, and what is left of it after a sudden end.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/studies/rows.hpp"
#include "row_lines.hpp"

namespace polhode::studies {
namespace {

constexpr std::string_view first_line = "polhode-rows/1\n";
constexpr std::string_view last_of_head = "rows\n";

// The first line says which study the rows are of.
std::string head_of(const Identity& identity) {
  std::string head(first_line);
  for (const auto& [key, value] : identity) head += sealed(key + '\t' + value + '\t');
  return head += last_of_head;
}

// The next line without its end; nothing where there is none, or where it has no end.
std::optional<std::string_view> next_line(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find('\n', at);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(at, end - at);
  at = end + 1;
  return line;
}

// Stops at the first line that is not whole.
ReadRows parse(std::string_view text) {
  ReadRows read;
  if (!text.starts_with(first_line)) return read;
  std::size_t at = first_line.size();
  for (;;) {
    const auto line = next_line(text, at);
    if (!line) return {};
    if (*line == last_of_head.substr(0, last_of_head.size() - 1)) break;
    const auto fields = opened(*line);
    if (!fields || fields->size() != 2) return {};
    read.identity.emplace_back((*fields)[0], (*fields)[1]);
  }
  read.good = at;
  while (const auto line = next_line(text, at)) {
    auto row = row_of(*line);
    // Lines are only added, so that a damaged one is the last
    if (!row) break;
    read.rows.push_back(std::move(*row));
    read.good = at;
  }
  return read;
}

// By the descriptor that holds the lock; a file that shrinks while it is read ends early.
std::string content_of(int descriptor) {
  struct stat about {};
  std::string text;
  if (fstat(descriptor, &about) != 0) return text;
  text.resize(static_cast<std::size_t>(about.st_size));
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = pread(descriptor, text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

// With the system's reason.
[[noreturn]] void fail(const std::string& file, int reason) {
  throw io::ResultsError(file + ": cannot be written: " + std::strerror(reason));
}

// A lock of the process, which the system gives back however it ends.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

// Without a lock: lines are only added, so a reader sees whole ones and perhaps the begin of another.
ReadRows read_rows(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw io::FileError("cannot read '" + file + "': " + std::strerror(errno));
  const std::string text = content_of(descriptor);
  close(descriptor);
  return parse(text);
}

// The lock comes first: whoever holds it may cut off what is damaged.
RowsFile::RowsFile(const std::string& file, const Identity& identity) : file_(file) {
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file, errno);
  // A lock of the process: not handed on to the processes of the cases, and gone with it however it ends.
  struct flock lock = whole_file();
  if (fcntl(descriptor_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
    opened_ = Opened::in_use;
    lock = whole_file();
    if (fcntl(descriptor_, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) used_by_ = lock.l_pid;
    return;
  }
  const std::string text = content_of(descriptor_);
  before_ = parse(text);
  if (before_.good == 0 && !text.empty() && !text.starts_with(first_line.substr(0, text.size())))
    throw io::ResultsError(file + ": is there already and holds no rows of a study; name another file with -o");
  if (before_.good > 0 && before_.identity != identity) {
    opened_ = Opened::changed;
    return;
  }
  if (ftruncate(descriptor_, static_cast<off_t>(before_.good)) != 0) fail(file, errno);
  size_ = before_.good;
  if (size_ > 0) return;
  write(head_of(identity));
  synchronize();
}

RowsFile::~RowsFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

// A row that cannot be written whole is taken back.
void RowsFile::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(size_ + done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      const int reason = put < 0 ? errno : ENOSPC;
      // Where that fails, too, the next start cuts it off.
      [[maybe_unused]] const int cut = ftruncate(descriptor_, static_cast<off_t>(size_));
      fail(file_, reason);
    }
    done += static_cast<std::size_t>(put);
  }
  size_ += text.size();
}

// The disk is waited for once a second at most.
void RowsFile::append(const Row& row) {
  write(line_of(row));
  if (std::chrono::steady_clock::now() - synchronized_ > std::chrono::seconds(1)) synchronize();
}

// Some file systems know no synchronization (EINVAL): nothing can be done there.
void RowsFile::synchronize() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EINTR) fail(file_, errno);
  synchronized_ = std::chrono::steady_clock::now();
}

}  // namespace polhode::studies
