// SPDX-License-Identifier: BSD-3-Clause
// The batch template: runs the functions of one kind over all its elements, with fixed-size blocks and no allocation.
// `if constexpr` on the concepts of contract.hpp chooses what is compiled for a kind: functions that it does not
// declare cost neither code nor time. What the functions mean stands at the interfaces in batch_base.hpp.
#pragma once
#include <memory>
#include <random>

#include "polhode/model/batch_of.hpp"
#include "polhode/model/checked_kind.hpp"

namespace polhode::model {

// Adding elements ends with set_numbering: kinds in lanes are packed there, and their data are given back.
template <class K>
class Batch final : public BatchOf<K::nodes, K::rows> {
  static_assert(checked_kind<K>());
  using Base = BatchOf<K::nodes, K::rows>;

 public:
  // Of one element: nodes, constraint equations.
  static constexpr int n_nodes = K::nodes;
  static constexpr int n_rows = K::rows;

  // Appends an element; `entry` is its index into Model::entries, `at` the indices of its nodes (0: the ground).
  void add(int entry, const std::array<int, n_nodes>& at, typename K::Data data) {
    Base::add_element(entry, at);
    data_.push_back(std::move(data));
  }

  // BatchTopology; the rest of it is in BatchOf.
  std::string_view kind() const override { return K::name; }
  int history() const override { return K::history; }
  std::size_t lanes() const override { return InLanes<K> ? std::size_t{math::Lanes::count} : 1; }
  void set_numbering(int first_row, int first_history) override {
    Base::set_numbering(first_row, first_history);
    if constexpr (InLanes<K>) {
      if (packed_index_.empty()) pack();
    }
  }

  // BatchForces. Kinds in lanes have inertia and forces in one function, which `parts` divides.
  bool has_inertia() const override { return WithInertia<K> || InLanes<K>; }
  bool has_forces() const override { return WithForces<K>; }
  void add_residual_to(Elements elements, const State& q, const Context& c, Parts parts, std::span<Vec6> force,
                       std::span<double> phi) const override;
  void add_residual_of(std::span<const std::size_t> elements, const State& q, const Context& c,
                       std::span<Vec6> force) const override;
  void add_tangents_to(Elements elements, const State& q, const Context& c, const Factors& factors, double force_scale,
                       std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;

  // BatchConstraints. Local: number of the row within its element.
  std::string row_name(int local) const override;
  bool row_is_length(int local) const override;
  void set_rates(Elements elements, const State& q, const Context& c, std::span<double> Bv, std::span<double> phi_t,
                 std::span<double> gamma) const override;
  void set_gradient(Elements elements, const State& q, const Context& c, const Factors& factors,
                    std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  void add_velocity_tangents_to(Elements elements, const State& q, const Context& c, const Factors& factors,
                                std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  int first_mirrored(const State& q) const override;

  // BatchBounds.
  int first_past_bound(const State& before, const State& now) const override;

  // BatchHistory.
  void initialize_history(State& q, const Context& c) const override;
  void update_history(State& q, const Context& c) const override;
  void add_breakpoints_to(double t0, double t1, std::vector<double>& out) const override;

  // BatchOutputs.
  void write_outputs(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                     std::size_t stride) const override;
  Totals observe(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                 std::size_t stride) const override;
  Energies energies(const State& q, const Context& c) const override;
  double power(const State& q, const Context& c) const override;

  // BatchActuators.
  bool has_actuators() const override { return WithSignals<K>; }
  void each_actuator(std::size_t element, const State& q, const Context& c,
                     const BatchActuators::VisitActuator& visit) const override;
  void each_drive(std::size_t element, const BatchActuators::VisitDrive& visit) const override;

  // BatchDiscreteForms. Kinds with inertia count as without a discrete form here: methods have one of their own for
  // bodies.
  bool has_midpoint_forces() const override { return WithMidpoint<K>; }
  bool has_discrete_form() const override {
    return (!WithInertia<K> || WithForces<K>)&&!InLanes<K> && model::has_discrete_form<K>;
  }
  void add_discrete_residual_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                std::span<Vec6> force) const override;
  void add_discrete_tangents_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                std::span<const Mat3> factors, double force_scale,
                                std::span<const NodeUnknowns> unknowns, std::span<double> values) const override;
  double discrete_energy(const DiscreteStep& step) const override;
  double discrete_work(const DiscreteStep& step) const override;

 private:
  // Names of the base class template, which are not looked up by themselves.
  using Base::first_history_;
  using Base::gather;
  using Base::multipliers;
  using Base::nodes_;
  using Base::row;
  using Base::size;
  using Base::slots_;

  // One element over a step; what it remembers is that of the step's begin.
  ElementStep<n_nodes> gather(const DiscreteStep& step, std::size_t e) const {
    return {gather(step.begin, e),
            gather(step.mean, e),
            gather(step.end, e),
            context_of(step.begin, step.middle, e),
            step.h,
            step.gradient,
            step.lever};
  }
  // The common context with the internal variables of element e, as q has them, and whether its joint is apart.
  Context context_of(const State& q, Context c, std::size_t e) const {
    if constexpr (K::history > 0) c.history = q.history.data() + first_history_ + e * K::history;
    if constexpr (WithRows<K> && WithForces<K>) c.apart = q.dropped.is_open(static_cast<int>(row(e)));
    return c;
  }
  // Of one element; `phi`: its rows, if `parts` has constraints.
  Vector<K> residual(std::size_t e, const State& q, const Context& common, Parts parts, Rows<K>& phi) const;
  // Adds linear (N s) and angular momentum (N m s, about the origin) of one element.
  void add_momentum_of(std::size_t e, const State& q, const Context& common, Totals& totals) const;
  // The rows B F_b and columns B^T of one element.
  void add_rows_of(std::size_t e, const State& q, const Context& common, const Factors& f,
                   std::span<const NodeUnknowns> unknowns, std::span<double> values) const;
  // Z = D_q (B v), by the kind or row by row: v^T D_q(B^T e_r).
  Gradient<K> velocity_gradient(std::size_t e, const Nodes<n_nodes>& n, const Context& c) const;

  // Kinds that run in lanes: packed constants (batch_lanes.hpp).
  // A group is as many consecutive elements as there are lanes; the last element fills up the last group.
  using LaneNodes = typename Base::LaneNodes;
  template <class Kind>
  static auto packed_type() {
    if constexpr (InLanes<Kind>)
      return typename Kind::template DataOf<math::Lanes>{};
    else
      return char{};
  }
  // Makes packed_ of data_, and frees data_.
  void pack();
  // Constants of the group that begins with element `first`.
  const auto& packed(std::size_t first) const { return packed_[packed_index_[first / math::Lanes::count]]; }
  Totals observe_in_lanes(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                          std::size_t stride) const;  // `out` may be null
  double power_in_lanes(const State& q) const;
  // Numbers a node has in the kernels.
  static constexpr int numbers_a_node = MovesAlone<K> ? 3 : 6;
  using LaneVector = Eigen::Matrix<math::Lanes, numbers_a_node * n_nodes, 1>;
  static NodesOf<n_nodes, math::Lanes> gather_group(const State& q, const LaneNodes& at) {
    if constexpr (MovesAlone<K>)
      return gather_points<n_nodes>(q, at);
    else
      return gather_lanes<n_nodes>(q, at);
  }
  // Wrenches of a group; one lane of it, added to the nodes of one element but the ground.
  LaneVector residual_in_lanes(std::size_t first, const State& q, const Context& c, Parts parts) const;
  void add_lane_to(const LaneVector& r, int lane, std::size_t element, std::span<Vec6> force) const;
  // What the functions of the same names do, group by group.
  void add_residual_in_lanes_to(Elements elements, const State& q, const Context& c, Parts parts,
                                std::span<Vec6> force) const;
  void add_tangents_in_lanes_to(Elements elements, const State& q, const Context& c, const Factors& factors,
                                double force_scale, std::span<const NodeUnknowns> unknowns,
                                std::span<double> values) const;
  static void add_block_of_lanes(const math::Lanes* block, const LaneNodes& at, int active, int i, int j,
                                 const Slot* slot, std::span<const NodeUnknowns> unknowns, double* values);

  // Constants of groups: those of a beam are mostly alike, and stand here once.
  math::LargeVector<decltype(packed_type<K>())> packed_;
  // By group
  std::vector<std::int32_t> packed_index_;
  // By element; empty once packed
  std::vector<typename K::Data> data_;
};

// Each kind as a batch of one element with random data (KindInfo::samples).
// Nodes are 1, 2, ...; the batches are not numbered yet.
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
