// SPDX-License-Identifier: BSD-3-Clause
// Solutions with the shifted descriptor matrix, refined in extended precision.
#include "shifted_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::SparseMatrix;

// Entries that are zero in all three matrices (free rows of a pattern by blocks) are skipped in residuals.
ShiftedInverse::ShiftedInverse(const Linearized& linear)
    : linear_(linear),
      matrix_(linear.k),
      solver_(matrix_, assembly::LinearSolver::Method::klu),
      work_(matrix_.size),
      rhs_(matrix_.size),
      left_(matrix_.size),
      wide_(static_cast<std::size_t>(matrix_.size)) {
  const SparseMatrix& k = linear.k;
  const SparseMatrix& c = linear.c;
  const SparseMatrix& m = linear.m;
  for (int column = 0; column < k.size; ++column) {
    column_start_.push_back(static_cast<int>(entries_.size()));
    for (int p = k.column_start[column]; p < k.column_start[column + 1]; ++p)
      if (k.at(p) != 0 || c.at(p) != 0 || m.at(p) != 0) entries_.push_back({k.row[p], k.at(p), c.at(p), m.at(p)});
  }
  column_start_.push_back(static_cast<int>(entries_.size()));
}

// The three matrices have one pattern, so sums are taken value by value.
bool ShiftedInverse::factorize(double c, double m) {
  c_ = c;
  m_ = m;
  for (std::size_t p = 0; p < matrix_.values.size(); ++p)
    matrix_.values[p] = linear_.k.values[p] + c * linear_.c.values[p] + m * linear_.m.values[p];
  return solver_.factorize();
}

// Iterative refinement. Of long slender chains K has 1e18 times the size of its lowest eigenvalue: residuals are formed
// with K, C and M apart and in extended precision (of 80 bits on common processors, no more than double on some), since
// the rounding of K + m M alone would be larger than the eigenvalue. Then solutions have all digits of a double as soon
// as the factors have one.
void ShiftedInverse::refine(double& before, double& change) const {
  const int size = linear_.k.size;
  for (int i = 0; i < size; ++i) wide_[static_cast<std::size_t>(i)] = rhs_[i];
  for (int column = 0; column < size; ++column) {
    const auto y = static_cast<long double>(work_[column]);
    const long double cy = c_ * y;
    const long double my = m_ * y;
    for (int p = column_start_[static_cast<std::size_t>(column)];
         p < column_start_[static_cast<std::size_t>(column) + 1]; ++p) {
      const Entry& entry = entries_[static_cast<std::size_t>(p)];
      wide_[static_cast<std::size_t>(entry.row)] -= entry.k * y + entry.c * cy + entry.m * my;
    }
  }
  for (int i = 0; i < size; ++i) left_[i] = static_cast<double>(wide_[static_cast<std::size_t>(i)]);
  solver_.solve({left_.data(), static_cast<std::size_t>(size)});
  const Eigen::Index k = linear_.metric.size();
  before = (linear_.metric.cwiseSqrt().asDiagonal() * work_.head(k)).norm();
  change = (linear_.metric.cwiseSqrt().asDiagonal() * left_.head(k)).norm();
  work_ += left_;
}

// Refinement until corrections are at round-off or shrink no more; at most eight rounds.
void ShiftedInverse::apply(const double* f, double* y) const {
  const Eigen::Index k = linear_.metric.size();
  work_.head(k) = Eigen::Map<const VectorX>(f, k);
  work_.tail(work_.size() - k).setZero();
  rhs_ = work_;
  solver_.solve(work_);
  double size = 0;
  double change = 0;
  double last = HUGE_VAL;
  for (int round = 0; round < 8; ++round) {
    refine(size, change);
    if (!(change > 1e-15 * size && change < 0.5 * last)) break;
    last = change;
  }
  Eigen::Map<VectorX>(y, k) = work_.head(k);
}

// A random right-hand side: corrections have to shrink tenfold a round, else the factors have no digit.
bool ShiftedInverse::accurate() {
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  const auto k = static_cast<int>(linear_.metric.size());
  VectorX x(k);
  VectorX f(k);
  for (double& value : x) value = number(random);
  assembly::multiply(linear_.m, x.data(), f.data(), k);
  work_.setZero();
  work_.head(k) = f;
  rhs_ = work_;
  solver_.solve(work_);
  double size = 0;
  double first = 0;
  double second = 0;
  refine(size, first);
  if (!work_.allFinite() || !(first < size)) return false;
  refine(size, second);
  return second <= std::max(0.1 * first, 1e-12 * size);
}

}  // namespace polhode::analyses
