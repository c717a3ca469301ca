// SPDX-License-Identifier: BSD-3-Clause
// The one way to numbers and texts of a file that others may have made: type, rank, shape and size are known, and fit
// what the file stores, before anything is read.
//
// A file may declare what it likes: an attribute of a thousand texts where one is expected (HDF5 writes all of them to
// the place of one), 1e9 rows that were never written (8 GB of zeros), shapes whose product is no number. Each of these
// is a ContentError. What no look beforehand finds, since HDF5 itself trusts its own structure, is up to read_apart().
#pragma once
#include <string>
#include <vector>

#include "io/hdf5/hdf5.hpp"

namespace polhode::io::hdf5 {

// Class, shape and size of a dataset.
struct Form {
  enum class Kind { numbers, texts, other };
  Kind kind = Kind::other;
  std::vector<std::size_t> shape;  // {} = scalar
  bool grows = false;              // the first axis has no limit
  // Numbers or texts in a row of the first axis; all of them where there is no such axis.
  std::size_t width = 1;

  std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }
};

// Throws ContentError for data in other files, and where more is declared than the file stores (a few megabytes that
// were never written are taken). `path` is for messages, here and below.
Form form_of(hid_t dataset, const std::string& path);

// The text of an attribute; "" where there is none. Throws ContentError unless it is one text.
std::string read_text_attribute(hid_t object, const char* name, const std::string& path);

// Some places of an axis.
struct Places {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Of a dataset of this form the given rows, last index fastest; integers are converted. `items`: these places of the
// second axis alone, which must be there. Throws ContentError where it holds no numbers, or not so many rows.
std::vector<double> read_numbers(hid_t dataset, const Form& form, const std::string& path, Places rows,
                                 const Places* items = nullptr);

// All texts, of fixed or of any length. Throws ContentError where the dataset holds none.
std::vector<std::string> read_texts(hid_t dataset, const Form& form, const std::string& path);

}  // namespace polhode::io::hdf5
