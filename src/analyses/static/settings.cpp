// SPDX-License-Identifier: BSD-3-Clause
// The keys of a static analysis, and of a frame that turns.
#include "polhode/analyses/settings.hpp"

namespace polhode {

template <>
struct model::Choices<analyses::StaticSettings::Control> {
  using Control = analyses::StaticSettings::Control;
  static constexpr std::array<std::pair<Control, std::string_view>, 2> all{
      {{Control::load, "load"}, {Control::arc_length, "arc_length"}}};
};

namespace analyses {
namespace {

using model::Setting;
using Settings = StaticSettings;

// Parts of the whole load or of the size of the model.
constexpr model::Field fraction(std::string_view name, std::string_view doc) {
  return {.name = name, .doc = doc, .min = 0, .max = 1, .min_exclusive = true};
}

constexpr Setting static_keys[] = {
    model::setting<&Settings::control>(
        {.name = "control",
         .doc = "load: the load factor grows from 0 to 1; arc_length: the path of equilibria is followed through limit "
                "points, until the load factor reaches 1"}),
    model::group<&Settings::rotation>(
        {.name = "rotation", .doc = "equilibrium in a frame that turns steadily, with its centrifugal loads"},
        rotation_table),
    model::setting<&Settings::first_step>(
        fraction("first_step", "first step of the load factor; the program chooses the following ones")),
    model::setting<&Settings::largest_step>(fraction("largest_step", "largest step of the load factor")),
    model::setting<&Settings::max_steps>(
        {.name = "max_steps", .doc = "number of load steps after which the analysis fails", .min = 1, .max = 1e6}),
    model::setting<&Settings::max_iterations>({.name = "max_iterations",
                                               .doc = "number of linear solves after which a load step fails",
                                               .min = 1,
                                               .max = 1000}),
    model::setting<&Settings::tolerance>(fraction("tolerance",
                                                  "largest last increment of Newton's iteration: displacements divided "
                                                  "by the size of the model, rotations in rad")),
    model::setting<&Settings::stable>(
        {.name = "stable",
         .doc = "a load step that ends at an unstable equilibrium (a column beyond its buckling load) goes on to a "
                "stable one nearby; without it, such an equilibrium is reported by a warning"}),
    model::setting<&Settings::released>(released_field),
    model::setting<&Settings::locked>(locked_field),
};

constexpr Setting rotation_keys[] = {
    model::setting<&Rotation::axis>(
        {.name = "axis", .type = model::FieldType::direction, .doc = "inertial frame", .required = true}),
    model::setting<&Rotation::speed>({.name = "speed", .unit = "rad/s", .doc = "about the axis", .required = true}),
    model::setting<&Rotation::about>({.name = "about", .unit = "m", .doc = "a point of the axis, inertial frame"}),
};

// Along the arc unstable equilibria are what is looked for.
void complete_static(Settings& settings, const model::Given& given, model::Problems& problems) {
  if (settings.stable && settings.control == Settings::Control::arc_length)
    problems.push_back({given.path_of("stable"),
                        "excludes control: arc_length, which follows unstable equilibria as well; remove one"});
}

// Axes of any length in the deck, of length 1 from here on.
void complete_rotation(Rotation& rotation, const model::Given&, model::Problems&) { rotation.axis.normalize(); }

}  // namespace

const model::SettingsTable static_table{"static",
                                        "Equilibrium. Loads grow in steps that the program chooses; functions of time "
                                        "have their value at the end of the analysis before (0 at the start of a run).",
                                        static_keys, nullptr, model::completed_by<complete_static>};
const model::SettingsTable rotation_table{"rotation", "A frame that turns steadily.", rotation_keys, nullptr,
                                          model::completed_by<complete_rotation>};

}  // namespace analyses
}  // namespace polhode
