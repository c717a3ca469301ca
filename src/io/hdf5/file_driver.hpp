// SPDX-License-Identifier: BSD-3-Clause
// How HDF5 writes the results file to disk: in an order in which the file opens after every single write.
//
// HDF5 itself writes its structure (sizes of datasets, indices of chunks, end of file) in no useful order: a program
// that is killed during a flush leaves an index that points past the end of the file. The ordered driver
// (ordered_file.cpp) writes raw data at once and keeps the blocks of structure in memory until HDF5 flushes. They then
// go out in this order:
//
//   1. the file grows to its new length (a full disk shows here, before anything has changed);
//   2. blocks that no block on disk points to yet; the superblock with the new end of file;
//   3. heaps of names; then blocks of indices, those that point before those that are pointed to;
//   4. object headers, which hold the sizes of the datasets, the last created first.
//
// Which block of an index points to which is known without reading it, from what HDF5 says of each block (its type) and
// from when it came:
//   - Nodes of an index of names are larger than the tables of names that they point to.
//   - Histories only grow at their end, so only the last node of each level changes. The top node of an index is the
//     first one to be written. Any other node came to disk in the same flush as the node that points to it, or later;
//     if in the same one, it was allocated before it. This holds where at most chunks_between_flushes chunks of a
//     dataset are added between two flushes: with 64 entries a node, the top node is then written alone, and at most
//     one node a level is split.
//
// Nodes and collections of texts are placed so that each lies within one page of memory: they change at once or not at
// all. A reader finds after each write what it found before it, or more. No journal is needed, so any HDF5 tool reads
// the file. The order relies on the classic format (default bounds of the library version), whose blocks carry no
// checksums. After a failed write the driver drops all others: the file stays as the last complete flush left it.
//
// The ordered driver is compiled for the versions of HDF5 whose driver interface it knows (cmake/Hdf5.cmake). With
// other versions plain_file.cpp takes its place: HDF5's own driver, without this guarantee.
#pragma once
#include <hdf5.h>

#include <string_view>

namespace polhode::io {

// Most chunks that may be added to a dataset between two flushes.
constexpr int chunks_between_flushes = 32;

// Makes files that are opened with these properties use the driver. Throws hdf5::Error.
void set_file_driver(hid_t file_access_properties);

// In the place of a number of errno: another program has truncated or overwritten the open file.
constexpr int changed_by_others = -1;

// errno of the operation of an open file that failed, 0 if none did or the driver does not know; without a file (below
// zero), of the last opening.
int file_driver_error(hid_t file);

// Makes an open file fail with this number of errno where it has not failed yet: nothing is written any more, and it
// stays as the last complete flush left it. After an error of HDF5 what it has in memory may be incomplete.
void stop_file_driver(hid_t file, int error);

// What is lost with this driver, as a part of a sentence; empty for the ordered one.
std::string_view file_driver_loss();

}  // namespace polhode::io
