// SPDX-License-Identifier: BSD-3-Clause
// One value by the type of its field.
#include <Eigen/Dense>
#include <algorithm>

#include "functions.hpp"
#include "reader.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::FieldType;
using model::Value;

// From an optional of a type to one of the variant.
std::optional<Value> as_value(auto result) {
  if (!result) return std::nullopt;
  return std::optional<Value>(std::in_place, std::move(*result));
}

math::VectorX vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const math::VectorX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

// One case for each type of field: here a new type begins, with schema and reference beside it.
std::optional<Value> Reader::value(const Item& item, const std::string& path, const Field& field,
                                   std::string_view place, double scale) {
  switch (field.type) {
    case FieldType::flag:
      return as_value(plain.flag(item, path));
    case FieldType::number:
      return as_value(plain.number(item, path, field, scale));
    case FieldType::integer:
      return as_value(plain.whole_number(item, path, field));
    case FieldType::text:
      return as_value(plain.text(item, path, "a text"));
    case FieldType::choice:
      return as_value(plain.choice(item, path, field));
    case FieldType::choice_or_integer:
      if (plain.is_number(item)) return as_value(plain.whole_number(item, path, field));
      return as_value(plain.choice(item, path, field));
    // Inner nodes of beams may carry joints and forces, no bodies.
    case FieldType::node:
      return as_value(references.node(item, path, place == "joints" || place == "forces"));
    case FieldType::node_pair:
      return as_value(references.node_pair(item, path));
    case FieldType::section:
      return as_value(references.section(item, path));
    case FieldType::beam:
      return as_value(references.beam(item, path));
    case FieldType::sections:
      return as_value(references.sections(item, path));
    case FieldType::names:
      return as_value(plain.names(item, path));
    case FieldType::choices:
      return as_value(plain.choices(item, path, field));
    case FieldType::points:
      return as_value(matrices.points(item, path, field));
    case FieldType::numbers_or_law:
      if (item.kind == Item::Kind::scalar && item.text.starts_with('='))
        return as_value(read_law(item, path, field, *this));
      [[fallthrough]];
    case FieldType::numbers: {
      const auto list = plain.numbers(item, path, field, field.size, scale);
      if (!list) return std::nullopt;
      return Value(vector_of(*list));
    }
    // One number for all six.
    case FieldType::one_or_six: {
      if (item.kind != Item::Kind::sequence) {
        const auto one = plain.number(item, path, field, scale);
        if (!one) return std::nullopt;
        return Value(math::VectorX(math::VectorX::Constant(6, *one)));
      }
      const auto list = plain.numbers(item, path, field, 6, scale);
      if (!list) return std::nullopt;
      return Value(vector_of(*list));
    }
    case FieldType::vector3:
    case FieldType::direction: {
      auto list = plain.numbers(item, path, field, 3, scale);
      if (!list) return std::nullopt;
      if (field.type == FieldType::direction &&
          std::all_of(list->begin(), list->end(), [](double x) { return x == 0; })) {
        findings.add(item, path, "a direction needs a length; [0, 0, 0] has none");
        return std::nullopt;
      }
      if (field.type == FieldType::direction) scale_direction(*list);
      return Value(vector_of(*list));
    }
    case FieldType::inertia:
      return as_value(matrices.inertia(item, path, field));
    case FieldType::matrix6:
      return as_value(matrices.symmetric(item, path, field, 6));
    case FieldType::diagonal6:
      return as_value(matrices.diagonal(item, path, field, 6));
    case FieldType::point_pair:
    case FieldType::axes:
      return as_value(matrices.vector_pair(item, path, field));
    case FieldType::function:
      return as_value(read_function(item, path, field, scale, *this));
    case FieldType::rows:
      return as_value(matrices.rows(item, path, field));
    case FieldType::functions: {
      if (item.kind != Item::Kind::sequence) {
        findings.add(item, path, "expected a list of functions of time, found " + describe(item));
        return std::nullopt;
      }
      std::vector<model::TimeFunction> list;
      for (std::size_t i = 0; i < item.items.size(); ++i)
        if (auto one = read_function(item.items[i], join_path(path, std::to_string(i)), field, scale, *this))
          list.push_back(std::move(*one));
      if (list.size() < item.items.size()) return std::nullopt;
      return Value(std::move(list));
    }
    case FieldType::law:
      return as_value(read_law(item, path, field, *this));
    case FieldType::weights:
      return as_value(references.weights(item, path, field));
    case FieldType::group:  // read member by member
      break;
  }
  return std::nullopt;
}

}  // namespace polhode::io
