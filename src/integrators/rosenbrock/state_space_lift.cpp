// SPDX-License-Identifier: BSD-3-Clause
// What coordinates are independent of: the lift V = S B_n^T, and the matrices of projection and acceleration.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "polhode/integrators/rosenbrock/state_space.hpp"

namespace polhode::integrators {

using assembly::SparseMatrix;

void StateSpace::find_places() {
  const SparseMatrix& X = matrix_;
  const auto entry_of = [&](int row, int column) {
    const auto begin = X.row.begin() + X.column_start[column];
    const auto end = X.row.begin() + X.column_start[column + 1];
    const auto at = std::lower_bound(begin, end, row);
    return at != end && *at == row ? static_cast<int>(at - X.row.begin()) : -1;
  };
  std::vector<int> node_of(static_cast<std::size_t>(n_));
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (int k = 0; k < system_.unknowns()[i].count; ++k)
      node_of[system_.unknowns()[i].first + k] = static_cast<int>(i);
  for (int column = 0; column < n_; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n_; ++p) {
      inner_.push_back(X.place_of(p));
      if (X.row[p] == column) diagonal_.push_back(X.place_of(p));
    }
  for (int column = n_; column < X.size; ++column) {
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n_;) {
      const int node = node_of[X.row[p]];
      const int count = system_.unknowns()[node].count;
      columns_.push_back({node, static_cast<int>(rows_.size())});
      for (int k = 0; k < count; ++k, ++p)
        rows_.push_back({X.place_of(p), X.place_of(entry_of(column, X.row[p])), column - n_});
    }
    const int p = entry_of(column, column);
    row_diagonal_.push_back(p < 0 ? -1 : X.place_of(p));
  }
  lift_.assign(rows_.size(), 0);
  node_.resize(system_.nodes());
  for (std::size_t i = 0; i < node_.size(); ++i) {
    node_[i].fill(-1);
    const model::NodeUnknowns& u = system_.unknowns()[i];
    for (int r = 0; r < u.count; ++r)
      for (int c = 0; c < u.count; ++c) node_[i][r + 6 * c] = X.place_of(entry_of(u.first + r, u.first + c));
  }
  // B by columns, as entries of rows_.
  std::vector<std::vector<int>> by_column(static_cast<std::size_t>(n_));
  for (const NodeColumn& at : columns_)
    for (int k = 0; k < system_.unknowns()[at.node].count; ++k)
      by_column[system_.unknowns()[at.node].first + k].push_back(at.entry + k);
  column_start_.push_back(0);
  for (const auto& entries : by_column) {
    row_of_.insert(row_of_.end(), entries.begin(), entries.end());
    column_start_.push_back(static_cast<int>(row_of_.size()));
  }
}

void StateSpace::set_weights(const State& q, double h) {
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  const bool stiff = coordinates_ == Coordinates::weighted && h > 0;
  if (stiff) {
    system_.set_matrix(q, {.c = h, .k = h * h}, 1, local_);
  }
  system_.set_matrix(q, {.m = 1}, 1, saddle_matrix_);
  const double length = system_.length();
  double mass = 0;  // typical one of a node, for those without
  for (std::size_t i = 1; i < node_.size(); ++i)
    if (system_.unknowns()[i].count > 0) mass = std::max(mass, saddle_matrix_.values[node_[i][0]]);
  for (std::size_t i = 1; i < node_.size(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    if (u.count == 0) continue;
    const auto block = [&](const SparseMatrix& X) {
      Block b(u.count, u.count);
      for (int r = 0; r < u.count; ++r)
        for (int c = 0; c < u.count; ++c) b(r, c) = X.values[node_[i][r + 6 * c]];
      return b;
    };
    Block M = block(saddle_matrix_);
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) M(u.local[k], u.local[k]) += 1e-9 * mass * (k < 3 ? 1 : length * length);
    Block S;
    const Eigen::LLT<Block> factor((M + M.transpose()) / 2);
    if (stiff) {
      const Block stiffness = block(local_);
      const Block symmetric = (stiffness + stiffness.transpose()) / 2;
      Block Q = factor.matrixL().solve(symmetric);
      Q = factor.matrixL().solve(Block(Q.transpose()));
      const Eigen::SelfAdjointEigenSolver<Block> eigen((Q + Q.transpose()) / 2);
      const Block basis = factor.matrixU().solve(eigen.eigenvectors());  // L^-T X
      S = basis * (1 + eigen.eigenvalues().array().max(0)).inverse().matrix().asDiagonal() * basis.transpose();
    } else {
      S = factor.solve(Block::Identity(u.count, u.count));
    }
    S_[i].topLeftCorner(u.count, u.count) = S;
  }
}

// Rotations count little among the columns that are to be dependent: a tenth, by the length of the model.
void StateSpace::choose_partition(const State& q) {
  ++partitions_;
  amplification_ = 0;
  system_.set_matrix(q, {.b = 1}, 0, local_);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(m_, n_);
  std::size_t entry = 0;
  for (const NodeColumn& at : columns_) {
    const model::NodeUnknowns& u = system_.unknowns()[at.node];
    entry = static_cast<std::size_t>(at.entry);
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) {
        const Row& row = rows_[entry + static_cast<std::size_t>(u.local[k])];
        B(row.row, u.first + u.local[k]) =
            kept_[row.row] ? local_.values[row.place] * (k < 3 ? 1 : 0.1 / system_.length()) : 0;
      }
  }
  independent_.assign(static_cast<std::size_t>(n_), 1);
  const int rank = m_ - q.dropped.count();
  if (rank > 0) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(B);
    for (int i = 0; i < rank; ++i) independent_[static_cast<std::size_t>(qr.colsPermutation().indices()[i])] = 0;
  }
  for (std::size_t i = 1; i < node_.size(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    S_[i].setZero();
    for (int k = 0; k < u.count; ++k) S_[i](k, k) = independent_[static_cast<std::size_t>(u.first + k)] ? 0 : 1;
  }
}

void StateSpace::set_lift(const SparseMatrix& matrix) {
  for (const NodeColumn& at : columns_) {
    const int count = system_.unknowns()[at.node].count;
    const auto& S = S_[static_cast<std::size_t>(at.node)];
    for (int r = 0; r < count; ++r) {
      double sum = 0;
      for (int c = 0; c < count; ++c) sum += S(r, c) * matrix.values[rows_[at.entry + c].place];
      lift_[at.entry + r] = kept_[rows_[at.entry].row] ? sum : 0;
    }
  }
}

void StateSpace::set_projection(const SparseMatrix& matrix, SparseMatrix& projection) const {
  projection.values = matrix.values;
  for (const int p : inner_) projection.values[p] = 0;
  for (const int p : diagonal_) projection.values[p] = 1;
  for (std::size_t i = 0; i < rows_.size(); ++i) projection.values[rows_[i].place] = lift_[i];
}

void StateSpace::set_saddle(const SparseMatrix& matrix) {
  saddle_matrix_.values = matrix.values;
  for (const Row& row : rows_) saddle_matrix_.values[row.mirror] = matrix.values[row.place];
}

}  // namespace polhode::integrators
