// SPDX-License-Identifier: BSD-3-Clause
// Elimination by Markowitz's rule with a threshold of pivots.
#include "polhode/math/sparse_pivots.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace polhode::math {
namespace {

constexpr double least_pivot = 1.0 / 3;  // of the largest entry of the row
constexpr double round_off = 1e-12;      // of what an entry was eliminated with
constexpr double least_row = 1e-10;      // of the largest entry of the row at the start: below, others eliminate it

class PivotSearch {
 public:
  PivotSearch(std::vector<SparseRow> rows, int columns)
      : rows_(std::move(rows)), rows_of_(static_cast<std::size_t>(columns)), best_(rows_.size()) {
    for (SparseRow& row : rows_) {
      std::sort(row.begin(), row.end());
      start_size_.push_back(largest_of(row));
      for (const auto& [column, value] : row) rows_of_[column].insert(static_cast<int>(&row - rows_.data()));
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) offer(static_cast<int>(row));
  }

  std::vector<int> run() {
    std::vector<int> pivots;
    while (!offers_.empty()) {
      const Offer best = *offers_.begin();
      pivots.push_back(best.column);
      eliminate(best.row, best.column);
    }
    return pivots;
  }

 private:
  struct Offer {
    double fill;
    double size;
    int row;
    int column;
    bool operator<(const Offer& other) const {
      return std::tuple(fill, -size, row) < std::tuple(other.fill, -other.size, other.row);
    }
  };

  static double largest_of(const SparseRow& row) {
    double largest = 0;
    for (const auto& [column, value] : row) largest = std::max(largest, std::abs(value));
    return largest;
  }

  // The best pivot of a row, in the place of the one that it had.
  void offer(int row) {
    offers_.erase(best_[row]);
    best_[row] = {0, 0, -1, -1};
    const double largest = largest_of(rows_[row]);
    if (!(largest > least_row * start_size_[row])) return;
    for (const auto& [column, value] : rows_[row]) {
      if (std::abs(value) < least_pivot * largest) continue;
      const double others = static_cast<double>(rows_of_[column].size() - 1);
      const Offer offer{others * static_cast<double>(rows_[row].size() - 1), std::abs(value), row, column};
      if (best_[row].row < 0 || offer < best_[row]) best_[row] = offer;
    }
    offers_.insert(best_[row]);
  }

  // The row leaves the matrix, the column leaves the other rows; whatever has changed is offered anew.
  void eliminate(int pivot_row, int column) {
    offers_.erase(best_[pivot_row]);
    best_[pivot_row] = {0, 0, -1, -1};
    const SparseRow pivot = std::move(rows_[pivot_row]);
    rows_[pivot_row].clear();
    std::set<int> changed;
    for (const auto& [c, value] : pivot) {
      rows_of_[c].erase(pivot_row);
      changed.insert(rows_of_[c].begin(), rows_of_[c].end());
    }
    const std::set<int> others = rows_of_[column];
    for (const int row : others) subtract(pivot, column, row);
    for (const int row : changed) offer(row);
  }

  void subtract(const SparseRow& pivot, int column, int row) {
    const auto value_of = [&](const SparseRow& of) {
      return std::lower_bound(of.begin(), of.end(), column, [](const auto& e, int c) { return e.first < c; })->second;
    };
    const double factor = value_of(rows_[row]) / value_of(pivot);
    SparseRow sum;
    auto a = rows_[row].begin();
    auto b = pivot.begin();
    while (a != rows_[row].end() || b != pivot.end()) {
      const bool from_row = b == pivot.end() || (a != rows_[row].end() && a->first <= b->first);
      const bool from_pivot = a == rows_[row].end() || (b != pivot.end() && b->first <= a->first);
      const int c = from_row ? a->first : b->first;
      const double own = from_row ? (a++)->second : 0;
      const double other = from_pivot ? factor * (b++)->second : 0;
      if (c == column || std::abs(own - other) <= round_off * (std::abs(own) + std::abs(other)))
        rows_of_[c].erase(row);
      else {
        sum.push_back({c, own - other});
        rows_of_[c].insert(row);
      }
    }
    rows_[row] = std::move(sum);
  }

  std::vector<SparseRow> rows_;
  std::vector<std::set<int>> rows_of_;  // by column
  std::vector<double> start_size_;      // by row: largest entry
  std::vector<Offer> best_;             // by row
  std::set<Offer> offers_;
};

}  // namespace

std::vector<int> sparse_pivots(std::vector<SparseRow> rows, int columns) {
  return PivotSearch(std::move(rows), columns).run();
}

}  // namespace polhode::math
