// SPDX-License-Identifier: BSD-3-Clause
// First, last and extreme values of invariants.
#include "invariant_summary.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::run {

// Finds the columns once, so that a row costs a few comparisons.
InvariantSummary::InvariantSummary(const results::Layout& layout) {
  const auto find = [&](const std::string& name) {
    return std::find_if(layout.states.begin(), layout.states.end(),
                        [&](const results::Channel& c) { return c.path == "/invariants/" + name; });
  };
  for (const std::string name : {"linear_momentum", "angular_momentum", "energy"}) {
    const auto plain = find(name);
    const auto discrete = find("discrete_" + name);
    const bool has_discrete = discrete != layout.states.end();
    const auto channel = has_discrete ? discrete : plain;
    const bool is_energy = name == "energy";
    // Energy of other methods is in the energy balance.
    if (channel == layout.states.end() || (is_energy && !has_discrete)) continue;
    Gathered one;
    one.invariant.name = name;
    std::replace(one.invariant.name.begin(), one.invariant.name.end(), '_', ' ');
    one.invariant.units = channel->units;
    one.invariant.size = channel->shape.empty() ? 1 : 3;
    one.invariant.from_first_step = has_discrete && is_energy;
    one.offset = channel->offset;
    all_.push_back(std::move(one));
  }
}

// Values that are not numbers belong to states that have none.
void InvariantSummary::add(std::span<const double> row) {
  const bool at_start = rows_ == 0;
  ++rows_;
  for (Gathered& one : all_) {
    Invariant& q = one.invariant;
    if ((at_start && q.from_first_step) || std::isnan(row[one.offset])) continue;
    const bool first = one.count == 0;
    ++one.count;
    for (std::size_t i = 0; i < q.size; ++i) {
      const double value = row[one.offset + i];
      if (first) {
        q.first[i] = value;
        q.smallest[i] = value;
        q.largest[i] = value;
      }
      q.last[i] = value;
      q.smallest[i] = std::min(q.smallest[i], value);
      q.largest[i] = std::max(q.largest[i], value);
    }
  }
}

void InvariantSummary::archive(math::Archive& a) {
  for (Gathered& one : all_)
    a(one.invariant.first, one.invariant.last, one.invariant.smallest, one.invariant.largest, one.count);
  a(rows_);
}

// A single value has no drift.
std::vector<Invariant> InvariantSummary::invariants() const {
  std::vector<Invariant> all;
  for (const Gathered& one : all_)
    if (one.count >= 2) all.push_back(one.invariant);
  return all;
}

}  // namespace polhode::run
