// SPDX-License-Identifier: BSD-3-Clause
// A file driver for HDF5 that writes in an order in which the file can be opened after every single write.
#pragma once
#include <hdf5.h>

namespace polhode::io {

// HDF5 writes its structure (sizes of datasets, indices of chunks, end of file) in no useful order: a program killed in
// the middle of a flush leaves an index that points past the end of the file. This driver writes raw data at once and
// keeps the blocks of structure in memory until HDF5 flushes. They then go out in this order:
//
//   1. the file grows to its new length (no space left shows here, before anything has changed);
//   2. blocks that no block on disk points to yet; the superblock with the new end of file;
//   3. heaps; index nodes, parents before children (a node that was split keeps its entries until its parent knows both
//      halves); tables of names;
//   4. object headers, which hold the sizes of the datasets, the last created first.
//
// Index nodes and collections of texts are placed so that each lies within one page: they change at once or not at all.
// A reader finds after each write what it found before it, or more. It needs no journal, so any HDF5 tool reads the
// file; it relies on the classic format (default bounds of the library version), whose blocks carry no checksums. After
// a failed write the driver drops all others, so that the file stays as the last complete flush left it.
void set_ordered_driver(hid_t file_access_properties);

// errno of the operation of an open file that failed, 0 if none did; without a file (below zero), of the last opening.
int ordered_driver_error(hid_t file);

}  // namespace polhode::io
