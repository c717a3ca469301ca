// SPDX-License-Identifier: BSD-3-Clause
// The functions of BatchOf.
#pragma once
#include "polhode/model/batch_of.hpp"

namespace polhode::model {

template <int N, int R>
void BatchOf<N, R>::set_numbering(int first_row, int first_history) {
  first_row_ = first_row;
  first_history_ = first_history;
}

// -1: not yet placed, or removed.
template <int N, int R>
std::span<Slot> BatchOf<N, R>::slots() {
  slots_.resize(size() * n_slots, -1);
  return slots_;
}

// The ground takes forces and does not keep them.
template <int N, int R>
void BatchOf<N, R>::add_to_nodes(std::size_t e, const Wrenches& r, std::span<Vec6> force) const {
  for (int i = 0; i < N; ++i)
    if (nodes_[e][i] != 0) force[nodes_[e][i]] += r.template segment<6>(6 * i);
}

// By columns: a call of Eigen's general product would cost more than the nine columns of a block.
template <int N, int R>
template <class Matrix>
void BatchOf<N, R>::add_product(const Matrix& X, int local, int node, double scale, double scalar,
                                std::span<const Mat3> rotations, Matrix& result) {
  const int j = 6 * local;
  // No matrices: the scalar serves all six columns.
  if (rotations.empty()) {
    result.template middleCols<6>(j) += scale * scalar * X.template middleCols<6>(j);
    return;
  }
  result.template middleCols<3>(j) += scale * scalar * X.template middleCols<3>(j);
  const Mat3 factor = turn_factor(node, scale, scalar, rotations);
  for (int column = 0; column < 3; ++column)
    result.col(j + 3 + column) +=
        X.col(j + 3) * factor(0, column) + X.col(j + 4) * factor(1, column) + X.col(j + 5) * factor(2, column);
}

// Nodes that have lost unknowns (fixed components, points without rotation) skip those rows of the column.
template <int N, int R>
void BatchOf<N, R>::scatter(const double* forces, const double* rows, const Slot* slot, int local,
                            const NodesUnknowns& at, double* values) {
  if (forces)
    for (int i = 0; i < N; ++i) {
      if (slot[i] < 0) continue;
      // Blocks are dense by columns, with a row for each unknown that the node has.
      double* to = values + slot[i] + local * at[i]->count;
      const double* from = forces + 6 * i;
      if (at[i]->full())
        for (int k = 0; k < 6; ++k) to[k] += from[k];
      else
        for (int k = 0; k < 6; ++k)
          if (at[i]->local[k] >= 0) to[at[i]->local[k]] += from[k];
    }
  if constexpr (R > 0)
    if (rows) {
      // The block of the element's own rows, all of which are unknowns.
      double* to = values + slot[N] + local * row_width;
      for (int k = 0; k < R; ++k) to[k] += rows[k];
    }
}

// Columns are read where they stand: matrices of elements are small, and a copy would cost as much as the sum.
template <int N, int R>
void BatchOf<N, R>::scatter_unknowns(std::size_t e, const Square* S, const RowGradient* X, const NodesUnknowns& at,
                                     double* values) const {
  const Slot* slot = slots_.data() + e * n_slots;
  for (int j = 0; j < n_unknowns; ++j) {
    const int local = at[j / 6]->local[j % 6];
    // A removed component has no column.
    if (local < 0) continue;
    const double* forces = S ? S->data() + j * n_unknowns : nullptr;
    const double* rows = R > 0 && X ? X->data() + j * R : nullptr;
    scatter(forces, rows, slot + j / 6 * n_groups, local, at, values);
  }
}

// B^T: the row of an equation is the column of its multiplier, which is not scaled by force_scale.
template <int N, int R>
void BatchOf<N, R>::scatter_multipliers(std::size_t e, const RowGradient& B, const NodesUnknowns& at,
                                        double* values) const {
  // Slots of the last group of columns, after those of the nodes.
  const Slot* slot = slots_.data() + e * n_slots + N * n_groups;
  for (int j = 0; j < R; ++j) {
    const Wrenches column = B.row(j).transpose();
    scatter(column.data(), nullptr, slot, j, at, values);
  }
}

// force_scale multiplies the forces only: equations of constraints are scaled by F_b.
template <int N, int R>
void BatchOf<N, R>::add_products_to(std::size_t e, const Products& p, const Factors& f, double force_scale,
                                    std::span<const NodeUnknowns> unknowns, double* values) const {
  const NodesUnknowns at = unknowns_of(e, unknowns);
  Square S = Square::Zero();
  for (int i = 0; i < N; ++i) {
    const int node = nodes_[e][i];
    if (p.M) add_product(*p.M, i, node, force_scale, f.m, f.rot_m, S);
    if (p.C) add_product(*p.C, i, node, force_scale, f.c, f.rot_c, S);
    if (f.has_k()) add_product(p.K, i, node, force_scale, f.k, f.rot_k, S);
  }
  if (whole(at)) {
    add_blocks_to(e, S, values);
    if constexpr (R > 0)
      if (p.B) {
        add_rows_to(e, *p.B, f, at, values);
        add_columns_to(e, *p.B, at, values);
      }
    return;
  }
  if constexpr (R > 0) {
    RowGradient BF = RowGradient::Zero();
    for (int i = 0; i < N && p.B; ++i) add_product(*p.B, i, nodes_[e][i], 1, f.b, f.rot_b, BF);
    scatter_unknowns(e, &S, &BF, at, values);
    if (p.B) scatter_multipliers(e, *p.B, at, values);
  } else {
    scatter_unknowns(e, &S, nullptr, at, values);
  }
}

// Of a 6x6 block the last three rows and columns: a quarter of the products and sums. Nodes without some of their
// unknowns are few, and go the common way.
template <int N, int R>
void BatchOf<N, R>::add_turns_to(std::size_t e, const Products& p, const Factors& f, double force_scale,
                                 std::span<const NodeUnknowns> unknowns, double* values) const {
  const NodesUnknowns at = unknowns_of(e, unknowns);
  if (!whole(at)) return add_products_to(e, p, f, force_scale, unknowns, values);
  const Slot* slot = slots_.data() + e * n_slots;
  for (int j = 0; j < N; ++j) {
    if (at[static_cast<std::size_t>(j)]->count == 0) continue;
    const int node = nodes_[e][static_cast<std::size_t>(j)];
    const Mat3 of_k = f.rot_k.empty() ? Mat3() : turn_factor(node, force_scale, f.k, f.rot_k);
    const Mat3 of_c = p.C ? turn_factor(node, force_scale, f.c, f.rot_c) : Mat3();
    for (int i = 0; i < N; ++i) {
      if (at[static_cast<std::size_t>(i)]->count == 0) continue;
      const auto K = p.K.template block<3, 3>(6 * i + 3, 6 * j + 3);
      Mat3 S;
      if (f.rot_k.empty())
        S = force_scale * f.k * K;
      else
        S = K.lazyProduct(of_k);
      if (p.C) S += p.C->template block<3, 3>(6 * i + 3, 6 * j + 3).lazyProduct(of_c);
      double* to = values + slot[j * n_groups + i] + 6 * 3 + 3;
      for (int column = 0; column < 3; ++column, to += 6) Eigen::Map<Vec3>{to} += S.col(column);
    }
  }
  if constexpr (R > 0)
    if (p.B) {
      add_rows_to(e, *p.B, f, at, values);
      add_columns_to(e, *p.B, at, values);
    }
}

// Columns of six numbers at once.
template <int N, int R>
void BatchOf<N, R>::add_blocks_to(std::size_t e, const Square& S, double* values) const {
  const Slot* slot = slots_.data() + e * n_slots;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      if (slot[j * n_groups + i] < 0) continue;
      double* to = values + slot[j * n_groups + i];
      for (int column = 0; column < 6; ++column, to += 6)
        Eigen::Map<Vec6>{to} += S.col(6 * j + column).template segment<6>(6 * i);
    }
}

// Column by column: those of the matrix are as wide as vector registers.
template <int N, int R>
void BatchOf<N, R>::add_rows_to(std::size_t e, const RowGradient& B, const Factors& f, const NodesUnknowns& at,
                                double* values) const {
  if constexpr (R > 0) {
    using Rows = Mat<R>;
    const Slot* slot = slots_.data() + e * n_slots;
    for (int i = 0; i < N; ++i) {
      if (at[static_cast<std::size_t>(i)]->count == 0) continue;
      double* to = values + slot[i * n_groups + N];
      if (f.rot_b.empty()) {
        for (int j = 0; j < 6; ++j, to += row_width) Eigen::Map<Rows>{to} += f.b * B.col(6 * i + j);
        continue;
      }
      const Mat3 turn = turn_factor(nodes_[e][static_cast<std::size_t>(i)], 1, f.b, f.rot_b);
      for (int j = 0; j < 3; ++j, to += row_width) Eigen::Map<Rows>{to} += f.b * B.col(6 * i + j);
      for (int j = 0; j < 3; ++j, to += row_width)
        Eigen::Map<Rows>{to} += B.template middleCols<3>(6 * i + 3).lazyProduct(turn.col(j));
    }
  }
}

template <int N, int R>
void BatchOf<N, R>::add_columns_to(std::size_t e, const RowGradient& B, const NodesUnknowns& at, double* values) const {
  if constexpr (R > 0) {
    const Slot* slot = slots_.data() + e * n_slots;
    for (int i = 0; i < N; ++i) {
      if (at[static_cast<std::size_t>(i)]->count == 0) continue;
      Eigen::Map<Mat<6, R>>{values + slot[N * n_groups + i]} += B.template middleCols<6>(6 * i).transpose();
    }
  }
}

template <int N, int R>
void BatchOf<N, R>::add_rows_and_columns_to(std::size_t e, const RowGradient& B, const Factors& f,
                                            std::span<const NodeUnknowns> unknowns, double* values) const {
  const NodesUnknowns at = unknowns_of(e, unknowns);
  if (whole(at)) {
    add_rows_to(e, B, f, at, values);
    add_columns_to(e, B, at, values);
    return;
  }
  RowGradient BF = RowGradient::Zero();
  for (int i = 0; i < N; ++i) add_product(B, i, nodes_[e][i], 1, f.b, f.rot_b, BF);
  scatter_unknowns(e, nullptr, &BF, at, values);
  scatter_multipliers(e, B, at, values);
}

template <int N, int R>
void BatchOf<N, R>::clear_rows(std::size_t e, std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  const NodesUnknowns at = unknowns_of(e, unknowns);
  const Slot* slot = slots_.data() + e * n_slots;
  for (int i = 0; i < N; ++i)
    if (slot[i * n_groups + N] >= 0)
      std::fill_n(values.begin() + slot[i * n_groups + N], row_width * at[static_cast<std::size_t>(i)]->count, 0.0);
}

// F_b leads from columns by (dx, dTheta) to columns by the method's unknown.
template <int N, int R>
void BatchOf<N, R>::scatter_rows(std::size_t e, const RowGradient& X, const Factors& f,
                                 std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  const NodesUnknowns at = unknowns_of(e, unknowns);
  if (whole(at)) return add_rows_to(e, X, f, at, values.data());
  RowGradient XF = RowGradient::Zero();
  for (int i = 0; i < N; ++i) add_product(X, i, nodes_[e][i], 1, f.b, f.rot_b, XF);
  scatter_unknowns(e, nullptr, &XF, at, values.data());
}

// Kinds give inertial moments; equations of nodes are in the frame of the node at the lever's end of the step.
template <int N, int R>
void BatchOf<N, R>::add_discrete_to_nodes(std::size_t e, const DiscreteStep& step, Wrenches& r, const RowGradient* G,
                                          std::span<const double> lambda, std::span<Vec6> force) const {
  if (G) r.noalias() += G->transpose() * Eigen::Map<const OwnRows>(lambda.data() + row(e));
  // `variational` has half forces at both ends of a step, each in its own frame.
  const State& frame = step.lever == Lever::end ? step.end : step.begin;
  for (int i = 0; i < N; ++i) {
    const int node = nodes_[e][i];
    if (node == 0) continue;
    force[node].template head<3>() += r.template segment<3>(6 * i);
    force[node].template tail<3>() += frame.R[node].transpose() * r.template segment<3>(6 * i + 3);
  }
}

// dtheta+ = R+ dTheta+ turns columns into the node's frame at the end, R^T turns rows into that at the begin.
template <int N, int R>
void BatchOf<N, R>::add_discrete_products_to(std::size_t e, const DiscreteStep& step, Square& S, RowGradient* G,
                                             std::span<const Mat3> factors, double force_scale,
                                             std::span<const NodeUnknowns> unknowns, double* values) const {
  S *= force_scale;
  const NodesUnknowns at = unknowns_of(e, unknowns);
  for (int i = 0; i < N; ++i) {
    const int node = nodes_[e][i];
    const Mat3 right = step.end.R[node] * factors[node];
    const Mat3 left = step.begin.R[node].transpose();
    S.template middleCols<3>(6 * i + 3) = (S.template middleCols<3>(6 * i + 3) * right).eval();
    S.template middleRows<3>(6 * i + 3) = (left * S.template middleRows<3>(6 * i + 3)).eval();
    if (G) G->template middleCols<3>(6 * i + 3) = (G->template middleCols<3>(6 * i + 3) * step.begin.R[node]).eval();
  }
  scatter_unknowns(e, &S, nullptr, at, values);
  if (G) scatter_multipliers(e, *G, at, values);
}

template <int N, int R>
void BatchOf<N, R>::set_velocities_of(std::size_t e, const Nodes<N>& n, const RowGradient& B, const OwnRows& first,
                                      std::span<double> Bv, std::span<double> phi_t) const {
  const OwnRows rate = B.lazyProduct(velocities(n));
  for (int i = 0; i < R; ++i) {
    Bv[row(e) + i] = rate[i];
    phi_t[row(e) + i] = first[i];
  }
}

// B vdot + gamma = 0 with gamma = Z v + Phi_tt.
template <int N, int R>
void BatchOf<N, R>::set_gamma_of(std::size_t e, const Nodes<N>& n, const RowGradient& Z, const OwnRows& second,
                                 std::span<double> gamma) const {
  const OwnRows curvature = Z.lazyProduct(velocities(n));
  for (int i = 0; i < R; ++i) gamma[row(e) + i] = curvature[i] + second[i];
}

// Angular momentum about the origin: x x p + R L.
template <int N, int R>
void BatchOf<N, R>::add_momentum_to(std::size_t e, const State& q, const Wrenches& p, Totals& totals) const {
  for (int i = 0; i < N; ++i) {
    const int node = nodes_[e][i];
    if (node == 0) continue;
    const Vec3 linear = p.template segment<3>(6 * i);
    totals.linear += linear;
    totals.angular += q.x[node].cross(linear) + q.R[node] * p.template segment<3>(6 * i + 3);
  }
}

}  // namespace polhode::model
