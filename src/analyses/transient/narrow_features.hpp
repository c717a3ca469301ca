// SPDX-License-Identifier: BSD-3-Clause
// Narrow features of functions of time that steps under control could pass over: smooth bells and pulses without a
// breakpoint, shorter than the longest step.
//
// A function is fast where it would cover a quarter of its range R within the longest step H, |f'| > R/(4 H). Where it
// is so for less than H, at twice that rate in the mean, with rest before, a step could lie over it: there the run stops
// at both sides and makes at least 20 steps between.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/transient/stops.hpp"
#include "polhode/model/function.hpp"

namespace polhode::analyses {

// Times, s: with a margin of half its length on both sides.
struct NarrowFeature {
  double begin;
  double end;
};

// What is looked at, s.
struct FeatureSearch {
  double begin;
  double duration;
  // Of the run, by default or by `max`
  double longest_step;
  // Evaluations of the function
  long samples;
};

// Ascending, apart from each other. Features shorter than about a sample's distance may not be found. Of a function
// with hundreds of them, which is fast nearly everywhere, none are.
std::vector<NarrowFeature> find_narrow_features(const model::TimeFunction& function, const FeatureSearch& search);

// Of all functions of time of a model: where steps are short, and what to say of it, a line a function.
struct FeatureSteps {
  std::vector<ShortSteps> spans;
  std::vector<std::string> notices;
};
FeatureSteps plan_feature_steps(const assembly::System& system, double begin, double duration, double longest_step);

}  // namespace polhode::analyses
