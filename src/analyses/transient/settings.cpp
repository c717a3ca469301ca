// SPDX-License-Identifier: BSD-3-Clause
// The keys of a transient analysis.
#include <fmt/format.h>

#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/catalog.hpp"

namespace polhode::analyses {
namespace {

using model::Given;
using model::Problems;
using Settings = TransientSettings;

constexpr model::Setting keys[] = {
    model::setting<&Settings::duration>(
        {.name = "duration",
         .unit = "s",
         .doc = "of this analysis; the time of the run goes on from one analysis to the next",
         .required = true,
         .min = 0,
         .min_exclusive = true}),
    model::setting_or_group<&Settings::step, &Settings::control>(
        {.name = "step",
         .unit = "s",
         .doc = "fixed step h: t_n = t_0 + n h, with a shorter last step if needed; or a mapping: the program chooses "
                "steps by their estimated error",
         .required = true,
         .min = 0,
         .min_exclusive = true},
        integrators::step_table),
    model::group<&Settings::integrator>({.name = "integrator", .doc = "the method and its parameters"},
                                        integrators::integrator_table),
    model::group<&Settings::newton>({.name = "newton", .doc = "Newton's iteration in each step"},
                                    integrators::newton_table),
    model::setting<&Settings::released>(released_field),
    model::setting<&Settings::locked>(locked_field),
};

void complete(Settings& settings, const Given& given, Problems& problems) {
  settings.path = given.path;
  if (!settings.control && settings.duration / settings.step > most_transient_steps)
    problems.push_back({given.path_of("step"), "makes more than 2e9 steps of the duration; choose a larger one"});
  constexpr double longest = 1e6;  // durations: far from where the number of steps is no number
  if (!settings.control && settings.duration > 0 && settings.step / settings.duration > longest)
    problems.push_back({given.path_of("step"),
                        fmt::format("is more than a million times the duration of {:.6g} s; choose a smaller one",
                                    settings.duration)});
  if (given.inner_right) check_transient_settings(settings, given.begin_time, problems);
}

}  // namespace

const model::SettingsTable transient_table{"transient", "The motion in time.", keys, nullptr,
                                           model::completed_by<complete>};

void check_transient_settings(const TransientSettings& settings, double begin, Problems& problems) {
  integrators::check_method_settings({.settings = settings.integrator,
                                      .newton = settings.newton,
                                      .control = settings.control ? &*settings.control : nullptr,
                                      .step = settings.step,
                                      .begin = begin,
                                      .duration = settings.duration,
                                      .path = settings.path},
                                     problems);
}

}  // namespace polhode::analyses
