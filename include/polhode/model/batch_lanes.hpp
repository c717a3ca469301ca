// SPDX-License-Identifier: BSD-3-Clause
// The loops of the batch template for kinds that run in lanes: gather a group of elements, compute side by side,
// scatter.
#pragma once
#include "polhode/model/batch.hpp"

namespace polhode::model {

// Sections of a beam are mostly alike: groups that are share their constants, which then stay in the cache. Kinds say
// what is alike; else constants are equal.
template <class K>
void Batch<K>::pack() {
  if constexpr (InLanes<K>) {
    constexpr int width = math::Lanes::count;
    using Group = std::array<const typename K::Data*, width>;
    const auto same = [](const auto* a, const auto* b) {
      if constexpr (requires { K::alike(*a, *b); })
        return K::alike(*a, *b);
      else
        return *a == *b;
    };
    packed_index_.reserve((size() + width - 1) / width);
    Group last{};  // that has been packed
    for (std::size_t first = 0; first < size(); first += width) {
      Group group;
      for (int lane = 0; lane < width; ++lane) group[lane] = &data_[std::min(first + lane, size() - 1)];
      // Only the last one is compared: elements that are alike follow each other, as those of a beam do.
      if (first == 0 || !std::equal(group.begin(), group.end(), last.begin(), same)) {
        packed_.push_back(K::pack(group));
        last = group;
      }
      packed_index_.push_back(static_cast<std::int32_t>(packed_.size() - 1));
    }
    packed_.shrink_to_fit();
    std::vector<typename K::Data>().swap(data_);  // gives the memory back
  }
}

// Groups overlap [first, first + count) at both ends: lanes outside are computed and dropped.
template <class K>
Totals Batch<K>::observe_in_lanes(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                                  std::size_t stride) const {
  Totals sum;
  if constexpr (InLanes<K>) {
    using math::Lanes;
    // The load factor is in the gravity already.
    const ContextOf<Lanes> context{c.gravity.cast<Lanes>()};
    for (std::size_t group = first / Lanes::count; group * Lanes::count < first + count; ++group) {
      const std::size_t start = group * Lanes::count;
      const Observed<K::outputs, Lanes> all =
          K::observe(packed(start), gather_group(q, Base::lane_nodes(start)), context);
      for (std::size_t e = std::max(first, start); e < std::min(first + count, start + Lanes::count); ++e) {
        const int lane = static_cast<int>(e - start);
        sum += Totals{{all.energies.kinetic[lane], all.energies.strain[lane], all.energies.gravity[lane]},
                      {all.linear[0][lane], all.linear[1][lane], all.linear[2][lane]},
                      {all.angular[0][lane], all.angular[1][lane], all.angular[2][lane]}};
        if (!out) continue;
        double* to = out + (e - first) * stride;
        const std::size_t outputs = std::min(all.numbers, stride);
        for (std::size_t i = 0; i < outputs; ++i) to[i] = all.outputs[i][lane];
      }
    }
  }
  return sum;
}

template <class K>
double Batch<K>::power_in_lanes(const State& q) const {
  double sum = 0;
  if constexpr (InLanes<K> && WithPower<K>)
    for (std::size_t first = 0; first < size(); first += math::Lanes::count) {
      if (!K::has_power(packed(first))) continue;
      const math::Lanes power = K::power(packed(first), gather_group(q, Base::lane_nodes(first)));
      const std::size_t active = std::min<std::size_t>(math::Lanes::count, size() - first);
      for (std::size_t lane = 0; lane < active; ++lane) sum += power[static_cast<int>(lane)];
    }
  return sum;
}

// Of a whole group; in the last one several lanes compute the last element.
template <class K>
typename Batch<K>::LaneVector Batch<K>::residual_in_lanes(std::size_t first, const State& q, const Context& c,
                                                          Parts parts) const {
  LaneVector r;
  r.setZero();
  if constexpr (InLanes<K>)
    K::add_to(packed(first), gather_group(q, Base::lane_nodes(first)),
              ContextOf<math::Lanes>{c.gravity.cast<math::Lanes>()}, parts, r);
  return r;
}

// Lanes that fill up the last group are not added by the callers.
template <class K>
void Batch<K>::add_lane_to(const LaneVector& r, int lane, std::size_t element, std::span<Vec6> force) const {
  for (int i = 0; i < n_nodes; ++i) {
    if (nodes_[element][i] == 0) continue;
    double* to = force[nodes_[element][i]].data();
    for (int k = 0; k < numbers_a_node; ++k) to[k] += r[numbers_a_node * i + k][lane];
  }
}

// Elements begin with a whole group, and end with one or with the batch.
template <class K>
void Batch<K>::add_residual_in_lanes_to(Elements elements, const State& q, const Context& c, Parts parts,
                                        std::span<Vec6> force) const {
  if constexpr (InLanes<K>) {
    using math::Lanes;
    for (std::size_t first = elements.begin; first < elements.end; first += Lanes::count) {
      const auto r = residual_in_lanes(first, q, c, parts);
      const std::size_t end = std::min(first + Lanes::count, elements.end);
      for (std::size_t e = first; e < end; ++e) add_lane_to(r, static_cast<int>(e - first), e, force);
    }
  }
}

// Factors are gathered for each group: they differ by node, and a group may meet any nodes.
template <class K>
void Batch<K>::add_tangents_in_lanes_to(Elements elements, const State& q, const Context& c, const Factors& f,
                                        double force_scale, std::span<const NodeUnknowns> unknowns,
                                        std::span<double> values) const {
  if constexpr (InLanes<K>) {
    using math::Lanes;
    const ContextOf<Lanes> context{c.gravity.cast<Lanes>()};
    std::conditional_t<MovesAlone<K>, PointTangentSink<n_nodes, Lanes>, TangentSink<n_nodes, Lanes>> t;
    // Scalars are the same for all groups; matrices for rotations are gathered below.
    t.m = f.m;
    t.c = f.c;
    t.k = f.k;
    for (std::size_t first = elements.begin; first < elements.end; first += Lanes::count) {
      const LaneNodes at = Base::lane_nodes(first);
      const auto n = gather_group(q, at);
      if constexpr (!MovesAlone<K>) {
        gather_rotations<n_nodes>(f.rot_m, at, t.rot_m, t.general_m);
        gather_rotations<n_nodes>(f.rot_c, at, t.rot_c, t.general_c);
        gather_rotations<n_nodes>(f.rot_k, at, t.rot_k, t.general_k);
      }
      t.sum.setZero();
      K::add_tangents_to(packed(first), n, context, t);
      t.sum *= Lanes(force_scale);

      const int active = static_cast<int>(std::min<std::size_t>(Lanes::count, elements.end - first));
      const Slot* slot = slots_.data() + first * Base::n_slots;
      for (int j = 0; j < n_nodes; ++j)
        for (int i = 0; i < n_nodes; ++i)
          add_block_of_lanes(&t.sum(numbers_a_node * i, numbers_a_node * j), at, active, i, j,
                             slot + j * Base::n_groups + i, unknowns, values.data());
    }
  }
}

// The block of nodes (i, j) of each lane, `block` the first of its entries.
template <class K>
void Batch<K>::add_block_of_lanes(const math::Lanes* block, const LaneNodes& at, int active, int i, int j,
                                  const Slot* slot, std::span<const NodeUnknowns> unknowns, double* values) {
  using math::Lanes;
  constexpr int stride = numbers_a_node * n_nodes;
  std::array<double*, Lanes::count> to;
  const auto whole = [&](int lane) {
    const NodeUnknowns& rows = unknowns[(*at[lane])[i]];
    const NodeUnknowns& columns = unknowns[(*at[lane])[j]];
    return to[lane] && (MovesAlone<K> ? rows.moves() && columns.moves() : rows.full() && columns.full());
  };
  bool all_whole = active == Lanes::count;
  for (int lane = 0; lane < active; ++lane) {
    const Slot place = slot[lane * Base::n_slots];
    to[lane] = place < 0 ? nullptr : values + place;
    all_whole = all_whole && whole(lane);
  }
  if (!MovesAlone<K> && all_whole) {  // nearly always
    for (int column = 0; column < 6; ++column, block += stride) math::add_columns_of_six(block, to, 6 * column);
    return;
  }
  // Nodes with removed components, the ground, and a last group that is not full: lane by lane, and by the place of each
  // component where one is removed.
  for (int lane = 0; lane < active; ++lane) {
    if (!to[lane]) continue;
    const NodeUnknowns& rows = unknowns[(*at[lane])[i]];
    const NodeUnknowns& columns = unknowns[(*at[lane])[j]];
    if (whole(lane)) {
      const int height = MovesAlone<K> ? rows.count : numbers_a_node;
      for (int column = 0; column < numbers_a_node; ++column)
        for (int k = 0; k < numbers_a_node; ++k) to[lane][column * height + k] += block[column * stride + k][lane];
      continue;
    }
    for (int column = 0; column < numbers_a_node; ++column)
      for (int k = 0; k < numbers_a_node; ++k)
        if (columns.local[column] >= 0 && rows.local[k] >= 0)
          to[lane][columns.local[column] * rows.count + rows.local[k]] += block[column * stride + k][lane];
  }
}

}  // namespace polhode::model
