// SPDX-License-Identifier: BSD-3-Clause
// The keys of a modal analysis.
#include "polhode/analyses/settings.hpp"

#include <fmt/format.h>

namespace polhode::analyses {
namespace {

constexpr model::Setting modal_keys[] = {
    model::setting<&ModalSettings::modes>(
        {.name = "modes", .doc = "number of modes, the lowest ones; free motions count", .min = 1, .max = 10000}),
    model::setting<&ModalSettings::band>(
        {.name = "band",
         .unit = "Hz",
         .doc = "instead of `modes`: all modes with frequencies from f1 to f2, [f1, f2]",
         .min = 0}),
    model::setting<&ModalSettings::pade>(pade_field),
    model::group<&ModalSettings::rotation>(
        {.name = "rotation",
         .doc = "small motions about an equilibrium in a frame that turns steadily, as seen in that frame"},
        rotation_table),
    model::setting<&ModalSettings::released>(released_field),
    model::setting<&ModalSettings::locked>(locked_field),
};

// What depends on both keys.
void complete(ModalSettings& settings, const model::Given& given, model::Problems& problems) {
  if (given.has("band") && given.has("modes"))
    problems.push_back({given.path_of("band"), "excludes modes, both choose what is computed; remove one"});
  if (!settings.band) return;
  const auto [low, high] = *settings.band;
  if (!(low < high))
    problems.push_back(
        {given.path_of("band"),
         fmt::format("goes from {} Hz to {} Hz; give the lower frequency first, and a higher one after it",
                     model::number_text(low), model::number_text(high))});
}

}  // namespace

const model::SettingsTable modal_table{
    "modal", "Frequencies, damping ratios and shapes of small motions about the present state, an equilibrium.",
    modal_keys, nullptr, model::completed_by<complete>};

}  // namespace polhode::analyses
