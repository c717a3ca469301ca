// SPDX-License-Identifier: BSD-3-Clause
// The loops of the batch template for structure-preserving methods.
#pragma once
#include "polhode/model/batch.hpp"

namespace polhode::model {

// Kinds without a discrete form add nothing here: methods refuse models that have them.
template <class K>
void Batch<K>::add_discrete_residual_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<Vec6> force) const {
  if constexpr (WithMeanRows<K> || WithDiscreteForces<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      const ElementStep<n_nodes> s = gather(step, e);
      Vector<K> r = Vector<K>::Zero();
      Gradient<K> G = Gradient<K>::Zero();
      const bool with_rows = WithMeanRows<K> && rows;
      if constexpr (WithDiscreteForces<K>) K::add_discrete_forces_to(data_[e], s, r);
      if constexpr (WithMeanRows<K>)
        if (with_rows) K::mean_gradient(data_[e], s, G);
      // Wrenches are spatial up to here; the frames of the nodes' equations are the same matter for all kinds.
      Base::add_discrete_to_nodes(e, step, r, with_rows ? &G : nullptr, lambda, force);
    }
}

// G serves twice: as B^T in the columns of the multipliers, and its derivative times lambda in those of the nodes.
template <class K>
void Batch<K>::add_discrete_tangents_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<const Mat3> factors, double force_scale,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithMeanRows<K> || WithDiscreteForces<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      const ElementStep<n_nodes> s = gather(step, e);
      Block<K> S = Block<K>::Zero();
      Gradient<K> G = Gradient<K>::Zero();
      const bool with_rows = WithMeanRows<K> && rows;
      if constexpr (WithDiscreteForces<K>) K::add_discrete_force_tangents_to(data_[e], s, S);
      if constexpr (WithMeanRows<K>)
        if (with_rows) {
          K::add_mean_tangent_to(data_[e], s, Eigen::Map<const Rows<K>>(lambda.data() + row(e)), S);
          K::mean_gradient(data_[e], s, G);
        }
      Base::add_discrete_products_to(e, step, S, with_rows ? &G : nullptr, factors, force_scale, unknowns,
                                     values.data());
    }
}

// Kinds without a midpoint add nothing to either.
template <class K>
double Batch<K>::discrete_energy(const DiscreteStep& step) const {
  double sum = 0;
  if constexpr (WithMidpoint<K>)
    for (std::size_t e = 0; e < size(); ++e) sum += K::discrete_energy(data_[e], gather(step, e));
  return sum;
}

// Work of all forces of these kinds but those of the potential.
template <class K>
double Batch<K>::discrete_work(const DiscreteStep& step) const {
  double sum = 0;
  if constexpr (WithMidpoint<K>)
    for (std::size_t e = 0; e < size(); ++e) sum += K::discrete_work(data_[e], gather(step, e));
  return sum;
}

}  // namespace polhode::model
