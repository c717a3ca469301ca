// SPDX-License-Identifier: BSD-3-Clause
// The loops of the batch template for kinds that run in lanes: gather a group of elements, compute side by side,
// scatter.
#pragma once
#include "polhode/model/batch.hpp"

namespace polhode::model {

template <class K>
void Batch<K>::pack() {
  if constexpr (InLanes<K>) {
    constexpr int width = math::Lanes::count;
    packed_.reserve((size() + width - 1) / width);
    for (std::size_t first = 0; first < size(); first += width) {
      std::array<const typename K::Data*, width> group;
      for (int lane = 0; lane < width; ++lane) group[lane] = &data_[std::min(first + lane, size() - 1)];
      packed_.push_back(K::pack(group));
    }
    std::vector<typename K::Data>().swap(data_);  // gives the memory back
  }
}

template <class K>
Energies Batch<K>::observe_in_lanes(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                                    std::size_t stride) const {
  Energies sum;
  if constexpr (InLanes<K>) {
    using math::Lanes;
    const ContextOf<Lanes> context{c.gravity.cast<Lanes>()};
    for (std::size_t group = first / Lanes::count; group * Lanes::count < first + count; ++group) {
      const std::size_t start = group * Lanes::count;
      const Observed<K::outputs, Lanes> all =
          K::observe(packed_[group], gather_lanes<n_nodes>(q, lane_nodes(start)), context);
      for (std::size_t e = std::max(first, start); e < std::min(first + count, start + Lanes::count); ++e) {
        const int lane = static_cast<int>(e - start);
        sum += Energies{all.energies.kinetic[lane], all.energies.strain[lane], all.energies.gravity[lane]};
        if (!out) continue;
        double* to = out + (e - first) * stride;
        for (int i = 0; i < K::outputs; ++i) to[i] = all.outputs[i][lane];
      }
    }
  }
  return sum;
}

template <class K>
void Batch<K>::add_residual_in_lanes_to(const State& q, const Context& c, Parts parts, std::span<Vec6> force) const {
  if constexpr (InLanes<K>) {
    using math::Lanes;
    const ContextOf<Lanes> context{c.gravity.cast<Lanes>()};
    chunks_.each([&](std::size_t begin, std::size_t end) {
      for (std::size_t first = begin; first < end; first += Lanes::count) {
        const LaneNodes at = lane_nodes(first);
        const auto n = gather_lanes<n_nodes>(q, at);
        VectorOf<n_nodes, Lanes> r;
        r.setZero();
        K::add_to(packed_[first / Lanes::count], n, context, parts, r);
        const int active = static_cast<int>(std::min<std::size_t>(Lanes::count, size() - first));
        for (int lane = 0; lane < active; ++lane)
          for (int i = 0; i < n_nodes; ++i) {
            if ((*at[lane])[i] == 0) continue;
            double* to = force[(*at[lane])[i]].data();
            for (int k = 0; k < 6; ++k) to[k] += r[6 * i + k][lane];
          }
      }
    });
  }
}

template <class K>
void Batch<K>::add_tangents_in_lanes_to(const State& q, const Context& c, const Factors& f, double force_scale,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (InLanes<K>) {
    using math::Lanes;
    const ContextOf<Lanes> context{c.gravity.cast<Lanes>()};
    chunks_.each([&](std::size_t begin, std::size_t end) {
      TangentSink<n_nodes, Lanes> t;
      t.m = f.m, t.c = f.c, t.k = f.k;
      for (std::size_t first = begin; first < end; first += Lanes::count) {
        const LaneNodes at = lane_nodes(first);
        const auto n = gather_lanes<n_nodes>(q, at);
        gather_rotations<n_nodes>(f.rot_m, at, t.rot_m, t.general_m);
        gather_rotations<n_nodes>(f.rot_c, at, t.rot_c, t.general_c);
        gather_rotations<n_nodes>(f.rot_k, at, t.rot_k, t.general_k);
        t.sum.setZero();
        K::add_tangents_to(packed_[first / Lanes::count], n, context, t);
        t.sum *= Lanes(force_scale);

        const int active = static_cast<int>(std::min<std::size_t>(Lanes::count, size() - first));
        for (int lane = 0; lane < active; ++lane) {
          const Slot* slot = slots_.data() + (first + lane) * n_columns * n_groups;
          std::array<const NodeUnknowns*, n_nodes> place;
          for (int i = 0; i < n_nodes; ++i) place[i] = &unknowns[(*at[lane])[i]];
          for (int j = 0; j < n_unknowns; ++j, slot += n_groups) {
            if (place[j / 6]->local[j % 6] < 0) continue;
            const Lanes* column = t.sum.data() + j * n_unknowns;
            for (int i = 0; i < n_nodes; ++i, column += 6) {
              if (slot[i] < 0) continue;
              double* to = values.data() + slot[i];
              if (place[i]->full())
                for (int k = 0; k < 6; ++k) to[k] += column[k][lane];
              else
                for (int k = 0; k < 6; ++k)
                  if (place[i]->local[k] >= 0) to[place[i]->local[k]] += column[k][lane];
            }
          }
        }
      }
    });
  }
}

}  // namespace polhode::model
