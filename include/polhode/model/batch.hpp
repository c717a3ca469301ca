// SPDX-License-Identifier: BSD-3-Clause
// The batch template: runs the functions of one kind over all its elements, with fixed-size blocks and no allocation.
#pragma once
#include <memory>
#include <random>
#include <utility>

#include "polhode/math/large_vector.hpp"
#include "polhode/model/batch_base.hpp"
#include "polhode/model/chunks.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::model {

template <class K>
class Batch final : public BatchBase {
 public:
  static constexpr int n_nodes = K::nodes;
  static constexpr int n_rows = K::rows;
  static constexpr int n_unknowns = 6 * K::nodes;
  static constexpr int n_columns = n_unknowns + n_rows;
  static constexpr int n_groups = n_nodes + (n_rows > 0 ? 1 : 0);
  static constexpr int n_slots = n_groups * n_groups;

  void add(int entry, const std::array<int, n_nodes>& at, typename K::Data data) {
    entry_.push_back(entry);
    nodes_.push_back(at);
    data_.push_back(std::move(data));
  }

  std::string_view kind() const override { return K::name; }
  std::size_t size() const override { return nodes_.size(); }
  int nodes() const override { return n_nodes; }
  int rows() const override { return n_rows; }
  int history() const override { return K::history; }
  bool has_inertia() const override { return WithInertia<K> || InLanes<K>; }
  std::span<const int> nodes_of(std::size_t e) const override { return nodes_[e]; }
  int entry_of(std::size_t e) const override { return entry_[e]; }
  std::string row_name(int row) const override {
    if constexpr (WithRows<K>) return std::string(K::row_names[row]);
    return {};
  }
  bool row_is_length(int row) const override {
    if constexpr (WithRows<K>) return K::row_is_length[row];
    return false;
  }
  void set_numbering(int first_row, int first_history) override {
    first_row_ = first_row;
    first_history_ = first_history;
    if (!nodes_.empty()) chunks_.make({nodes_.front().data(), n_nodes * nodes_.size()}, n_nodes);
    if constexpr (InLanes<K>) {
      if (packed_index_.empty()) pack();
    }
  }
  int first_row() const override { return first_row_; }
  int first_history() const override { return first_history_; }
  std::span<Slot> slots() override {
    slots_.resize(size() * n_slots, -1);
    return slots_;
  }
  void claim_nodes(std::vector<char>& claimed, std::span<const int> value_start) override {
    if (!nodes_.empty()) chunks_.claim({nodes_.front().data(), n_nodes * nodes_.size()}, n_nodes, claimed, value_start);
  }

  void add_residual_to(const State& q, const Context& c, Parts parts, std::span<Vec6> force,
                       std::span<double> phi) const override;
  void add_residual_of(std::span<const std::size_t> elements, const State& q, const Context& c,
                       std::span<Vec6> force) const override;
  void add_tangents_to(const State& q, const Context& c, const Factors& factors, double force_scale,
                       std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  void add_velocity_tangents_to(const State& q, const Context& c, const Factors& factors,
                                std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  void set_rates(const State& q, const Context& c, std::span<double> Bv, std::span<double> phi_t,
                 std::span<double> gamma) const override;
  int first_mirrored(const State& q) const override;
  Energies energies(const State& q, const Context& c) const override;
  double power(const State& q, const Context& c) const override;
  void initialize_history(State& q, const Context& c) const override;
  void update_history(State& q, const Context& c) const override;
  void write_outputs(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                     std::size_t stride) const override;
  Totals observe(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                 std::size_t stride) const override;
  void add_breakpoints_to(double t0, double t1, std::vector<double>& out) const override;
  bool has_forces() const override { return WithForces<K>; }
  bool has_midpoint_forces() const override { return WithMidpoint<K>; }
  bool has_discrete_form() const override { return !WithInertia<K> && !InLanes<K> && model::has_discrete_form<K>; }
  void add_discrete_residual_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                std::span<Vec6> force) const override;
  void add_discrete_tangents_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                std::span<const Mat3> factors, double force_scale,
                                std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  double discrete_energy(const DiscreteStep& step) const override;
  double discrete_work(const DiscreteStep& step) const override;
  void add_gradient_to(const State& q, const Context& c, const Factors& factors, std::span<const NodeUnknowns> unknowns,
                       std::span<double> values) const override;

 private:
  ElementStep<n_nodes> gather(const DiscreteStep& step, std::size_t e) const {
    return {gather(step.begin, e),
            gather(step.mean, e),
            gather(step.end, e),
            context_of(step.begin, step.middle, e),
            step.h,
            step.gradient,
            step.lever};
  }
  // Adds the rows X of an element, times F_b, in the place of B F_b.
  void scatter_rows(std::size_t e, const Gradient<K>& X, const Factors& f, std::span<const NodeUnknowns> unknowns,
                    std::span<double> values) const;
  template <std::size_t... I>
  static Nodes<n_nodes> gather(const State& q, const std::array<int, n_nodes>& at, std::index_sequence<I...>) {
    return {Node{q.x[at[I]], q.quat[at[I]], q.R[at[I]], q.v[at[I]], q.vdot[at[I]]}...};
  }
  Nodes<n_nodes> gather(const State& q, std::size_t e) const {
    return gather(q, nodes_[e], std::make_index_sequence<n_nodes>{});
  }
  Context context_of(const State& q, Context c, std::size_t e) const {
    if constexpr (K::history > 0) c.history = q.history.data() + first_history_ + e * K::history;
    return c;
  }
  std::size_t row(std::size_t e) const { return first_row_ + e * n_rows; }
  Rows<K> multipliers(const State& q, std::size_t e) const {
    if constexpr (n_rows > 0) return q.lambda.segment<n_rows>(static_cast<Eigen::Index>(row(e)));
    return Rows<K>::Zero();
  }
  // Of one element; `phi`: its rows, if `parts` has constraints.
  Vector<K> residual(std::size_t e, const State& q, const Context& common, Parts parts, Rows<K>& phi) const;
  void add_to_nodes(std::size_t e, const Vector<K>& r, std::span<Vec6> force) const {
    for (int i = 0; i < n_nodes; ++i)
      if (nodes_[e][i] != 0) force[nodes_[e][i]] += r.template segment<6>(6 * i);
  }
  void add_momentum_to(std::size_t e, const State& q, const Context& common, Totals& totals) const;
  Vector<K> velocities(const Nodes<n_nodes>& n) const {
    Vector<K> v;
    for (int i = 0; i < n_nodes; ++i) v.template segment<6>(6 * i) = n[i].v;
    return v;
  }
  // Z = D_q (B v), row by row: v^T D_q(B^T e_r).
  Gradient<K> velocity_gradient(std::size_t e, const Nodes<n_nodes>& n, const Context& c) const;
  // X F column by column: the scalar for the translations of a node, the 3x3 factor (or the scalar) for its rotations.
  template <class Matrix>
  static void add_product(const Matrix& X, int local, int node, double scalar, std::span<const Mat3> rotations,
                          Matrix& result) {
    const int j = 6 * local;
    if (rotations.empty()) {
      result.template middleCols<6>(j) += scalar * X.template middleCols<6>(j);
      return;
    }
    result.template middleCols<3>(j) += scalar * X.template middleCols<3>(j);
    result.template middleCols<3>(j + 3).noalias() += X.template middleCols<3>(j + 3).lazyProduct(rotations[node]);
  }
  // Adds one column of an element, the `local`-th of the group that `slot` is for: entries of forces, and of rows.
  static void scatter(const double* column, const Slot* slot, int local,
                      const std::array<const NodeUnknowns*, n_nodes>& at, bool force, bool row, double* values);
  // The columns by the unknowns of an element, S between nodes and X in its rows, where they are given; and those by
  // its multipliers.
  void scatter_unknowns(std::size_t e, const Block<K>* S, const Gradient<K>* X,
                        const std::array<const NodeUnknowns*, n_nodes>& at, double* values) const;
  void scatter_multipliers(std::size_t e, const Gradient<K>& B, const std::array<const NodeUnknowns*, n_nodes>& at,
                           double* values) const;
  void clear(const Chunks::Chunk& chunk, std::span<Vec6> force) const {
    for (const Chunks::Run& run : chunks_.claims(chunk))
      std::fill(force.begin() + run.first_node, force.begin() + run.end_node, Vec6::Zero());
  }
  void clear(const Chunks::Chunk& chunk, std::span<double> values) const {
    for (const Chunks::Run& run : chunks_.claims(chunk))
      std::fill(values.begin() + run.first_value, values.begin() + run.end_value, 0.0);
  }

  // Kinds that run in lanes: packed constants, and the nodes of the elements of a group (the last element fills up the
  // last group).
  using LaneNodes = std::array<const std::array<int, n_nodes>*, math::Lanes::count>;
  template <class Kind>
  static auto packed_type() {
    if constexpr (InLanes<Kind>)
      return typename Kind::template DataOf<math::Lanes>{};
    else
      return char{};
  }
  void pack();
  const auto& packed(std::size_t first) const { return packed_[packed_index_[first / math::Lanes::count]]; }
  LaneNodes lane_nodes(std::size_t first) const {
    LaneNodes at;
    for (int lane = 0; lane < math::Lanes::count; ++lane) at[lane] = &nodes_[std::min(first + lane, size() - 1)];
    return at;
  }
  Totals observe_in_lanes(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                          std::size_t stride) const;  // `out` may be null
  VectorOf<n_nodes, math::Lanes> residual_in_lanes(std::size_t first, const State& q, const Context& c,
                                                   Parts parts) const;
  void add_lane_to(const VectorOf<n_nodes, math::Lanes>& r, int lane, std::size_t element, std::span<Vec6> force) const;
  void add_residual_in_lanes_to(const State& q, const Context& c, Parts parts, std::span<Vec6> force) const;
  void add_tangents_in_lanes_to(const State& q, const Context& c, const Factors& factors, double force_scale,
                                std::span<const NodeUnknowns> unknowns, std::span<double> values) const;
  static void add_block_of_lanes(const math::Lanes* block, const LaneNodes& at, int active, int i, int j,
                                 const Slot* slot, std::span<const NodeUnknowns> unknowns, double* values);

  // Constants of groups: those of a beam are mostly alike, and stand here once.
  math::LargeVector<decltype(packed_type<K>())> packed_;
  std::vector<std::int32_t> packed_index_;  // by group
  std::vector<typename K::Data> data_;      // empty once packed
  std::vector<std::array<int, n_nodes>> nodes_;
  std::vector<int> entry_;
  Chunks chunks_;
  math::LargeVector<Slot> slots_;
  int first_row_ = 0;
  int first_history_ = 0;
};

// Each kind as a batch of one element with random data (KindInfo::samples).
template <class... K>
std::vector<std::unique_ptr<BatchBase>> samples(std::mt19937& random) {
  std::vector<std::unique_ptr<BatchBase>> result;
  const auto add = [&]<class One>(One*) {
    auto batch = std::make_unique<Batch<One>>();
    std::array<int, One::nodes> at;
    for (int i = 0; i < One::nodes; ++i) at[i] = i + 1;
    batch->add(0, at, One::sample(random));
    result.push_back(std::move(batch));
  };
  (add(static_cast<K*>(nullptr)), ...);
  return result;
}

}  // namespace polhode::model

#include "polhode/model/batch_discrete.hpp"
#include "polhode/model/batch_impl.hpp"
#include "polhode/model/batch_lanes.hpp"
