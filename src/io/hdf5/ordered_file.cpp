// SPDX-License-Identifier: BSD-3-Clause
// The ordered file driver: HDF5's callbacks, and the commit of a flush.
#ifdef POLHODE_ORDERED_HDF5
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "file_driver.hpp"
#include "hdf5.hpp"
#include "io/files/own_bytes.hpp"

static_assert(H5_VERS_MAJOR == 1 && H5_VERS_MINOR >= 10 && H5_VERS_MINOR < 13, "H5FD_class_t has other members");

namespace polhode::io {
namespace {

int open_error = 0;

using Bytes = std::vector<unsigned char>;
constexpr std::size_t page = 4096;  // the system may stop a killed program between two pages of a write
// bytes
constexpr haddr_t least_reserve = 64 * 1024;
constexpr haddr_t largest_reserve = 16 * 1024 * 1024;
constexpr std::size_t most_together = 256 * 1024;  // bytes; that many new blocks go to disk by one write
constexpr std::size_t aligned_from = 2 * 1024;     // bytes; index nodes have 2096 (rank 1) to 3656 (rank 4)

// A piece of structure as HDF5 has handed it over.
struct Block {
  H5FD_mem_t type;
  Bytes bytes;
};

// One open file: what is on disk, and what waits for the next commit.
struct OrderedFile {
  H5FD_t base{};  // HDF5's own part, must be first
  int descriptor = -1;
  haddr_t end_of_allocation = 0;
  haddr_t length = 0;                              // of the file on disk
  haddr_t reserved = 0;                            // where the blocks on disk end that were asked for ahead
  std::map<haddr_t, Block> pending;                // blocks of structure that wait for the commit, by address
  std::unordered_map<haddr_t, long> first_commit;  // of the blocks that are on disk
  long commits = 0;
  bool made_here = false;  // empty when it was opened
  OwnBytes own;
  int error = 0;  // of the write that failed; there are no others after it

  herr_t fail(int number) {
    error = number;
    return -1;
  }

  // Blocks ahead of the data, a quarter of the file at a time: cheaper than finding them write by write. The file's
  // length stays; what is left over is given back when it is closed or the disk is full (a program that is killed
  // leaves some, until the file is written over). Not every file system can.
  void reserve(haddr_t end) {
    if (end <= reserved) return;
    const haddr_t more = std::clamp<haddr_t>(end / 4, least_reserve, largest_reserve);
    const bool done =
        ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(end), static_cast<off_t>(more)) == 0;
    reserved = done ? end + more : HADDR_MAX;
  }

  // Whether nobody else has written into it, asked with each chunk of a page or more and each flush.
  herr_t check_own() {
    if (!made_here || own.are_in(descriptor, length)) return 0;
    return fail(changed_by_others);
  }

  // The blocks that were asked for ahead. False where there are none, or the file is of others by now.
  bool give_back() {
    if (reserved <= length || error == changed_by_others) return false;
    reserved = HADDR_MAX;
    return ::ftruncate(descriptor, static_cast<off_t>(length)) == 0;
  }

  // Writes all of it, or fails with errno.
  herr_t put(haddr_t address, const unsigned char* data, std::size_t size) {
    reserve(address + size);
    while (size > 0) {
      const ssize_t count = ::pwrite(descriptor, data, size, static_cast<off_t>(address));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == ENOSPC && reserved < HADDR_MAX && give_back()) continue;
      if (count <= 0) return fail(count < 0 ? errno : ENOSPC);
      own.add(address, data, static_cast<std::size_t>(count));
      address += static_cast<haddr_t>(count);
      data += count;
      size -= static_cast<std::size_t>(count);
      length = std::max(length, address);
    }
    return 0;
  }

  // A block that was freed and whose place is used again is not written any more.
  void drop_overlapping(haddr_t address, std::size_t size) {
    auto block = pending.lower_bound(address);
    if (block != pending.begin() && std::prev(block)->first + std::prev(block)->second.bytes.size() > address) --block;
    while (block != pending.end() && block->first < address + size) block = pending.erase(block);
  }

  // To the end of what HDF5 has given out, with space on disk behind it.
  herr_t grow() {
    if (length >= end_of_allocation) return 0;
    const auto missing = static_cast<off_t>(end_of_allocation - length);
    if (const int number = ::posix_fallocate(descriptor, static_cast<off_t>(length), missing)) return fail(number);
    length = end_of_allocation;
    return 0;
  }

  herr_t commit();

 private:
  herr_t write_pending();
};

// Blocks on disk are written over in the order of these ranks (file_driver.hpp).
int rank_of(H5FD_mem_t type) {
  switch (type) {
    case H5FD_MEM_SUPER:
      return 1;
    case H5FD_MEM_LHEAP:
      return 2;
    case H5FD_MEM_BTREE:
      return 3;
    default:
      return 4;  // object headers
  }
}

// A block that waits for the commit, and what its place in the order depends on.
struct Waiting {
  int rank;         // 0: not on disk yet
  long generation;  // commit that brought it to disk first; 0 where that does not matter
  haddr_t address;
  const Bytes* bytes;
};

// By rank; nodes of indices by size, larger before smaller, then by the commit that brought them;
// else later before earlier addresses, which is newest first (file_driver.hpp).
bool goes_first(const Waiting& a, const Waiting& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.rank == rank_of(H5FD_MEM_BTREE)) {
    if (a.bytes->size() != b.bytes->size()) return a.bytes->size() > b.bytes->size();
    if (a.generation != b.generation) return a.generation < b.generation;
  }
  return a.address > b.address;
}

// Two new blocks, one behind the other in the file. The superblock, at its begin, opens a new file: it is written when all
// else is there.
bool are_neighbors(const Waiting& a, const Waiting& b) {
  return a.rank == 0 && b.rank == 0 && a.address > 0 && a.address + a.bytes->size() == b.address;
}

// Space first, then new blocks, neighbors by one write, then blocks that are written over, one by one in order.
// A block is known from its first commit on: only what is on disk already can be pointed to.
herr_t OrderedFile::write_pending() {
  if (pending.empty()) return 0;
  if (grow() < 0) return -1;
  // Addresses alone: blocks are not copied.
  std::vector<Waiting> order;
  order.reserve(pending.size());
  for (const auto& [address, block] : pending) {
    const auto known = first_commit.find(address);
    if (known == first_commit.end())
      order.push_back({0, 0, address, &block.bytes});
    else
      order.push_back({rank_of(block.type), known->second, address, &block.bytes});
  }
  std::sort(order.begin(), order.end(), goes_first);
  ++commits;
  Bytes together;
  for (auto last = order.begin(); last != order.end();) {
    auto end = std::next(last);
    std::size_t size = last->bytes->size();
    for (; end != order.end() && size < most_together && are_neighbors(*end, *std::prev(end)); ++end)
      size += end->bytes->size();
    together.clear();
    for (auto block = end; block != last;) {
      --block;
      together.insert(together.end(), block->bytes->begin(), block->bytes->end());
      first_commit.try_emplace(block->address, commits);
    }
    if (put(std::prev(end)->address, together.data(), size) < 0) return -1;
    last = end;
  }
  pending.clear();
  return 0;
}

// After an error blocks are dropped, so that HDF5 can close the file. The order of the writes makes any number of them
// a file that can be read, so memory may end between two of them.
herr_t OrderedFile::commit() {
  if (error) {
    pending.clear();
    return 0;
  }
  if (check_own() < 0) {
    pending.clear();
    return -1;
  }
  try {
    return write_pending();
  } catch (const std::bad_alloc&) {
    return fail(ENOMEM);
  }
}

// HDF5 hands back the pointer that open_file() gave it.
OrderedFile& of(H5FD_t* file) { return *reinterpret_cast<OrderedFile*>(file); }
const OrderedFile& of(const H5FD_t* file) { return *reinterpret_cast<const OrderedFile*>(file); }

// HDF5's callbacks. They return a negative number (or null) on failure and never throw.
H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  open_error = 0;
  int mode = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  std::unique_ptr<OrderedFile> file(new (std::nothrow) OrderedFile);
  if (!file) {
    open_error = ENOMEM;
    return nullptr;
  }
  file->descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  if (file->descriptor < 0) {
    open_error = errno;
    return nullptr;
  }
  // Nobody else may be writing; once that is known, readers (which ask for a shared lock) are welcome while we write.
  struct stat status {};
  // File systems without locks let everybody in.
  bool usable = ::flock(file->descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  usable = usable && ::fstat(file->descriptor, &status) == 0;
  if (usable && !S_ISREG(status.st_mode)) {
    errno = EINVAL;
    usable = false;
  }
  // A file that is empty is left alone: some file systems write one that was truncated to nothing when it is closed.
  if (usable && (flags & H5F_ACC_TRUNC) && status.st_size > 0)
    usable = ::ftruncate(file->descriptor, status.st_size = 0) == 0;
  if (!usable) {
    open_error = errno == EWOULDBLOCK ? EBUSY : errno;
    ::close(file->descriptor);
    return nullptr;
  }
  ::flock(file->descriptor, LOCK_SH | LOCK_NB);
  file->length = static_cast<haddr_t>(status.st_size);
  file->made_here = status.st_size == 0;
  return reinterpret_cast<H5FD_t*>(file.release());
}

herr_t close_file(H5FD_t* base) {
  const std::unique_ptr<OrderedFile> file(&of(base));
  herr_t status = file->commit();
  if (file->error)
    file->give_back();
  else if (std::max(file->length, file->reserved) > file->end_of_allocation &&
           ::ftruncate(file->descriptor, static_cast<off_t>(file->end_of_allocation)) != 0)
    status = file->fail(errno);
  // Network file systems report some failed writes only here.
  if (::close(file->descriptor) != 0) status = file->fail(errno);
  return status;
}

// HDF5 asks whether two open files are the same one; each of ours is opened once.
int compare_files(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; }

// Without an accumulator of metadata: it would glue blocks together that have to be written one by one.
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DATA_SIEVE;
  return 0;
}

// How far HDF5 has given out addresses.
haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).end_of_allocation = address;
  return 0;
}

// How long the file is on disk.
haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) { return of(file).length; }

// What is on disk, and over it the blocks that wait for the commit.
herr_t read_block(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  OrderedFile& file = of(base);
  auto* bytes = static_cast<unsigned char*>(buffer);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t count = ::pread(file.descriptor, bytes + have, size - have, static_cast<off_t>(address + have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file.fail(errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  std::memset(bytes + have, 0, size - have);  // past the end of the file
  // Of the blocks in memory those that overlap what is read.
  auto block = file.pending.lower_bound(address);
  if (block != file.pending.begin()) --block;
  for (; block != file.pending.end() && block->first < address + size; ++block) {
    const haddr_t begin = std::max(address, block->first);
    const haddr_t end = std::min<haddr_t>(address + size, block->first + block->second.bytes.size());
    if (begin < end)
      std::memcpy(bytes + (begin - address), block->second.bytes.data() + (begin - block->first), end - begin);
  }
  return 0;
}

// Raw data goes to the disk, structure waits. After an error nothing is written, and HDF5 gets success in return: it
// would else try for ever to get rid of its blocks.
herr_t write_block(H5FD_t* base, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  OrderedFile& file = of(base);
  if (file.error) return 0;
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  file.drop_overlapping(address, size);
  // Raw data, and collections of texts: what is added to them is not pointed to before the next commit.
  // What is smaller than a page, as the numbers of a new file are, is not worth asking for: the next flush does.
  if (type == H5FD_MEM_DRAW) return size >= page && file.check_own() < 0 ? -1 : file.put(address, bytes, size);
  try {
    file.pending.emplace(address, Block{type, Bytes(bytes, bytes + size)});
  } catch (const std::bad_alloc&) {
    return file.fail(ENOMEM);
  }
  return 0;
}

// The way for file_driver_error() to the error of an open file.
herr_t get_error(H5FD_t* file, hid_t, void** handle) {
  *handle = &of(file).error;
  return 0;
}

// A flush of HDF5 is the commit.
herr_t flush_file(H5FD_t* file, hid_t, hbool_t) { return of(file).commit(); }
herr_t truncate_file(H5FD_t*, hid_t, hbool_t) { return 0; }  // done by grow() and close_file()

// As HDF5 1.10 and 1.12 declare it.
const H5FD_class_t driver_class = {.name = "polhode_ordered",
                                   .maxaddr = static_cast<haddr_t>(INT64_MAX),
                                   .fc_degree = H5F_CLOSE_STRONG,
                                   .terminate = nullptr,
                                   .sb_size = nullptr,
                                   .sb_encode = nullptr,
                                   .sb_decode = nullptr,
                                   .fapl_size = 0,
                                   .fapl_get = nullptr,
                                   .fapl_copy = nullptr,
                                   .fapl_free = nullptr,
                                   .dxpl_size = 0,
                                   .dxpl_copy = nullptr,
                                   .dxpl_free = nullptr,
                                   .open = open_file,
                                   .close = close_file,
                                   .cmp = compare_files,
                                   .query = query,
                                   .get_type_map = nullptr,
                                   .alloc = nullptr,
                                   .free = nullptr,
                                   .get_eoa = get_end_of_allocation,
                                   .set_eoa = set_end_of_allocation,
                                   .get_eof = get_end_of_file,
                                   .get_handle = get_error,
                                   .read = read_block,
                                   .write = write_block,
                                   .flush = flush_file,
                                   .truncate = truncate_file,
                                   .lock = nullptr,
                                   .unlock = nullptr,
                                   .fl_map = H5FD_FLMAP_DICHOTOMY};

}  // namespace

// The driver is registered once a process.
void set_file_driver(hid_t file_access_properties) {
  static const hid_t driver = hdf5::checked(H5FDregister(&driver_class));
  hdf5::checked(H5Pset_driver(file_access_properties, driver, nullptr));
  hdf5::checked(H5Pset_alignment(file_access_properties, aligned_from, page));
}

// HDF5 does not pass on errno, so it is kept here.
int file_driver_error(hid_t file) {
  void* error = nullptr;
  if (file < 0) return open_error;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &error) < 0 ? 0 : *static_cast<const int*>(error);
}

void stop_file_driver(hid_t file, int error) {
  void* own = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &own) < 0) return;
  int& known = *static_cast<int*>(own);
  if (known == 0) known = error;
}

std::string_view file_driver_loss() { return {}; }

}  // namespace polhode::io
#endif
