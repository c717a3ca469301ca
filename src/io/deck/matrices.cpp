// SPDX-License-Identifier: BSD-3-Clause
// Values that are matrices: shape, symmetry, directions with a length.
#include "matrices.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::io {

using model::Field;

// Row by row, as the deck writes it.
MatrixReader::Matrix MatrixReader::square(const Item& item, const std::string& path, const Field& field, int size) {
  const std::string shape = std::to_string(size) + " rows of " + std::to_string(size) + " numbers";
  if (item.kind != Item::Kind::sequence || item.items.size() != static_cast<std::size_t>(size)) {
    findings.add(item, path, "expected " + shape + ", found " + describe(item));
    return std::nullopt;
  }
  math::MatrixX result(size, size);
  bool good = true;
  for (int i = 0; i < size; ++i) {
    const auto row =
        plain.numbers(item.items[static_cast<std::size_t>(i)], join_path(path, std::to_string(i)), field, size);
    if (row)
      result.row(i) = Eigen::Map<const math::VectorX>(row->data(), size);
    else
      good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

// Both halves have to agree to nine digits or to round-off of the largest entry;
// the mean of both is exactly symmetric, which solvers rely on.
MatrixReader::Matrix MatrixReader::symmetric(const Item& item, const std::string& path, const Field& field, int size) {
  const auto full = square(item, path, field, size);
  if (!full) return std::nullopt;
  // Entries that are small against the largest one may differ by its round-off.
  const double round_off = 1e-12 * full->cwiseAbs().maxCoeff();
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j) {
      const double a = (*full)(i, j);
      const double b = (*full)(j, i);
      if (std::abs(a - b) <= std::max(1e-9 * std::max(std::abs(a), std::abs(b)), round_off)) continue;
      findings.add(item, path,
                   "must be symmetric, but entry [" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "] is " +
                       number_text(a) + " and [" + std::to_string(j + 1) + ", " + std::to_string(i + 1) + "] is " +
                       number_text(b));
      return std::nullopt;
    }
  return math::MatrixX(0.5 * (*full + full->transpose()));
}

// A list of the diagonal, or the whole symmetric matrix.
MatrixReader::Matrix MatrixReader::diagonal(const Item& item, const std::string& path, const Field& field, int size) {
  const std::string n = std::to_string(size);
  if (item.kind != Item::Kind::sequence || item.items.size() != static_cast<std::size_t>(size)) {
    findings.add(item, path,
                 "expected " + n + " diagonal values or " + n + " rows of " + n + " numbers, found " + describe(item));
    return std::nullopt;
  }
  if (item.items[0].kind == Item::Kind::sequence) {
    Field unbounded = field;  // bounds are those of the diagonal
    unbounded.min = -std::numeric_limits<double>::infinity();
    return symmetric(item, path, unbounded, size);
  }
  const auto values = plain.numbers(item, path, field, size);
  if (!values) return std::nullopt;
  return math::MatrixX(Eigen::Map<const math::VectorX>(values->data(), size).asDiagonal());
}

// Three numbers or three rows: only the message differs from other matrices with a diagonal form.
MatrixReader::Matrix MatrixReader::inertia(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::sequence || item.items.size() != 3) {
    findings.add(item, path, "expected three principal values or three rows of three numbers, found " + describe(item));
    return std::nullopt;
  }
  return diagonal(item, path, field, 3);
}

// One point a row.
MatrixReader::Matrix MatrixReader::points(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::sequence || item.items.empty()) {
    findings.add(item, path, "expected a list of points [x, y, z], found " + describe(item));
    return std::nullopt;
  }
  math::MatrixX result(static_cast<Eigen::Index>(item.items.size()), 3);
  bool good = true;
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const auto point = plain.numbers(item.items[i], join_path(path, std::to_string(i)), field, 3);
    if (point)
      result.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const math::VectorX>(point->data(), 3);
    else
      good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

// The first row says how long the others have to be.
MatrixReader::Matrix MatrixReader::rows(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::sequence || item.items.empty()) {
    findings.add(item, path, "expected a list of rows of numbers, found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const std::string row_path = join_path(path, std::to_string(i));
    auto row = plain.numbers(item.items[i], row_path, field, 0);
    if (!row) return std::nullopt;
    if (!rows.empty() && row->size() != rows.front().size()) {
      findings.add(item.items[i], row_path, "has another length than the first row");
      return std::nullopt;
    }
    rows.push_back(std::move(*row));
  }
  math::MatrixX result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    result.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), static_cast<Eigen::Index>(rows[i].size()));
  return result;
}

// The two columns: points, or directions, which need a length.
MatrixReader::Matrix MatrixReader::vector_pair(const Item& item, const std::string& path, const Field& field) {
  const bool directions = field.type == model::FieldType::axes;
  if (item.kind != Item::Kind::sequence || item.items.size() != 2) {
    findings.add(item, path,
                 (directions ? "expected two directions, [[x, y, z], [x, y, z]]; found "
                             : "expected two points, [[x, y, z], [x, y, z]]; found ") +
                     describe(item));
    return std::nullopt;
  }
  math::MatrixX result(3, 2);
  bool good = true;
  for (int i = 0; i < 2; ++i) {
    const Item& one = item.items[static_cast<std::size_t>(i)];
    const std::string one_path = join_path(path, std::to_string(i));
    const auto vector = plain.numbers(one, one_path, field, 3);
    if (vector) result.col(i) = Eigen::Map<const math::Vec3>(vector->data());
    good = good && vector.has_value();
    if (!vector || !directions) continue;
    if (!result.col(i).isZero(0)) {
      scale_direction(result.col(i));
      continue;
    }
    findings.add(one, one_path, "a direction needs a length; [0, 0, 0] has none");
    good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

}  // namespace polhode::io
