// SPDX-License-Identifier: BSD-3-Clause
// The loops of the batch template for structure-preserving methods.
#pragma once
#include "polhode/model/batch.hpp"

namespace polhode::model {

template <class K>
void Batch<K>::add_discrete_residual_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<Vec6> force) const {
  if constexpr (WithMeanRows<K> || WithDiscreteForces<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      const ElementStep<n_nodes> s = gather(step, e);
      Vector<K> r = Vector<K>::Zero();
      if constexpr (WithDiscreteForces<K>) K::add_discrete_forces_to(data_[e], s, r);
      if constexpr (WithMeanRows<K>)
        if (rows) {
          Gradient<K> G = Gradient<K>::Zero();
          K::mean_gradient(data_[e], s, G);
          r.noalias() += G.transpose() * Eigen::Map<const Rows<K>>(lambda.data() + row(e));
        }
      const Nodes<n_nodes>& frame = step.lever == Lever::end ? s.end : s.begin;
      for (int i = 0; i < n_nodes; ++i)
        if (nodes_[e][i] != 0) {
          force[nodes_[e][i]].template head<3>() += r.template segment<3>(6 * i);
          force[nodes_[e][i]].template tail<3>() += frame[i].R.transpose() * r.template segment<3>(6 * i + 3);
        }
    }
}

template <class K>
void Batch<K>::add_discrete_tangents_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<const Mat3> factors, double force_scale,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithMeanRows<K> || WithDiscreteForces<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      const ElementStep<n_nodes> s = gather(step, e);
      Block<K> S = Block<K>::Zero();
      Gradient<K> G = Gradient<K>::Zero();
      if constexpr (WithDiscreteForces<K>) K::add_discrete_force_tangents_to(data_[e], s, S);
      if constexpr (WithMeanRows<K>)
        if (rows) {
          K::add_mean_tangent_to(data_[e], s, Eigen::Map<const Rows<K>>(lambda.data() + row(e)), S);
          K::mean_gradient(data_[e], s, G);
        }
      S *= force_scale;
      std::array<const NodeUnknowns*, n_nodes> at;
      for (int i = 0; i < n_nodes; ++i) {
        at[i] = &unknowns[nodes_[e][i]];
        const Mat3 right = s.end[i].R * factors[nodes_[e][i]];
        const Mat3 left = s.begin[i].R.transpose();
        S.template middleCols<3>(6 * i + 3) = (S.template middleCols<3>(6 * i + 3) * right).eval();
        S.template middleRows<3>(6 * i + 3) = (left * S.template middleRows<3>(6 * i + 3)).eval();
        G.template middleCols<3>(6 * i + 3) = (G.template middleCols<3>(6 * i + 3) * s.begin[i].R).eval();
      }
      scatter_unknowns(e, &S, nullptr, at, values.data());
      if (rows) scatter_multipliers(e, G, at, values.data());
    }
}

template <class K>
double Batch<K>::discrete_energy(const DiscreteStep& step) const {
  double sum = 0;
  if constexpr (WithMidpoint<K>)
    for (std::size_t e = 0; e < size(); ++e) sum += K::discrete_energy(data_[e], gather(step, e));
  return sum;
}

template <class K>
double Batch<K>::discrete_work(const DiscreteStep& step) const {
  double sum = 0;
  if constexpr (WithMidpoint<K>)
    for (std::size_t e = 0; e < size(); ++e) sum += K::discrete_work(data_[e], gather(step, e));
  return sum;
}

template <class K>
void Batch<K>::add_gradient_to(const State& q, const Context& common, const Factors& f,
                               std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithRows<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      Gradient<K> B = Gradient<K>::Zero();
      K::gradient(data_[e], gather(q, e), context_of(q, common, e), B);
      scatter_rows(e, B, f, unknowns, values);
    }
}

}  // namespace polhode::model
