// SPDX-License-Identifier: BSD-3-Clause
// Gravity, density, and the speed of waves along a beam, against what there is.
#include "magnitudes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace polhode::run {
namespace {

struct Range {
  double least;
  double most;
  bool holds(double value) const { return value >= least && value <= most; }
};

// m/s^2: asteroids to centrifuges
constexpr Range gravities{1e-3, 1e3};
// kg/m^3: foams to osmium
constexpr Range densities{1, 3e4};
// m/s, sqrt(EA/(mass per length)), which no area changes: gels to diamond, with room for bars made stiff on purpose
constexpr Range speeds{5, 2e5};

constexpr const char* remedy = "check its units, and those of the numbers beside it, or declare them (`units`)";

// Sections without mass or stiffness have no waves.
std::string speed_warning(const model::SectionEntry& section, const model::Units& units) {
  const double stiffness = section.stiffness(0, 0);
  const double mass = section.mass(0, 0);
  if (!(stiffness > 0 && mass > 0)) return "";
  const double speed = std::sqrt(stiffness / mass) * units.size_of("m/s");
  if (speeds.holds(speed)) return "";
  return fmt::format(
      "sections.{}: waves along the beam run at {:.3g} m/s by its EA and mass per length, where rubber has 50 and "
      "steel "
      "5000; {}",
      section.name, speed, remedy);
}

// Of bodies that are given by their shapes.
std::string density_warning(const model::Entry& entry, const model::Units& units) {
  if (!entry.has("density")) return "";
  const double density = entry.number("density") * units.size_of("kg/m^3");
  if (densities.holds(density)) return "";
  return fmt::format("{} has a density of {:.3g} kg/m^3, where foam has 30 and steel 7850; {}", entry.path(), density,
                     remedy);
}

}  // namespace

// Lines beyond the first few say nothing new: units are wrong everywhere.
std::vector<std::string> warnings_of_magnitudes(const io::Deck& deck) {
  constexpr std::size_t most = 4;
  std::vector<std::string> warnings;
  const auto add = [&](std::string text) {
    if (!text.empty() && warnings.size() < most) warnings.push_back(std::move(text));
  };
  const double gravity = deck.model.gravity.norm() * deck.units.size_of("m/s^2");
  if (gravity > 0 && !gravities.holds(gravity))
    add(fmt::format("gravity is {:.4g} m/s^2, where the Earth has 9.81; {}", gravity, remedy));
  for (const model::SectionEntry& section : deck.model.sections) add(speed_warning(section, deck.units));
  for (const model::Entry& entry : deck.model.entries) add(density_warning(entry, deck.units));
  return warnings;
}

}  // namespace polhode::run
