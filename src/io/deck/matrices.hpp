// SPDX-License-Identifier: BSD-3-Clause
// Values that are matrices. Functions return nothing where one is wrong, which they have added to the findings.
#pragma once
#include "plain_values.hpp"

namespace polhode::io {

// What the functions below need of the deck that is read.
struct MatrixReader {
  PlainReader& plain;
  Findings& findings;

  using Matrix = std::optional<math::MatrixX>;
  // `size` rows of as many numbers.
  Matrix square(const Item& item, const std::string& path, const model::Field& field, int size);
  Matrix symmetric(const Item& item, const std::string& path, const model::Field& field, int size);
  // A list of the diagonal, or the whole symmetric matrix; the bounds of `field` are those of the diagonal.
  Matrix diagonal(const Item& item, const std::string& path, const model::Field& field, int size);
  Matrix inertia(const Item& item, const std::string& path, const model::Field& field);
  // One point a row (n x 3).
  // Any number of rows of the same length.
  Matrix rows(const Item& item, const std::string& path, const model::Field& field);
  Matrix points(const Item& item, const std::string& path, const model::Field& field);
  // Two points or two directions as columns (3 x 2).
  Matrix vector_pair(const Item& item, const std::string& path, const model::Field& field);
};

}  // namespace polhode::io
