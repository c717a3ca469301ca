// SPDX-License-Identifier: BSD-3-Clause
// Dropped constraint equations, and a look at them after each step.
#include "polhode/analyses/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "polhode/model/text.hpp"

namespace polhode::analyses {

using assembly::ConstraintRank;
using assembly::System;

// Equations of one entry are collected, in the order of the entries.
std::string names_of_rows(const System& system, const std::vector<int>& rows) {
  std::map<int, std::string> lists;  // by entry
  for (const int row : rows) {
    const std::string name = system.name_of(system.free_unknowns() + row);
    std::string& list = lists[system.entry_of_row(row)];
    list += (list.empty() ? "" : ", ") + name.substr(name.find(": ") + 2);
  }
  std::string text;
  for (const auto& [entry, list] : lists)
    text += (text.empty() ? "" : ", ") + system.model().entries[entry].path() + " [" + list + "]";
  return text;
}

// Lengths relative to the size of the model, angles in rad.
double Redundancy::violation(const model::State& q) {
  system_.set_residual(q, residual_, {false, false, true});
  double largest = 0;
  for (const int row : q.dropped.rows)
    largest = std::max(largest, std::abs(residual_.phi[row]) / (system_.row_is_length(row) ? system_.length() : 1));
  return largest;
}

// Which of dependent equations are dropped is the choice of the pivots of QR; the motion does not depend on it.
std::string Redundancy::choose(const ConstraintRank& rank, model::State& q) {
  redundant_ = rank.redundant.size();
  q.dropped.choose(rank.redundant);
  if (redundant_ == 0) return "no constraint equation is redundant any more: none is dropped";
  // Joints whose reactions are not unique: those of dropped equations, and of the ones that they follow from.
  std::set<std::string> concerned;
  for (const auto& n : rank.dependencies)
    for (int row = 0; row < system_.rows(); ++row)
      if (n[row] != 0) concerned.insert(system_.model().entries[system_.entry_of_row(row)].path());
  std::string joints;
  for (const std::string& path : concerned) joints += (joints.empty() ? "" : ", ") + path;
  measured_.clear();
  for (const auto& n : rank.dependencies)
    for (const int entry : system_.signals().changed_by(q, n)) measured_.push_back(entry);
  // Each once, whatever makes it so
  std::sort(measured_.begin(), measured_.end());
  measured_.erase(std::unique(measured_.begin(), measured_.end()), measured_.end());
  const std::string sensor = measured_.empty()
                                 ? ""
                                 : "; " + system_.model().entries[static_cast<std::size_t>(measured_.front())].path() +
                                       " measures one of them";
  return "over-constrained by " + model::counted(static_cast<long>(redundant_), "redundant constraint equation") +
         "; dropped: " + names_of_rows(system_, rank.redundant) +
         "; multipliers are those of least norm, since the reactions of these joints are not unique: " + joints +
         sensor;
}

// An event that leaves other equations redundant tells by its warning.
void Redundancy::check_measured(model::Problems& problems) const {
  for (const int entry : measured_)
    problems.push_back({system_.model().entries[static_cast<std::size_t>(entry)].path("of"),
                        "is a reaction that is not unique, since constraint equations of its joint follow from others; "
                        "measure a joint that is needed, or take joints that leave nothing redundant (a spherical or a "
                        "universal one in the place of a hinge)"});
}

// Where nothing is to be resolved, the smallest diagonal entry of R is kept as the measure of independence
// against which singular positions are compared later.
std::string Redundancy::begin(model::State& q) {
  constexpr int most_rows = 1000;  // beyond, a look at the rank on the way would cost more than it is worth
  if (system_.rows() == 0 || (!active() && system_.rows() > most_rows)) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q, 1e-9, true);
  independence_ = rank.smallest;
  if (!active()) return "";
  const std::string text = choose(rank, q);
  return redundant_ > 0 ? text : "";
}

// The ratio of the pivots of Newton's matrix falls towards a singular position and grows behind it: at its minimum, one
// step late, the rank is looked at with a threshold relative to the independence of the start. Ratios below 1e-6 of the
// largest one are looked at at once.
std::string Redundancy::near_singular(const model::State& q, double pivot_ratio) {
  constexpr double small = 0.5;
  constexpr double close = 0.1;
  constexpr int most_reports = 3;
  const double last = std::exchange(last_ratio_, pivot_ratio);
  const double before = std::exchange(ratio_before_, last);
  largest_ratio_ = std::max(largest_ratio_, pivot_ratio);
  if (pivot_ratio < 1e-6 * largest_ratio_) return after_trouble(q);
  const bool lowest = last < before && last <= pivot_ratio && last < small * largest_ratio_;
  if (!lowest || positions_ == most_reports || independence_ == 0) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q, close * independence_, true);
  if (rank.redundant.empty()) return "";
  ++positions_;
  return fmt::format(
      "t = {:.6g} s: close to a singular position, where constraint equations nearly follow from others ({}): "
      "reactions grow there, and the mechanism may branch{}",
      q.t, names_of_rows(system_, rank.redundant),
      positions_ == most_reports ? " (further ones are not reported)" : "");
}

bool Redundancy::choice_holds(model::State& q) {
  constexpr double independent = 1e-9;  // distance of a row from the span of others, as in constraint_rank()
  if (q.dropped.empty() || redundant_ != q.dropped.redundant_count()) return false;
  if (!dependencies_ || dependencies_->revision() != q.dropped.revision) dependencies_.emplace(system_, q.dropped);
  if (!(dependencies_->update(q) < independent) || violation(q) > independent) return false;
  dependencies_->reduce_to_least_norm(q.lambda);
  return true;
}

// A look at the rank takes the time of many steps: it comes where the present choice is in doubt. Equations that have become independent are restored when dropping them
// would show (drift), or when fewer are redundant now.
std::string Redundancy::after_step(model::State& q, double pivot_ratio) {
  if (system_.rows() == 0) return "";
  if (!active()) return near_singular(q, pivot_ratio);
  if (choice_holds(q)) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  reduce_to_least_norm(rank, q.lambda);
  const std::size_t before = redundant_;
  const bool drifted = violation(q) > 1e-9;
  std::string text;
  // Equations that have become independent are restored; more redundant ones than before do no harm as long as steps
  // succeed.
  if (drifted || rank.redundant.size() < q.dropped.redundant_count()) text = choose(rank, q);
  redundant_ = rank.redundant.size();
  if (redundant_ == before) return "";
  return fmt::format("t = {:.6g} s: {}, {} before: {}", q.t,
                     model::counted(static_cast<long>(redundant_), "redundant constraint equation"), before,
                     text.empty() ? "a singular position, where the mechanism may branch" : text);
}

// What the event has chosen.
std::string Redundancy::after_event(model::State& q) {
  if (!active()) return "";
  const std::size_t before = std::exchange(redundant_, q.dropped.redundant_count());
  choice_holds(q);
  if (redundant_ == before) return "";
  return fmt::format("t = {:.6g} s: {} from here on, {} before", q.t,
                     model::counted(static_cast<long>(redundant_), "redundant constraint equation"), before);
}

// Only a model without `resolve` needs the hint: a position where equations follow from others is a common
// reason for a step that fails.
std::string Redundancy::after_trouble(const model::State& q) {
  if (active() || system_.rows() == 0) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  const std::size_t before = std::exchange(redundant_, rank.redundant.size());
  if (redundant_ == 0 || redundant_ == before) return "";
  return fmt::format(
      "t = {:.6g} s: a singular position, where the mechanism may branch: constraint equations follow from others ({})",
      q.t, names_of_rows(system_, rank.redundant));
}

// Another choice of equations may succeed where this one has become singular.
std::string Redundancy::after_failure(model::State& q) {
  if (!active()) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  if (rank.redundant == q.dropped.redundant()) return "";
  return choose(rank, q);
}

}  // namespace polhode::analyses
