// SPDX-License-Identifier: BSD-3-Clause
// Units of a deck: their names in results, their sizes, and whether they fit together.
#include "polhode/model/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace polhode::model {
namespace {

struct Unit {
  std::string_view name;
  double size;  // in SI
};

// Inches, pounds and pounds of force are exact by definition; slug and slinch follow from them.
constexpr double inch = 0.0254;
constexpr double foot = 12 * inch;
constexpr double pound = 0.45359237;
constexpr double pound_force = pound * 9.80665;
constexpr Unit lengths[] = {{"m", 1},     {"km", 1e3},  {"cm", 1e-2}, {"mm", 1e-3},
                            {"um", 1e-6}, {"in", inch}, {"ft", foot}};
constexpr Unit masses[] = {{"kg", 1},
                           {"g", 1e-3},
                           {"mg", 1e-6},
                           {"t", 1e3},
                           {"kt", 1e6},
                           {"Mt", 1e9},
                           {"lb", pound},
                           {"slug", pound_force / foot},
                           {"slinch", pound_force / inch}};
constexpr Unit times[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};
constexpr Unit forces[] = {{"N", 1},     {"kN", 1e3},  {"MN", 1e6},          {"GN", 1e9},
                           {"mN", 1e-3}, {"uN", 1e-6}, {"lbf", pound_force}, {"dyn", 1e-5}};

template <std::size_t n>
constexpr auto names_of(const Unit (&units)[n]) {
  std::array<std::string_view, n> names{};
  for (std::size_t i = 0; i < n; ++i) names[i] = units[i].name;
  return names;
}
constexpr auto length_names = names_of(lengths);
constexpr auto mass_names = names_of(masses);
constexpr auto time_names = names_of(times);
constexpr auto force_names = names_of(forces);

// The reader has refused names that are not in the list.
double size_in(std::span<const Unit> units, std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? 1 : found->size;
}

// What the equations make of mass, length and time, whatever the deck calls it.
double force_of(const Units& u) {
  const double time = size_in(times, u.time);
  return size_in(masses, u.mass) * size_in(lengths, u.length) / (time * time);
}

// "t mm/s^2" where no unit of the list has its size.
std::string name_of_force(const Units& u) {
  for (const Unit& unit : forces)
    if (std::abs(unit.size / force_of(u) - 1) < 1e-9) return std::string(unit.name);
  return fmt::format("{} {}/{}^2", u.mass, u.length, u.time);
}

// A unit of SI that is replaced: by its name in the deck, where it stands above or below the line.
struct Part {
  std::string_view si;
  std::string name;
  double size;
};
std::array<Part, 8> parts_of(const Units& u) {
  const double length = size_in(lengths, u.length);
  const double time = size_in(times, u.time);
  const double force = force_of(u);
  const std::string name = u.force.empty() ? name_of_force(u) : u.force;
  return {Part{"m", u.length, length},
          Part{"kg", u.mass, size_in(masses, u.mass)},
          Part{"s", u.time, time},
          Part{"N", name, force},
          Part{"J", fmt::format("{} {}", name, u.length), force * length},
          Part{"W", fmt::format("{} {}/{}", name, u.length, u.time), force * length / time},
          Part{"Pa", fmt::format("{}/{}^2", name, u.length), force / (length * length)},
          Part{"Hz", u.time == "s" ? std::string("Hz") : fmt::format("1/{}", u.time), 1 / time}};
}

// Calls use(word, power) for each word of letters, with the power that it stands in, and rest(text) for what is between;
// false from `use` ends the walk.
template <class Use, class Rest>
bool each_word(std::string_view unit, const Use& use, const Rest& rest) {
  int sign = 1;
  for (std::size_t i = 0; i < unit.size();) {
    if (!std::isalpha(static_cast<unsigned char>(unit[i]))) {
      if (unit[i] == '/') sign = -1;
      if (unit[i] == ',') sign = 1;
      rest(unit.substr(i++, 1));
      continue;
    }
    const std::size_t begin = i;
    while (i < unit.size() && std::isalpha(static_cast<unsigned char>(unit[i]))) ++i;
    const bool has_power = i + 1 < unit.size() && unit[i] == '^';
    const int power = has_power ? unit[i + 1] - '0' : 1;
    if (!use(unit.substr(begin, i - begin), sign * power)) return false;
  }
  return true;
}

// Units of angles, which have no size of their own.
constexpr std::string_view plain_words[] = {"rad", "deg"};

// A force that is not given gets its name; one that is has to be the product of the others.
void complete(Units& units, const Given& given, Problems& problems) {
  const double follows = force_of(units);
  if (!given.has("force")) {
    units.force = name_of_force(units);
    return;
  }
  const double stated = size_in(forces, units.force);
  // Of the digits that pounds and slugs are tabulated with
  if (std::abs(stated / follows - 1) < 1e-6) return;
  problems.push_back(
      {given.path_of("force"),
       fmt::format("1 {} is {:.6g} N, but 1 {} times 1 {} over (1 {})^2 is {:.6g} N: the equations "
                   "hold in units that fit together alone; the force that fits is 1 {}",
                   units.force, stated, units.mass, units.length, units.time, follows, name_of_force(units))});
}

// Lists of names are short on purpose: each unit can be checked against SI at a glance.
constexpr Setting unit_keys[] = {
    setting<&Units::length>({.name = "length", .doc = "unit of all lengths", .choices = length_names}),
    setting<&Units::mass>({.name = "mass", .doc = "unit of all masses", .choices = mass_names}),
    setting<&Units::time>({.name = "time", .doc = "unit of all times", .choices = time_names}),
    setting<&Units::force>({.name = "force",
                            .doc = "unit of all forces; checked against mass length / time^2",
                            .default_text = "mass length / time^2",
                            .choices = force_names}),
};

}  // namespace

// Word by word, so that lists and quotients need no grammar; a text with any other word is a description.
std::string Units::name_of(std::string_view si) const {
  if (are_si()) return std::string(si);
  const auto parts = parts_of(*this);
  std::string made;
  const bool known = each_word(
      si,
      [&](std::string_view word, int) {
        const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return one.si == word; });
        if (part == parts.end() &&
            std::find(std::begin(plain_words), std::end(plain_words), word) == std::end(plain_words))
          return false;
        made += part == parts.end() ? word : std::string_view(part->name);
        return true;
      },
      [&](std::string_view between) { made += between; });
  return known ? made : std::string(si);
}

// Powers multiply; words that are no unit count as one.
double Units::size_of(std::string_view si) const {
  const auto parts = parts_of(*this);
  double size = 1;
  each_word(
      si,
      [&](std::string_view word, int power) {
        for (const Part& part : parts)
          if (part.si == word) size *= std::pow(part.size, power);
        return true;
      },
      [](std::string_view) {});
  return size;
}

const SettingsTable units_table{"units",
                                "The units of all numbers of the deck, which stay as they are: results and pictures "
                                "name them. Angles are in radians.",
                                unit_keys, nullptr, completed_by<complete>};

}  // namespace polhode::model
