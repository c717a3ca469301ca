// SPDX-License-Identifier: BSD-3-Clause
// The keys of an analysis that gives a linear model.
#include "polhode/analyses/settings.hpp"

namespace polhode::analyses {
namespace {

constexpr model::Setting linearize_keys[] = {
    model::setting<&LinearizeSettings::inputs>(
        {.name = "inputs",
         .doc = "forces: nodes.tip.force.x (inertial), forces.push.moment.z, forces.push.history, joints.pin.motor, "
                ""
                "forces.spring.actuator, signals.torque (added to the signal); vectors without a component stand for "
                "all three"}),
    model::setting<&LinearizeSettings::outputs>(
        {.name = "outputs", .doc = "results, named as in `responses`: nodes.tip.position.z, joints.pin.coordinates"}),
    model::setting<&LinearizeSettings::open>(
        {.name = "open",
         .doc =
             "signals at which loops of control are cut: each is held at its value, as one of type external, and may "
             "be an input"}),
    model::setting<&LinearizeSettings::modes>(
        {.name = "modes",
         .doc = "number of lowest modes whose states are used; default: all motions that the constraints allow",
         .min = 1,
         .max = 1000}),
    model::setting<&LinearizeSettings::pade>(pade_field),
    model::group<&LinearizeSettings::rotation>(
        {.name = "rotation",
         .doc = "small motions about an equilibrium in a frame that turns steadily, as seen in that frame"},
        rotation_table),
    model::setting<&LinearizeSettings::released>(released_field),
    model::setting<&LinearizeSettings::locked>(locked_field),
};

}  // namespace

const model::SettingsTable linearize_table{
    "linearize",
    "The linear model of small motions about the present state, an equilibrium: matrices, and the state space of "
    "inputs and outputs.",
    linearize_keys};

}  // namespace polhode::analyses
