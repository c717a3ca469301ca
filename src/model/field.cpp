// SPDX-License-Identifier: BSD-3-Clause
// Typed access to the values of an entry.
#include "polhode/model/field.hpp"

namespace polhode::model {

// The keys of the deck under which families stand.
std::string_view deck_key(Family family) {
  switch (family) {
    case Family::body:
      return "bodies";
    case Family::beam:
      return "beams";
    case Family::joint:
      return "joints";
    case Family::force:
      return "forces";
    case Family::signal:
      return "signals";
    case Family::event:
      return "events";
    case Family::analysis:
      return "analysis";
  }
  return "";
}

std::string Entry::path() const { return std::string(deck_key(family)) + (name.empty() ? "" : "." + name); }
std::string Entry::path(std::string_view key) const { return path() + "." + std::string(key); }
bool Entry::has(std::string_view key) const { return values.find(key) != values.end(); }
bool Entry::has_law(std::string_view key) const {
  const auto it = values.find(key);
  return it != values.end() && std::holds_alternative<Expression>(it->second);
}

// Types are those that the kind's fields declare, checked when the deck is read:
// a wrong std::get is a mistake in a kind, and throws.
bool Entry::flag(std::string_view key, bool otherwise) const {
  const auto it = values.find(key);
  return it == values.end() ? otherwise : std::get<bool>(it->second);
}
double Entry::number(std::string_view key) const { return std::get<double>(values.find(key)->second); }
double Entry::number(std::string_view key, double otherwise) const { return has(key) ? number(key) : otherwise; }
const std::string& Entry::text(std::string_view key) const { return std::get<std::string>(values.find(key)->second); }
const std::vector<std::string>& Entry::names(std::string_view key) const {
  return std::get<std::vector<std::string>>(values.find(key)->second);
}
math::Vec3 Entry::vector3(std::string_view key) const { return std::get<math::VectorX>(values.find(key)->second); }
math::Vec3 Entry::vector3(std::string_view key, const math::Vec3& otherwise) const {
  return has(key) ? vector3(key) : otherwise;
}
math::Mat3 Entry::matrix3(std::string_view key) const { return matrix(key); }
const math::MatrixX& Entry::matrix(std::string_view key) const {
  return std::get<math::MatrixX>(values.find(key)->second);
}
const math::VectorX& Entry::vector(std::string_view key) const {
  return std::get<math::VectorX>(values.find(key)->second);
}
const TimeFunction& Entry::function(std::string_view key) const {
  return std::get<TimeFunction>(values.find(key)->second);
}
const std::vector<TimeFunction>& Entry::functions(std::string_view key) const {
  return std::get<std::vector<TimeFunction>>(values.find(key)->second);
}

const Expression& Entry::law(std::string_view key) const { return std::get<Expression>(values.find(key)->second); }
const Weights& Entry::weights(std::string_view key) const { return std::get<Weights>(values.find(key)->second); }

}  // namespace polhode::model
