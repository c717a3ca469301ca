// SPDX-License-Identifier: BSD-3-Clause
// Rows left out, and a look at them after each step.
#include "polhode/analyses/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace polhode::analyses {

using assembly::ConstraintRank;
using assembly::System;

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

double Redundancy::violation(const model::State& q) {
  system_.set_residual(q, residual_, {false, false, true});
  double largest = 0;
  for (const int row : system_.left_out())
    largest = std::max(largest, std::abs(residual_.phi[row]) / (system_.row_is_length(row) ? system_.length() : 1));
  return largest;
}

std::string Redundancy::choose(const ConstraintRank& rank) {
  redundant_ = rank.redundant.size();
  system_.leave_out(rank.redundant);
  if (redundant_ == 0) return "all rows count again";
  std::set<std::string> concerned;
  for (const auto& n : rank.dependencies)
    for (int row = 0; row < system_.rows(); ++row)
      if (n[row] != 0) concerned.insert(system_.model().entries[system_.entry_of_row(row)].path());
  std::string joints;
  for (const std::string& path : concerned) joints += (joints.empty() ? "" : ", ") + path;
  return "over-constrained by " + std::to_string(redundant_) + (redundant_ == 1 ? " row" : " rows") +
         "; left out: " + names_of_rows(system_, rank.redundant) +
         "; multipliers are those of least norm, since the reactions of these joints are not unique: " + joints;
}

std::string Redundancy::begin(const model::State& q) {
  constexpr int most_rows = 1000;  // beyond, a look at the rank on the way would cost more than it tells
  if (system_.rows() == 0 || (!active() && system_.rows() > most_rows)) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q, 1e-9, true);
  independence_ = rank.smallest;
  if (!active()) return "";
  const std::string text = choose(rank);
  return redundant_ > 0 ? text : "";
}

std::string Redundancy::near_singular(const model::State& q, double pivot_ratio) {
  constexpr double small = 0.5;
  constexpr double close = 0.1;
  constexpr int told = 3;
  const double last = std::exchange(last_ratio_, pivot_ratio);
  const double before = std::exchange(ratio_before_, last);
  largest_ratio_ = std::max(largest_ratio_, pivot_ratio);
  if (pivot_ratio < 1e-6 * largest_ratio_) return after_trouble(q);
  const bool lowest = last < before && last <= pivot_ratio && last < small * largest_ratio_;
  if (!lowest || positions_ == told || independence_ == 0) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q, close * independence_, true);
  if (rank.redundant.empty()) return "";
  ++positions_;
  char head[64];
  std::snprintf(head, sizeof head, "t = %.6g s: ", q.t);
  return head +
         ("close to a singular position, where other joints say nearly the same as " +
          names_of_rows(system_, rank.redundant)) +
         ": reactions grow there, and the mechanism may branch" +
         (positions_ == told ? " (further ones are not told)" : "");
}

std::string Redundancy::after_step(model::State& q, double pivot_ratio) {
  if (system_.rows() == 0) return "";
  if (!active()) return near_singular(q, pivot_ratio);
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  reduce_to_least_norm(rank, q.lambda);
  const std::size_t before = redundant_;
  const bool drifted = violation(q) > 1e-9;
  std::string text;
  // Rows that have become independent count again; more redundant rows than before do no harm as long as steps succeed.
  if (drifted || rank.redundant.size() < system_.left_out().size()) text = choose(rank);
  redundant_ = rank.redundant.size();
  if (redundant_ == before) return "";
  char head[80];
  std::snprintf(head, sizeof head, "t = %.6g s: %zu redundant %s, %zu before: ", q.t, redundant_,
                redundant_ == 1 ? "row" : "rows", before);
  return head + (text.empty() ? "a singular position, where the mechanism may branch" : text);
}

std::string Redundancy::after_trouble(const model::State& q) {
  if (active() || system_.rows() == 0) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  const std::size_t before = std::exchange(redundant_, rank.redundant.size());
  if (redundant_ == 0 || redundant_ == before) return "";
  char head[40];
  std::snprintf(head, sizeof head, "t = %.6g s: ", q.t);
  return head + std::string("a singular position, where the mechanism may branch: ") +
         names_of_rows(system_, rank.redundant) + " here follow from other rows";
}

std::string Redundancy::after_failure(const model::State& q) {
  if (!active()) return "";
  const ConstraintRank rank = assembly::constraint_rank(system_, q);
  if (rank.redundant == system_.left_out()) return "";
  return choose(rank);
}

}  // namespace polhode::analyses
