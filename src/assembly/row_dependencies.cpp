// SPDX-License-Identifier: BSD-3-Clause
// Combinations of constraint equations that vanish.
#include "polhode/assembly/row_dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "joined_sets.hpp"

namespace polhode::assembly {

RowDependencies::RowDependencies(const System& system, const DroppedConstraints& dropped)
    : system_(system),
      dropped_(dropped),
      matrix_(system.make_matrix()),
      solver_(matrix_),
      weights_(VectorX::Ones(system.free_unknowns())) {
  const double squared = system.length() * system.length();
  for (const model::NodeUnknowns& u : system.unknowns())
    for (int i = 3; i < 6; ++i)
      if (u.local[i] >= 0) weights_[u.first + u.local[i]] = squared;
  for (int column = 0; column < system.free_unknowns(); ++column) {
    const auto begin = matrix_.row.begin() + matrix_.column_start[column];
    const auto end = matrix_.row.begin() + matrix_.column_start[column + 1];
    diagonal_.push_back(matrix_.place_of(static_cast<int>(std::lower_bound(begin, end, column) - matrix_.row.begin())));
  }
  find_parts();
}

// By the pattern, whatever the values are. Of parts without dropped rows nothing is kept.
void RowDependencies::find_parts() {
  const int k = system_.free_unknowns();
  const int m = system_.rows();
  JoinedSets sets(static_cast<std::size_t>(k + m));
  for (int column = k; column < k + m; ++column)
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1]; ++p)
      if (matrix_.row[p] < k) sets.join(column, matrix_.row[p]);
  std::vector<int> part_of(static_cast<std::size_t>(k + m), -1);
  for (const int row : dropped_.redundant()) {
    int& part = part_of[sets.set_of(k + row)];
    if (part < 0) {
      part = static_cast<int>(parts_.size());
      parts_.emplace_back();
    }
    parts_[part].dropped.push_back(row);
  }
  for (int i = 0; i < k + m; ++i) {
    const int part = part_of[sets.set_of(i)];
    if (part < 0) continue;
    if (i < k)
      parts_[part].unknowns.push_back(i);
    else
      parts_[part].rows.push_back(i - k);
  }
  std::size_t rounds = 0;
  for (Part& part : parts_) {
    part.combinations = math::MatrixX::Zero(static_cast<Eigen::Index>(part.rows.size()),
                                            static_cast<Eigen::Index>(part.dropped.size()));
    rounds = std::max(rounds, part.dropped.size());
  }
  columns_.assign(rounds, VectorX::Zero(system_.size()));
  length_.assign(rounds, std::vector<double>(parts_.size(), 0));
}

void RowDependencies::set_right_hand_side(std::size_t round) {
  const int k = system_.free_unknowns();
  VectorX& right = columns_[round];
  right.setZero();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (round >= parts_[i].dropped.size()) continue;
    const int column = k + parts_[i].dropped[round];
    double sum = 0;
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1]; ++p) {
      const int row = matrix_.row[p];
      if (row >= k) continue;
      right[row] = matrix_.at(p);
      sum += right[row] * right[row] / weights_[row];
    }
    length_[round][i] = sum;
  }
}

bool RowDependencies::factorize(const State& q) {
  constexpr double regular = 1e-8;  // of the best ratio of pivots, which are the squares of distances
  system_.set_matrix_of_all_rows(q, Factors{.b = 1}, 0, matrix_);
  for (std::size_t round = 0; round < columns_.size(); ++round) set_right_hand_side(round);
  system_.clear_dropped(dropped_, matrix_);
  for (std::size_t i = 0; i < diagonal_.size(); ++i)
    matrix_.values[diagonal_[i]] = weights_[static_cast<Eigen::Index>(i)];
  if (!solver_.factorize()) return false;
  best_ratio_ = std::max(best_ratio_, solver_.smallest_pivot_ratio());
  return solver_.smallest_pivot_ratio() > regular * best_ratio_;
}

// The largest number of a combination is 1.
double RowDependencies::take_combinations(std::size_t round) {
  const int k = system_.free_unknowns();
  const VectorX& solution = columns_[round];
  double farthest = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    if (round >= part.dropped.size()) continue;
    double left = 0;
    for (const int unknown : part.unknowns) left += weights_[unknown] * solution[unknown] * solution[unknown];
    if (length_[round][i] > 0) farthest = std::max(farthest, std::sqrt(left / length_[round][i]));
    auto combination = part.combinations.col(static_cast<Eigen::Index>(round));
    for (std::size_t r = 0; r < part.rows.size(); ++r) {
      const bool itself = part.rows[r] == part.dropped[round];
      combination[static_cast<Eigen::Index>(r)] = itself ? -1 : solution[k + part.rows[r]];
    }
    combination /= combination.lpNorm<Eigen::Infinity>();
  }
  return farthest;
}

double RowDependencies::update(const State& q) {
  if (!factorize(q)) return std::numeric_limits<double>::infinity();
  double farthest = 0;
  for (std::size_t round = 0; round < columns_.size(); ++round) {
    solver_.solve(columns_[round]);
    if (!columns_[round].allFinite()) return std::numeric_limits<double>::infinity();
    farthest = std::max(farthest, take_combinations(round));
  }
  return farthest;
}

// Gram and Schmidt, each combination twice against those before it.
void RowDependencies::reduce_to_least_norm(VectorX& lambda) {
  for (Part& part : parts_) {
    for (Eigen::Index i = 0; i < part.combinations.cols(); ++i) {
      auto unit = part.combinations.col(i);
      for (int pass = 0; pass < 2; ++pass)
        for (Eigen::Index j = 0; j < i; ++j) unit -= part.combinations.col(j).dot(unit) * part.combinations.col(j);
      unit.normalize();
      double along = 0;
      for (std::size_t r = 0; r < part.rows.size(); ++r)
        along += unit[static_cast<Eigen::Index>(r)] * lambda[part.rows[r]];
      for (std::size_t r = 0; r < part.rows.size(); ++r)
        lambda[part.rows[r]] -= along * unit[static_cast<Eigen::Index>(r)];
    }
  }
}

}  // namespace polhode::assembly
