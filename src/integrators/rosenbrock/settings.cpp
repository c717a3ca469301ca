// SPDX-License-Identifier: BSD-3-Clause
// The keys of the Rosenbrock family.
#include "polhode/integrators/rosenbrock/settings.hpp"

namespace polhode {

template <>
struct model::Choices<integrators::Coordinates> {
  using Coordinates = integrators::Coordinates;
  static constexpr std::array<std::pair<Coordinates, std::string_view>, 3> all{
      {{Coordinates::weighted, "weighted"}, {Coordinates::mass, "mass"}, {Coordinates::partition, "partition"}}};
};

template <>
struct model::Choices<integrators::ErrorEstimate> {
  using ErrorEstimate = integrators::ErrorEstimate;
  static constexpr std::array<std::pair<ErrorEstimate, std::string_view>, 2> all{
      {{ErrorEstimate::plain, "plain"}, {ErrorEstimate::filtered, "filtered"}}};
};

namespace integrators {
namespace {

constexpr model::Setting keys[] = {
    model::setting<&RosenbrockSettings::coordinates>(
        {.name = "coordinates",
         .doc = "Rosenbrock methods: choice of independent coordinates. weighted: by inertia, stiffness and damping, "
                "so that stiff forces are nearly linear in them; mass: by kinetic energy; partition: a subset of the "
                "unknowns, chosen by pivoting"}),
    model::setting<&RosenbrockSettings::estimate>(
        {.name = "estimate",
         .doc = "Rosenbrock methods: error of a step. plain: the difference to the embedded method; filtered: the same "
                "through the matrix of the stages, which takes away what the step damps, for one more solve"}),
};

}  // namespace

const model::SettingsTable rosenbrock_table{"rosenbrock", "Keys of the Rosenbrock methods.", keys};

}  // namespace integrators
}  // namespace polhode
