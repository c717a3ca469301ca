// SPDX-License-Identifier: BSD-3-Clause
// Rank-revealing factorization of the constraints.
#include "polhode/assembly/constraint_rank.hpp"

#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "joined_sets.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::assembly {

namespace {

// B with rotations by the length of the model and its rows scaled to unit length, and [I B^T; B 0] with it.
struct ScaledGradient {
  std::vector<Eigen::Triplet<double>> entries;  // of B^T, other than round-off
  std::vector<double> scale;                    // by unknown: 1 over the length of a row of B; of free unknowns above
  bool has_empty_row = false;
};

// Takes B and B^T from `matrix`, which becomes [I B^T; B 0] with the scaled rows.
// Entries below round-off count as zeros: QR orders columns by the places of entries, so that the choice of redundant
// constraint equations does not depend on the compiler.
ScaledGradient scale_rows(const System& system, SparseMatrix& matrix, const std::vector<int>& open) {
  constexpr double round_off = 1e-14;  // beside rows of length 1
  const int k = system.free_unknowns();
  ScaledGradient scaled;
  scaled.scale.assign(static_cast<std::size_t>(system.size()), 1);
  for (const model::NodeUnknowns& u : system.unknowns())
    for (int i = 3; i < 6; ++i)
      if (u.local[i] >= 0) scaled.scale[u.first + u.local[i]] = 1 / system.length();
  for (const int row : open)
    for (int p = matrix.column_start[k + row]; p < matrix.column_start[k + row + 1]; ++p) matrix.at(p) = 0;
  for (int column = k; column < system.size(); ++column) {
    double norm = 0;
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
      norm = std::hypot(norm, scaled.scale[matrix.row[p]] * matrix.at(p));
    scaled.has_empty_row = scaled.has_empty_row || norm == 0;
    scaled.scale[column] = norm > 0 ? 1 / norm : 1;
  }
  for (int column = 0; column < system.size(); ++column)
    for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p) {
      const int row = matrix.row[p];
      double& value = matrix.at(p);
      value = row == column && column < k ? 1 : scaled.scale[column] * scaled.scale[row] * value;
      if (column >= k && row < k && std::abs(value) > round_off) scaled.entries.emplace_back(row, column - k, value);
    }
  return scaled;
}

// Rows that share unknowns, directly or by way of others, and these unknowns: both ascending.
struct Component {
  std::vector<int> unknowns;
  std::vector<int> rows;
  std::vector<Eigen::Triplet<double>> entries;  // of its part of B^T, by places in these lists
};

// In the order of their first rows. A row without entries is a component without unknowns.
std::vector<Component> components_of(const ScaledGradient& scaled, int k, int m) {
  JoinedSets sets(static_cast<std::size_t>(k + m));
  for (const auto& entry : scaled.entries) sets.join(entry.row(), k + entry.col());
  std::vector<int> component_of(static_cast<std::size_t>(k + m), -1);
  std::vector<int> place(static_cast<std::size_t>(k + m));
  std::vector<Component> components;
  for (int row = 0; row < m; ++row) {
    int& number = component_of[sets.set_of(k + row)];
    if (number < 0) {
      number = static_cast<int>(components.size());
      components.emplace_back();
    }
    place[k + row] = static_cast<int>(components[number].rows.size());
    components[number].rows.push_back(row);
  }
  for (int unknown = 0; unknown < k; ++unknown) {
    const int number = component_of[sets.set_of(unknown)];
    if (number < 0) continue;  // no row acts on it
    place[unknown] = static_cast<int>(components[number].unknowns.size());
    components[number].unknowns.push_back(unknown);
  }
  for (const auto& entry : scaled.entries)
    components[component_of[sets.set_of(entry.row())]].entries.emplace_back(place[entry.row()], place[k + entry.col()],
                                                                            entry.value());
  return components;
}

// A redundant row, and the combination of rows that vanishes.
struct Dependency {
  int row;
  VectorX combination;
};

// Its largest number is 1.
VectorX combination_of(const std::vector<std::pair<int, double>>& numbers, int m) {
  VectorX n = VectorX::Zero(m);
  for (const auto& [row, number] : numbers) n[row] = number;
  return n / n.lpNorm<Eigen::Infinity>();
}

// B^T P = Q [R_1 R_2]: the columns of R_2 are combinations R_1^-1 R_2 of those that lead. Adds to `rank` and
// `smallest` of the result.
void add_rank_by_qr(const Component& part, std::span<const double> row_scale, double threshold, ConstraintRank& result,
                    std::vector<Dependency>& dependencies) {
  constexpr double noticeable = 1e-9;  // coefficient of a combination
  const int m = static_cast<int>(row_scale.size());
  if (part.unknowns.empty()) {
    for (const int row : part.rows) dependencies.push_back({row, combination_of({{row, 1.0}}, m)});
    return;
  }
  const int columns = static_cast<int>(part.rows.size());
  Eigen::SparseMatrix<double> Bt(static_cast<int>(part.unknowns.size()), columns);
  Bt.setFromTriplets(part.entries.begin(), part.entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(threshold);
  qr.compute(Bt);
  const int rank = static_cast<int>(qr.rank());
  result.rank += rank;
  const auto row_at = [&](int i) { return part.rows[qr.colsPermutation().indices()[i]]; };
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  for (int i = 0; i < rank; ++i) result.smallest = std::min(result.smallest, std::abs(R.coeff(i, i)));
  if (rank == columns) return;
  const Eigen::SparseMatrix<double> leading = R.topLeftCorner(rank, rank);
  for (int i = rank; i < columns; ++i) {
    const VectorX right = VectorX(R.col(i)).head(rank);
    const VectorX combination = leading.triangularView<Eigen::Upper>().solve(right);
    std::vector<std::pair<int, double>> numbers{{row_at(i), row_scale[row_at(i)]}};
    for (int j = 0; j < rank; ++j)
      if (std::abs(combination[j]) > noticeable)
        numbers.emplace_back(row_at(j), -combination[j] * row_scale[row_at(j)]);
    dependencies.push_back({row_at(i), combination_of(numbers, m)});
  }
}

// Mechanisms side by side have ranks of their own: QR of all at once fills its factors, and takes the square of their
// number. In ascending order of the rows, whatever order QR has given them.
ConstraintRank rank_by_qr(const ScaledGradient& scaled, int k, int m, double threshold) {
  ConstraintRank result;
  std::vector<Dependency> dependencies;
  const std::span<const double> row_scale = std::span(scaled.scale).subspan(static_cast<std::size_t>(k));
  for (const Component& part : components_of(scaled, k, m))
    add_rank_by_qr(part, row_scale, threshold, result, dependencies);
  std::sort(dependencies.begin(), dependencies.end(),
            [](const Dependency& a, const Dependency& b) { return a.row < b.row; });
  for (Dependency& one : dependencies) {
    result.redundant.push_back(one.row);
    result.dependencies.push_back(std::move(one.combination));
  }
  return result;
}

// Empty rows follow from nothing but themselves.
void remove_rows(const std::vector<int>& rows, ConstraintRank& result) {
  for (std::size_t i = result.redundant.size(); i-- > 0;) {
    if (!std::binary_search(rows.begin(), rows.end(), result.redundant[i])) continue;
    result.redundant.erase(result.redundant.begin() + static_cast<std::ptrdiff_t>(i));
    result.dependencies.erase(result.dependencies.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

// Rotations and rows are scaled first: rank has no unit then. The cheap test by LU settles nearly all
// calls, since positions with dependent equations are rare.
ConstraintRank constraint_rank(const System& system, const State& q, double threshold, bool with_smallest) {
  // Far below the pivots of independent rows, far above round-off of dependent ones.
  constexpr double surely_regular = 1e-11;  // ratio of pivots
  const int k = system.free_unknowns();
  const int m = system.rows();
  if (m == 0) return {};
  SparseMatrix matrix = system.make_matrix();
  system.set_matrix_of_all_rows(q, Factors{.b = 1}, 0, matrix);
  // Of locks that do not hold and joints that are apart: they count as empty
  const ScaledGradient scaled = scale_rows(system, matrix, q.dropped.open);
  // [I B^T; B 0] has pivots of the order of B B^T: where none is small the rank is full, and QR is not needed.
  if (!scaled.has_empty_row && !with_smallest) {
    LinearSolver solver(matrix);
    if (solver.factorize() && solver.smallest_pivot_ratio() > surely_regular) return {m, {}, {}, 1};
  }
  ConstraintRank result = rank_by_qr(scaled, k, m, threshold);
  remove_rows(q.dropped.open, result);
  return result;
}

namespace {

// A group of dependencies that share rows, directly or by way of others; the rows ascending.
struct DependencyGroup {
  std::vector<const VectorX*> dependencies;
  std::vector<int> rows;
};

std::vector<DependencyGroup> groups_of(const ConstraintRank& rank, Eigen::Index m) {
  const int count = static_cast<int>(rank.dependencies.size());
  JoinedSets sets(rank.dependencies.size());
  std::vector<int> first(static_cast<std::size_t>(m), -1);  // dependency of a row
  for (int i = 0; i < count; ++i)
    for (int row = 0; row < m; ++row) {
      if (rank.dependencies[i][row] == 0) continue;
      if (first[row] < 0) first[row] = i;
      sets.join(i, first[row]);
    }
  std::vector<DependencyGroup> groups(rank.dependencies.size());
  for (int i = 0; i < count; ++i) groups[sets.set_of(i)].dependencies.push_back(&rank.dependencies[i]);
  for (int row = 0; row < m; ++row)
    if (first[row] >= 0) groups[sets.set_of(first[row])].rows.push_back(row);
  std::erase_if(groups, [](const DependencyGroup& group) { return group.dependencies.empty(); });
  return groups;
}

// With an orthonormal basis Q of what they span: lambda <- lambda - Q Q^T lambda.
void remove_span(const DependencyGroup& group, VectorX& lambda) {
  Eigen::MatrixXd N(static_cast<Eigen::Index>(group.rows.size()), static_cast<Eigen::Index>(group.dependencies.size()));
  for (Eigen::Index i = 0; i < N.cols(); ++i) N.col(i) = (*group.dependencies[static_cast<std::size_t>(i)])(group.rows);
  const Eigen::MatrixXd basis = math::orthonormal_columns(N, N.cols());
  const VectorX present = lambda(group.rows);
  lambda(group.rows) = present - basis * (basis.transpose() * present);
}

}  // namespace

// The dependencies span the null space of B^T, each group of them a part of its own.
void reduce_to_least_norm(const ConstraintRank& rank, VectorX& lambda) {
  for (const DependencyGroup& group : groups_of(rank, lambda.size())) remove_span(group, lambda);
}

}  // namespace polhode::assembly
