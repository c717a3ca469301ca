// SPDX-License-Identifier: BSD-3-Clause
// Angles that are counted on from step to step.
#include "analyses/transient/turn_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <span>

namespace polhode::analyses {
namespace {

// Names beyond these are no help.
constexpr int most_turn_warnings = 5;
// rad
constexpr double largest_turn_of_step = 2.5;

// Such angles are counted from the drive: they may turn by any angle in a step.
bool has_driven_angle(const model::Entry& entry) {
  return std::any_of(entry.values.begin(), entry.values.end(), [](const auto& value) {
    return value.first == "rotation" || value.first.starts_with("motion.r");
  });
}

}  // namespace

TurnWatch::TurnWatch(const assembly::System& system, bool controlled) : system_(system), controlled_(controlled) {
  for (const auto& batch : system.batches()) {
    if (batch->history() == 0 || batch->nodes() != 2) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const int entry = batch->entry_of(e);
      if (has_driven_angle(system.model().entries[static_cast<std::size_t>(entry)])) continue;
      const std::span<const int> nodes = batch->nodes_of(e);
      pairs_.push_back({entry, nodes[0], nodes[1], false});
    }
  }
}

double TurnWatch::rate_of(const Pair& pair, const State& q) {
  const auto a = static_cast<std::size_t>(pair.a);
  const auto b = static_cast<std::size_t>(pair.b);
  const math::Vec3 rate = q.R[b] * q.v[b].tail<3>() - q.R[a] * q.v[a].tail<3>();
  return rate.norm();
}

double TurnWatch::longest_step(const State& q) const {
  double fastest = 0;
  for (const Pair& pair : pairs_) fastest = std::max(fastest, rate_of(pair, q));
  return largest_turn_of_step / fastest;
}

void TurnWatch::look_at_pairs(const State& q, double h, Observer& observer) {
  for (Pair& pair : pairs_) {
    if (pair.warned) continue;
    const double turn = rate_of(pair, q) * h;
    if (!(turn > std::numbers::pi)) continue;
    pair.warned = true;
    if (++warnings_ > most_turn_warnings) continue;
    observer.warn(fmt::format(
        "{} turns by {:.3g} rad in the step to t = {:.6g} s, by more than half a turn: its angle is not counted "
        "rightly from there on; use a smaller `{}`{}",
        system_.model().entries[static_cast<std::size_t>(pair.entry)].path(), turn, q.t,
        controlled_ ? "step: {max}" : "step", warnings_ == most_turn_warnings ? " (others are not named)" : ""));
  }
}

}  // namespace polhode::analyses
