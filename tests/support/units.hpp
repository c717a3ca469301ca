// SPDX-License-Identifier: BSD-3-Clause
// Models in other units of length.
//
// Masses, times and angles stay, so that a quantity of length^e changes by the e-th power of the number of units in a
// meter: with millimeters forces are in kg mm/s^2, moments in kg mm^2/s^2. The exponents of inputs follow from the units
// that the kinds declare.
#pragma once
#include <cctype>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "polhode/model/catalog.hpp"
#include "polhode/model/model.hpp"

namespace polhode::support {

// Of the length in a product of units, "N m s/rad" for instance: 2, as 1 N = 1 kg m/s^2. All that stands behind a slash
// divides. Throws std::invalid_argument for a symbol that it does not know.
inline int exponent_of_length(std::string_view unit) {
  static const std::map<std::string, int, std::less<>> symbols{{"m", 1},  {"N", 1}, {"J", 2},   {"W", 2}, {"Pa", -1},
                                                               {"kg", 0}, {"s", 0}, {"rad", 0}, {"Hz", 0}};
  int sum = 0;
  int sign = 1;
  for (std::size_t at = 0; at < unit.size();) {
    if (unit[at] == '/') sign = -1;
    if (!std::isalpha(static_cast<unsigned char>(unit[at]))) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < unit.size() && std::isalpha(static_cast<unsigned char>(unit[end]))) ++end;
    const auto symbol = symbols.find(unit.substr(at, end - at));
    if (symbol == symbols.end()) throw std::invalid_argument("no unit known: " + std::string(unit));
    const bool has_power = end + 1 < unit.size() && unit[end] == '^';
    const int power = has_power ? unit[end + 1] - '0' : 1;
    sum += sign * power * symbol->second;
    at = has_power ? end + 2 : end;
  }
  return sum;
}

// The inputs of a model, from meters to units of which a meter has `per_meter`: 1000 for millimeters.
class UnitOfLength {
 public:
  explicit UnitOfLength(double per_meter) : per_meter_(per_meter) {}

  // Of a quantity with this exponent of length.
  double factor(int exponent) const { return std::pow(per_meter_, exponent); }

  // The same model. Throws std::invalid_argument where an input cannot be converted: functions of time with a length in
  // their unit, and weights of coordinates.
  model::Model convert(model::Model model) const {
    model.gravity *= factor(1);
    for (model::NodeEntry& node : model.nodes) {
      node.position *= factor(1);
      if (node.velocity) *node.velocity *= factor(1);
    }
    for (model::SectionEntry& section : model.sections) {
      convert(section.stiffness, 1, 2);
      convert(section.mass, -1, 0);
      convert(section.damping_matrix, 1, 2);
    }
    for (model::InitialMotion& motion : model.initial_motion) {
      motion.velocity *= factor(1);
      motion.about *= factor(1);
    }
    for (model::Entry& entry : model.entries)
      for (auto& [key, value] : entry.values) convert(value, field_of(entry.kind->fields, key), entry.path(key));
    return model;
  }

 private:
  // Members of groups stand as "group.member".
  static const model::Field& field_of(std::span<const model::Field> fields, std::string_view key) {
    const std::size_t dot = key.find('.');
    for (const model::Field& field : fields) {
      if (field.name != key.substr(0, dot)) continue;
      return dot == std::string_view::npos ? field : field_of(field.members, key.substr(dot + 1));
    }
    throw std::invalid_argument("no field " + std::string(key));
  }

  // Of translations, and of one rotation in the place of a translation; each entry of a matrix over both has its own.
  void convert(math::Mat6& matrix, int of_translations, int of_mixed) const {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const int rotations = (i < 3 ? 0 : 1) + (j < 3 ? 0 : 1);
        matrix(i, j) *= factor(of_translations + rotations * (of_mixed - of_translations));
      }
  }

  // "N, N m" is of translations and rotations, of six numbers or of a matrix over them.
  void convert(model::Value& value, const model::Field& field, const std::string& path) const {
    const std::size_t comma = field.unit.find(", ");
    const bool both = comma != std::string_view::npos;
    const int first = exponent_of_length(field.unit.substr(0, comma));
    const int second = both ? exponent_of_length(field.unit.substr(comma + 2)) : first;
    if (auto* number = std::get_if<double>(&value)) {
      *number *= factor(first);
    } else if (auto* vector = std::get_if<math::VectorX>(&value)) {
      const Eigen::Index head = both ? vector->size() / 2 : vector->size();
      vector->head(head) *= factor(first);
      vector->tail(vector->size() - head) *= factor(second);
    } else if (auto* matrix = std::get_if<math::MatrixX>(&value)) {
      math::Mat6 of_both;
      if (both) of_both = *matrix;
      if (both) convert(of_both, first, (first + second) / 2);
      if (both)
        *matrix = of_both;
      else
        *matrix *= factor(first);
    } else if (auto* function = std::get_if<model::TimeFunction>(&value)) {
      if (first == 0) return;
      if (!function->is_constant()) throw std::invalid_argument(path + ": a function with lengths is not converted");
      *function = model::TimeFunction((*function)(0).value * factor(first));
    } else if (std::holds_alternative<model::Weights>(value)) {
      throw std::invalid_argument(path + ": weights of coordinates are not converted");
    }
  }

  double per_meter_;
};

}  // namespace polhode::support
