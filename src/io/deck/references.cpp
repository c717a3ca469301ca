// SPDX-License-Identifier: BSD-3-Clause
// Values that name nodes, and values that are matrices.
#include <Eigen/Dense>
#include <charconv>
#include <cmath>
#include <limits>

#include "reader.hpp"

namespace polhode::io {

using model::Field;

// Nodes of the deck, or inner nodes "beam.3" where `inner` allows them (joints and forces).
// How many a beam has follows from its own entry, which was read before; a beam with an error of its own is
// not held against them.
bool Reader::check_node(const Item& item, const std::string& path, const std::string& name, bool inner) {
  if (nodes.contains(name)) return true;
  if (name == "ground") {
    problem(item, path, "'ground' is the inertial frame, not a node; name a node");
    return false;
  }
  // "beam.3": only inner nodes of beams have a dot.
  const std::size_t dot = name.find('.');
  const std::string beam = name.substr(0, dot);
  if (dot == std::string::npos || !beams.contains(beam)) {
    problem(item, path, "there is no node '" + name + "'" + findings.suggestion(name, nodes.list));
    return false;
  }
  if (!inner) {
    problem(
        item, path,
        "'" + name + "' is an inner node of a beam, which carries joints and forces only; split the beam at a node");
    return false;
  }
  const auto known = inner_nodes.find(beam);
  if (known == inner_nodes.end()) return false;  // the beam has an error itself
  int number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dot + 1, end, number);
  // Neither 0 nor 03: an inner node has one name.
  if (error == std::errc{} && stop == end && number >= 1 && number <= known->second && name[dot + 1] != '0')
    return true;
  problem(item, path,
          "there is no node '" + name + "'; the inner nodes of this beam are " +
              (known->second == 0 ? "none" : beam + ".1 to " + beam + "." + std::to_string(known->second)));
  return false;
}

// A name among the known ones, with the nearest where it is none.
std::optional<std::string> Reader::reference(const Item& item, const std::string& path, const Names& known,
                                             std::string_view what) {
  auto name = text(item, path);
  if (!name || known.contains(*name)) return name;
  problem(item, path, "there is no " + std::string(what) + " '" + *name + "'" + findings.suggestion(*name, known.list));
  return std::nullopt;
}

// All names are looked at before the list fails.
std::optional<std::vector<std::string>> Reader::section_list(const Item& item, const std::string& path) {
  if (item.kind != Item::Kind::sequence) {
    problem(item, path, "expected a list of names of sections, found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::string> list;
  for (std::size_t i = 0; i < item.items.size(); ++i)
    if (auto name = reference(item.items[i], join_path(path, std::to_string(i)), sections, "section"))
      list.push_back(std::move(*name));
  if (list.size() < item.items.size()) return std::nullopt;
  return list;
}

// One point a row.
std::optional<math::MatrixX> Reader::points(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::sequence || item.items.empty()) {
    problem(item, path, "expected a list of points [x, y, z], found " + describe(item));
    return std::nullopt;
  }
  math::MatrixX result(static_cast<Eigen::Index>(item.items.size()), 3);
  bool good = true;
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const auto point = numbers(item.items[i], join_path(path, std::to_string(i)), field, 3);
    if (point)
      result.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const math::VectorX>(point->data(), 3);
    else
      good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

// Two different ends; ground may be one of them, since it is no node that messages about nodes could list.
std::optional<std::vector<std::string>> Reader::node_pair(const Item& item, const std::string& path) {
  if (item.kind != Item::Kind::sequence || item.items.size() != 2) {
    problem(item, path, "expected two names of nodes, one of them may be ground; found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::string> pair;
  bool good = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string end_path = join_path(path, std::to_string(i));
    const auto name = text(item.items[i], end_path);
    if (!name || (*name != "ground" && !check_node(item.items[i], end_path, *name, true)))
      good = false;
    else
      pair.push_back(*name);
  }
  if (!good) return std::nullopt;
  if (pair[0] == pair[1]) {
    problem(item, path, "both ends are '" + pair[0] + "'; name two different ones");
    return std::nullopt;
  }
  return pair;
}

// Row by row, as the deck writes it.
std::optional<math::MatrixX> Reader::matrix(const Item& item, const std::string& path, const Field& field, int size) {
  const std::string shape = std::to_string(size) + " rows of " + std::to_string(size) + " numbers";
  if (item.kind != Item::Kind::sequence || item.items.size() != static_cast<std::size_t>(size)) {
    problem(item, path, "expected " + shape + ", found " + describe(item));
    return std::nullopt;
  }
  math::MatrixX result(size, size);
  bool good = true;
  for (int i = 0; i < size; ++i) {
    const auto row = numbers(item.items[static_cast<std::size_t>(i)], join_path(path, std::to_string(i)), field, size);
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
std::optional<math::MatrixX> Reader::symmetric(const Item& item, const std::string& path, const Field& field,
                                               int size) {
  const auto full = matrix(item, path, field, size);
  if (!full) return std::nullopt;
  // Entries that are small against the largest one may differ by its round-off.
  const double round_off = 1e-12 * full->cwiseAbs().maxCoeff();
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j) {
      const double a = (*full)(i, j);
      const double b = (*full)(j, i);
      if (std::abs(a - b) <= std::max(1e-9 * std::max(std::abs(a), std::abs(b)), round_off)) continue;
      problem(item, path,
              "must be symmetric, but entry [" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "] is " +
                  number_text(a) + " and [" + std::to_string(j + 1) + ", " + std::to_string(i + 1) + "] is " +
                  number_text(b));
      return std::nullopt;
    }
  return math::MatrixX(0.5 * (*full + full->transpose()));
}

// Names of joints, or of one of their coordinates (A.rotation), each with a number.
std::optional<model::Weights> Reader::weights(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::mapping) {
    problem(item, path, "expected names of joints, each with a number; found " + describe(item));
    return std::nullopt;
  }
  model::Weights result;
  bool good = true;
  for (const Item& one : item.items) {
    const std::string one_path = join_path(path, one.key);
    const auto value = number(one, one_path, field, 1);
    const std::string joint = one.key.substr(0, one.key.find('.'));
    good = good && value.has_value();
    if (!joints.contains(joint)) {
      problem(one, one_path, "there is no joint '" + joint + "'" + findings.suggestion(joint, joints.list));
      good = false;
    } else if (value && !result.emplace(one.key, *value).second) {
      problem(one, one_path, "'" + one.key + "' stands here twice; remove one");
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return result;
}

// A list of the diagonal, or the whole symmetric matrix.
std::optional<math::MatrixX> Reader::diagonal(const Item& item, const std::string& path, const Field& field, int size) {
  const std::string n = std::to_string(size);
  if (item.kind != Item::Kind::sequence || item.items.size() != static_cast<std::size_t>(size)) {
    problem(item, path,
            "expected " + n + " diagonal values or " + n + " rows of " + n + " numbers, found " + describe(item));
    return std::nullopt;
  }
  if (item.items[0].kind == Item::Kind::sequence) {
    Field unbounded = field;  // bounds are those of the diagonal
    unbounded.min = -std::numeric_limits<double>::infinity();
    return symmetric(item, path, unbounded, size);
  }
  const auto values = numbers(item, path, field, size);
  if (!values) return std::nullopt;
  return math::MatrixX(Eigen::Map<const math::VectorX>(values->data(), size).asDiagonal());
}

// Three numbers or three rows: only the message differs from other matrices with a diagonal form.
std::optional<math::MatrixX> Reader::inertia(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::sequence || item.items.size() != 3) {
    problem(item, path, "expected three principal values or three rows of three numbers, found " + describe(item));
    return std::nullopt;
  }
  return diagonal(item, path, field, 3);
}

// The two columns: points, or directions, which need a length.
std::optional<math::MatrixX> Reader::vector_pair(const Item& item, const std::string& path, const Field& field) {
  const bool directions = field.type == model::FieldType::axes;
  if (item.kind != Item::Kind::sequence || item.items.size() != 2) {
    problem(item, path,
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
    const auto vector = numbers(one, one_path, field, 3);
    if (vector) result.col(i) = Eigen::Map<const math::Vec3>(vector->data());
    good = good && vector.has_value();
    if (!vector || !directions || !result.col(i).isZero(0)) continue;
    problem(one, one_path, "a direction needs a length; [0, 0, 0] has none");
    good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

}  // namespace polhode::io
