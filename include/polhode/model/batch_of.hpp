// SPDX-License-Identifier: BSD-3-Clause
// What a batch needs of its kind is often no more than two numbers: how many nodes an element has, and how many
// constraint equations. All that stands here, compiled once for each pair (src/model/batch_of.cpp), and not in each
// kind.
#pragma once
#include <algorithm>
#include <array>
#include <utility>

#include "polhode/math/column_width.hpp"
#include "polhode/math/large_vector.hpp"
#include "polhode/model/batch_base.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::model {

// Elements of N nodes and R constraint equations: their nodes, numbering and places in the matrix.
template <int N, int R>
class BatchOf : public BatchBase {
 public:
  // BatchTopology, but for the name of the kind and its internal variables.
  std::size_t size() const final { return nodes_.size(); }
  int nodes() const final { return N; }
  int rows() const final { return R; }
  std::span<const int> nodes_of(std::size_t e) const final { return nodes_[e]; }
  int entry_of(std::size_t e) const final { return entry_[e]; }
  int first_row() const final { return first_row_; }
  int first_history() const final { return first_history_; }
  void set_numbering(int first_row, int first_history) override;
  std::span<Slot> slots() final;

 protected:
  // Of one element: unknowns of its nodes; groups of columns, one a node and one of its multipliers; blocks.
  static constexpr int n_unknowns = 6 * N;
  static constexpr int n_groups = N + (R > 0 ? 1 : 0);
  static constexpr int n_slots = n_groups * n_groups;
  // From column to column of a block in its rows.
  static constexpr int row_width = math::column_width(std::max(R, 1));
  // r, M or C or K, Phi or lambda, and B of one element.
  using Wrenches = Mat<n_unknowns>;
  using Square = Mat<n_unknowns, n_unknowns>;
  using OwnRows = Mat<std::max(R, 1)>;
  using RowGradient = Mat<std::max(R, 1), n_unknowns>;
  using NodesUnknowns = std::array<const NodeUnknowns*, N>;
  using LaneNodes = std::array<const std::array<int, N>*, math::Lanes::count>;

  // Appends to both lists; numbering has to follow.
  void add_element(int entry, const std::array<int, N>& at) {
    entry_.push_back(entry);
    nodes_.push_back(at);
  }
  // The nodes of element e at q: references, nothing is copied.
  Nodes<N> gather(const State& q, std::size_t e) const { return nodes_at(q, nodes_[e], std::make_index_sequence<N>{}); }
  // Number of the first row of element e in the system.
  std::size_t row(std::size_t e) const { return static_cast<std::size_t>(first_row_) + e * R; }
  // Those of element e; zero where it has no rows.
  OwnRows multipliers(const State& q, std::size_t e) const {
    if constexpr (R > 0) return q.lambda.template segment<R>(static_cast<Eigen::Index>(row(e)));
    return OwnRows::Zero();
  }
  // v of an element, six numbers a node.
  static Wrenches velocities(const Nodes<N>& n) {
    Wrenches v;
    for (int i = 0; i < N; ++i) v.template segment<6>(6 * i) = n[static_cast<std::size_t>(i)].v;
    return v;
  }

  // Adds the wrenches of element `e` to its nodes but the ground.
  void add_to_nodes(std::size_t e, const Wrenches& r, std::span<Vec6> force) const;
  // What an element adds to the iteration matrix, without right factors; M, C, B may be null, and count as zero then.
  struct Products {
    const Square* M;
    const Square* C;
    const Square& K;
    const RowGradient* B;
  };
  // Adds force_scale (M F_m + C F_c + K F_k) and B F_b of element `e`.
  void add_products_to(std::size_t e, const Products& p, const Factors& f, double force_scale,
                       std::span<const NodeUnknowns> unknowns, double* values) const;
  // The same of an element without M, of which C and K are zero but between rotations: nothing else of them is read.
  void add_turns_to(std::size_t e, const Products& p, const Factors& f, double force_scale,
                    std::span<const NodeUnknowns> unknowns, double* values) const;
  // Adds the rows B F_b and the columns B^T of an element.
  void add_rows_and_columns_to(std::size_t e, const RowGradient& B, const Factors& f,
                               std::span<const NodeUnknowns> unknowns, double* values) const;
  // Sets the rows of an element to zero; adds the rows X, times F_b, in the place of B F_b.
  void clear_rows(std::size_t e, std::span<const NodeUnknowns> unknowns, std::span<double> values) const;
  void scatter_rows(std::size_t e, const RowGradient& X, const Factors& f, std::span<const NodeUnknowns> unknowns,
                    std::span<double> values) const;
  // Discrete forms: wrenches r + G^T lambda with inertial moments to nodes; tangents S and rows G to the matrix, where
  // they are given.
  void add_discrete_to_nodes(std::size_t e, const DiscreteStep& step, Wrenches& r, const RowGradient* G,
                             std::span<const double> lambda, std::span<Vec6> force) const;
  void add_discrete_products_to(std::size_t e, const DiscreteStep& step, Square& S, RowGradient* G,
                                std::span<const Mat3> factors, double force_scale,
                                std::span<const NodeUnknowns> unknowns, double* values) const;
  // Sets the rates of element `e` from its gradient B, the rows Z of D_q (B v), and the explicit time derivatives.
  void set_velocities_of(std::size_t e, const Nodes<N>& n, const RowGradient& B, const OwnRows& first,
                         std::span<double> Bv, std::span<double> phi_t) const;
  void set_gamma_of(std::size_t e, const Nodes<N>& n, const RowGradient& Z, const OwnRows& second,
                    std::span<double> gamma) const;
  // Adds the momenta of the nodes of an element, `p` the forces of inertia of accelerations v at rest.
  void add_momentum_to(std::size_t e, const State& q, const Wrenches& p, Totals& totals) const;

  // Kinds in lanes: the nodes of the elements of a group (the last element fills up the last group).
  LaneNodes lane_nodes(std::size_t first) const {
    LaneNodes at;
    for (std::size_t lane = 0; lane < math::Lanes::count; ++lane)
      at[lane] = &nodes_[std::min(first + lane, size() - 1)];
    return at;
  }

  // By element; then places in the matrix, and where the batch begins in the system.
  std::vector<std::array<int, N>> nodes_;
  math::LargeVector<Slot> slots_;
  int first_row_ = 0;
  int first_history_ = 0;

 private:
  template <std::size_t... I>
  static Nodes<N> nodes_at(const State& q, const std::array<int, N>& at, std::index_sequence<I...>) {
    return {Node{q.x[at[I]], q.quat[at[I]], q.R[at[I]], q.v[at[I]], q.vdot[at[I]]}...};
  }
  NodesUnknowns unknowns_of(std::size_t e, std::span<const NodeUnknowns> unknowns) const {
    NodesUnknowns at;
    for (std::size_t i = 0; i < N; ++i) at[i] = &unknowns[static_cast<std::size_t>(nodes_[e][i])];
    return at;
  }
  // X F column by column: the scalar for the translations of a node, the 3x3 factor (or the scalar) for its rotations,
  // and `scale` for both.
  template <class Matrix>
  static void add_product(const Matrix& X, int local, int node, double scale, double scalar,
                          std::span<const Mat3> rotations, Matrix& result);
  // The factor of the rotations of a node.
  static Mat3 turn_factor(int node, double scale, double scalar, std::span<const Mat3> rotations) {
    if (rotations.empty()) return Mat3(Vec3::Constant(scale * scalar).asDiagonal());
    return scale * rotations[static_cast<std::size_t>(node)];
  }
  // Whether nodes of the element have all unknowns or none, so that blocks are added at once.
  static bool whole(const NodesUnknowns& at) {
    return std::all_of(at.begin(), at.end(), [](const NodeUnknowns* u) { return u->count == 0 || u->full(); });
  }
  // Of an element whose nodes are whole: S between them; B F_b; B^T.
  void add_blocks_to(std::size_t e, const Square& S, double* values) const;
  void add_rows_to(std::size_t e, const RowGradient& B, const Factors& f, const NodesUnknowns& at,
                   double* values) const;
  void add_columns_to(std::size_t e, const RowGradient& B, const NodesUnknowns& at, double* values) const;
  // Adds one column of an element, the `local`-th of the group that `slot` is for: n_unknowns forces, and R rows of its
  // constraint equations, where they are given.
  static void scatter(const double* forces, const double* rows, const Slot* slot, int local, const NodesUnknowns& at,
                      double* values);
  // The columns by the unknowns of an element, S between nodes and X in its rows, where they are given; and those by
  // its multipliers.
  void scatter_unknowns(std::size_t e, const Square* S, const RowGradient* X, const NodesUnknowns& at,
                        double* values) const;
  void scatter_multipliers(std::size_t e, const RowGradient& B, const NodesUnknowns& at, double* values) const;

  // By element
  std::vector<int> entry_;
};

}  // namespace polhode::model

#include "polhode/model/batch_of_impl.hpp"

namespace polhode::model {

// The pairs of the catalog's kinds stand in src/model/batch_of.cpp; a kind with another pair compiles its own.
extern template class BatchOf<1, 0>;
extern template class BatchOf<2, 0>;
extern template class BatchOf<2, 1>;
extern template class BatchOf<2, 2>;
extern template class BatchOf<2, 3>;
extern template class BatchOf<2, 4>;
extern template class BatchOf<2, 5>;
extern template class BatchOf<2, 6>;

}  // namespace polhode::model
