// SPDX-License-Identifier: BSD-3-Clause
// Sections by shape: dimensions and material to matrices.
#include "section_shapes.hpp"

#include <algorithm>
#include <array>

#include "polhode/model/section_shape.hpp"

namespace polhode::io {
namespace {

constexpr std::array<std::string_view, 6> dimensions{"width", "height", "radius", "inner_radius", "flange", "web"};

// What a shape is measured by; all of them are needed.
std::vector<std::string_view> dimensions_of(std::string_view shape) {
  if (shape == "rectangle") return {"width", "height"};
  if (shape == "circle") return {"radius"};
  if (shape == "tube") return {"radius", "inner_radius"};
  return {"width", "height", "flange", "web"};
}

// True if all that the shape needs is there and good, and nothing else.
bool check_keys(const Mapping& given, const std::string& shape, Reader& reader) {
  const std::size_t before = reader.findings.size();
  std::vector<std::string_view> needed = dimensions_of(shape);
  for (const std::string_view key : dimensions)
    if (const Item* item = given.find(key); item && std::find(needed.begin(), needed.end(), key) == needed.end())
      reader.findings.add(*item, given.path + "." + std::string(key),
                          "does not belong to the shape '" + shape + "', which has: " + list_text(needed));
  for (const std::string_view key : {"stiffness", "mass"})
    if (const Item* item = given.find(key))
      reader.findings.add(*item, given.path + "." + std::string(key), "stands beside 'shape'; remove one of them");
  needed.insert(needed.end(), {"E", "nu", "density"});
  for (const std::string_view key : needed)
    if (!given.has(key))
      reader.findings.add(*given.item, given.path,
                          "'" + std::string(key) + "' is missing: the shape '" + shape + "' needs it");
  // A value with an error of its own has been reported, and is absent.
  const bool whole = std::all_of(needed.begin(), needed.end(), [&](auto key) { return given.value<double>(key); });
  return whole && reader.findings.size() == before;
}

}  // namespace

// A circle is a tube without a hole: inner_radius is absent, and zero. Torsion constant and shear factors of
// the deck take the place of those of the shape, which are estimates for some.
void read_shape(const Mapping& given, Reader& reader, model::SectionEntry& section) {
  const std::size_t before = reader.findings.size();
  const std::string shape = given.text("shape", "");
  if (!check_keys(given, shape, reader)) return;
  const auto size = [&](std::string_view key) { return given.number(key, 0); };
  // Dimensions that exclude each other are compared once all are known to be numbers.
  const auto less = [&](std::string_view key, double limit, std::string_view of) {
    if (size(key) >= limit)
      reader.findings.add(
          *given.find(key), given.path + "." + std::string(key),
          "must be less than " + std::string(of) + ", " + number_text(limit) + "; is " + number_text(size(key)));
  };
  if (shape == "tube") less("inner_radius", size("radius"), "radius");
  if (shape == "I") {
    less("flange", size("height") / 2, "half the height");
    less("web", size("width"), "width");
  }
  if (reader.findings.size() > before) return;
  const model::Material material{size("E"), size("nu"), size("density")};
  model::SectionShape s =
      shape == "rectangle" ? model::rectangle(size("width"), size("height"), material.nu)
      : shape == "I"       ? model::i_section(size("width"), size("height"), size("flange"), size("web"), material.nu)
                           : model::tube(size("radius"), size("inner_radius"), material.nu);
  s.J = given.number("torsion_constant", s.J);
  if (const Item* factors = given.find("shear_factors")) {
    const model::Field field{
        .name = "", .type = model::FieldType::number, .unit = "", .doc = "", .min = 0, .max = 1, .min_exclusive = true};
    if (const auto k = reader.plain.numbers(*factors, given.path + ".shear_factors", field, 2)) {
      s.k_y = (*k)[0];
      s.k_z = (*k)[1];
    }
  }
  section.stiffness = model::stiffness_of(s, material);
  section.mass = model::mass_of(s, material);
}

}  // namespace polhode::io
