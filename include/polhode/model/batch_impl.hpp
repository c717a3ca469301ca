// SPDX-License-Identifier: BSD-3-Clause
// The loops of the batch template.
#pragma once
#include "polhode/model/batch.hpp"

namespace polhode::model {

// What is not declared is not compiled; B is formed only where multipliers act.
template <class K>
Vector<K> Batch<K>::residual(std::size_t e, const State& q, const Context& common, Parts parts, Rows<K>& phi) const {
  const Nodes<n_nodes> n = gather(q, e);
  const Context c = context_of(q, common, e);
  Vector<K> r = Vector<K>::Zero();
  if constexpr (WithInertia<K>)
    if (parts.inertia) K::add_inertia_to(data_[e], n, c, r);
  if constexpr (WithForces<K>)
    if (parts.forces) K::add_forces_to(data_[e], n, c, r);
  if constexpr (WithRows<K>)
    if (parts.constraints) {
      Gradient<K> B = Gradient<K>::Zero();
      K::constraint(data_[e], n, c, phi);
      K::gradient(data_[e], n, c, B);
      // Forces of constraints go to the nodes with all others: their sum is the residual of a node.
      r.noalias() += B.transpose() * multipliers(q, e);
    }
  return r;
}

// Rows of phi belong to one element each.
template <class K>
void Batch<K>::add_residual_to(Elements elements, const State& q, const Context& common, Parts parts,
                               std::span<Vec6> force, std::span<double> phi) const {
  if constexpr (InLanes<K>) return add_residual_in_lanes_to(elements, q, common, parts, force);
  for (std::size_t e = elements.begin; e < elements.end; ++e) {
    Rows<K> own = Rows<K>::Zero();
    Base::add_to_nodes(e, residual(e, q, common, parts, own), force);
    if constexpr (n_rows > 0)
      if (parts.constraints)
        for (int i = 0; i < n_rows; ++i) phi[row(e) + i] = own[i];
  }
}

// Kinds in lanes compute the whole group of an element, and keep one lane of it.
template <class K>
void Batch<K>::add_residual_of(std::span<const std::size_t> elements, const State& q, const Context& common,
                               std::span<Vec6> force) const {
  for (const std::size_t e : elements)
    if constexpr (InLanes<K>) {
      const std::size_t first = e - e % math::Lanes::count;
      add_lane_to(residual_in_lanes(first, q, common, {}), static_cast<int>(e - first), e, force);
    } else {
      Rows<K> phi;
      Base::add_to_nodes(e, residual(e, q, common, {}, phi), force);
    }
}

// M, C, K of an element are formed apart, since each has right factors of its own; what the kind does not have is
// neither cleared nor multiplied. Rows alone are formed where nothing else has a factor.
template <class K>
void Batch<K>::add_tangents_to(Elements elements, const State& q, const Context& common, const Factors& f,
                               double force_scale, std::span<const NodeUnknowns> unknowns,
                               std::span<double> values) const {
  if constexpr (InLanes<K>) return add_tangents_in_lanes_to(elements, q, common, f, force_scale, unknowns, values);
  const bool rows_alone = !f.has_k() && (!(WithInertia<K> || WithForces<K>) || !f.has_m_or_c());
  for (std::size_t e = elements.begin; e < elements.end; ++e) {
    if (rows_alone) {
      add_rows_of(e, q, common, f, unknowns, values);
      continue;
    }
    const Nodes<n_nodes> n = gather(q, e);
    const Context c = context_of(q, common, e);
    Tangents<K> t;
    // K is there in any case: rows alone give a geometric tangent.
    t.K.setZero();
    if constexpr (WithInertia<K>) t.M.setZero();
    if constexpr (WithInertia<K> || WithForces<K>) t.C.setZero();
    if constexpr (WithInertia<K>) K::add_inertia_tangents_to(data_[e], n, c, t);
    if constexpr (WithForces<K>) K::add_force_tangents_to(data_[e], n, c, t);
    Gradient<K> B;
    if constexpr (WithRows<K>) {
      B.setZero();
      K::add_geometric_tangent_to(data_[e], n, c, multipliers(q, e), t.K);
      K::gradient(data_[e], n, c, B);
    }
    const typename Base::Products products{WithInertia<K> ? &t.M : nullptr,
                                           WithInertia<K> || WithForces<K> ? &t.C : nullptr, t.K,
                                           WithRows<K> ? &B : nullptr};
    if constexpr (TurnsAlone<K>)
      Base::add_turns_to(e, products, f, force_scale, unknowns, values.data());
    else
      Base::add_products_to(e, products, f, force_scale, unknowns, values.data());
  }
}

template <class K>
void Batch<K>::add_rows_of(std::size_t e, const State& q, const Context& common, const Factors& f,
                           std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithRows<K>) {
    Gradient<K> B = Gradient<K>::Zero();
    K::gradient(data_[e], gather(q, e), context_of(q, common, e), B);
    Base::add_rows_and_columns_to(e, B, f, unknowns, values.data());
  }
}

// The rows of B alone, for methods that solve for multipliers apart from forces.
template <class K>
void Batch<K>::set_gradient(Elements elements, const State& q, const Context& common, const Factors& f,
                            std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithRows<K>)
    for (std::size_t e = elements.begin; e < elements.end; ++e) {
      Gradient<K> B = Gradient<K>::Zero();
      K::gradient(data_[e], gather(q, e), context_of(q, common, e), B);
      Base::clear_rows(e, unknowns, values);
      Base::scatter_rows(e, B, f, unknowns, values);
    }
}

// Kinds without rows are never asked; the function exists for the common interface.
template <class K>
std::string Batch<K>::row_name(int local) const {
  if constexpr (WithRows<K>) return std::string(K::row_names[local]);
  return {};
}

template <class K>
bool Batch<K>::row_is_length(int local) const {
  if constexpr (WithRows<K>) return K::row_is_length[local];
  return false;
}

// Of kinds that give the tangent D_q (B^T lambda) only: with lambda a unit vector it is the derivative of one row of B.
template <class K>
Gradient<K> Batch<K>::velocity_gradient(std::size_t e, const Nodes<n_nodes>& n, const Context& c) const {
  Gradient<K> Z = Gradient<K>::Zero();
  if constexpr (WithVelocityGradient<K>)
    K::velocity_gradient(data_[e], n, c, Z);
  else if constexpr (WithRows<K>)
    for (int r = 0; r < n_rows; ++r) {
      Block<K> G = Block<K>::Zero();
      K::add_geometric_tangent_to(data_[e], n, c, Rows<K>::Unit(r), G);
      Z.row(r).noalias() = Base::velocities(n).transpose() * G;
    }
  return Z;
}

// Z may take one geometric tangent for each row; only methods that need it ask for it.
template <class K>
void Batch<K>::add_velocity_tangents_to(Elements elements, const State& q, const Context& common, const Factors& f,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const {
  if constexpr (WithRows<K>)
    for (std::size_t e = elements.begin; e < elements.end; ++e)
      Base::scatter_rows(e, velocity_gradient(e, gather(q, e), context_of(q, common, e)), f, unknowns, values);
}

// Explicit time derivatives are zero but for driven rows: kinds set only what depends on time.
template <class K>
void Batch<K>::set_rates(Elements elements, const State& q, const Context& common, std::span<double> Bv,
                         std::span<double> phi_t, std::span<double> gamma) const {
  if constexpr (WithRows<K>)
    for (std::size_t e = elements.begin; e < elements.end; ++e) {
      const Nodes<n_nodes> n = gather(q, e);
      const Context c = context_of(q, common, e);
      Gradient<K> B = Gradient<K>::Zero();
      K::gradient(data_[e], n, c, B);
      Rows<K> first = Rows<K>::Zero();
      Rows<K> second = Rows<K>::Zero();
      if constexpr (Driven<K>) K::time_derivatives(data_[e], c, first, second);
      Base::set_velocities_of(e, n, B, first, Bv, phi_t);
      if (!gamma.empty()) Base::set_gamma_of(e, n, velocity_gradient(e, n, c), second, gamma);
    }
}

// The search ends with the first: the message names one element. Joints that have come apart may be anywhere.
template <class K>
int Batch<K>::first_mirrored(const State& q) const {
  if constexpr (WithMirror<K>)
    for (std::size_t e = 0; e < size(); ++e)
      if (!q.dropped.is_open(static_cast<int>(row(e))) && K::mirrored(data_[e], gather(q, e)))
        return static_cast<int>(e);
  return -1;
}

// Lanes have packed constants alone.
template <class K>
int Batch<K>::first_past_bound(const State& before, const State& now) const {
  if constexpr (WithBound<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      bool past;
      if constexpr (InLanes<K>)
        past = K::passes_bound(packed(e), static_cast<int>(e % math::Lanes::count), gather(before, e), gather(now, e));
      else
        past = K::passes_bound(data_[e], gather(before, e), gather(now, e), context_of(before, Context{}, e).history);
      if (past) return static_cast<int>(e);
    }
  return -1;
}

// Lanes have one function for all that is observed, of which energies are a part.
template <class K>
Energies Batch<K>::energies(const State& q, const Context& c) const {
  if constexpr (InLanes<K>) return observe_in_lanes(0, size(), q, c, nullptr, 0).energies;
  Energies sum;
  if constexpr (WithEnergies<K>)
    for (std::size_t e = 0; e < size(); ++e) sum += K::energies(data_[e], gather(q, e), context_of(q, c, e));
  return sum;
}

// Drives work through their multipliers.
template <class K>
double Batch<K>::power(const State& q, const Context& c) const {
  if constexpr (InLanes<K> && WithPower<K>) return power_in_lanes(q);
  double sum = 0;
  if constexpr (!InLanes<K> && (WithPower<K> || Driven<K>))
    for (std::size_t e = 0; e < size(); ++e) {
      if constexpr (WithPower<K>) sum += K::power(data_[e], gather(q, e), context_of(q, c, e));
      if constexpr (Driven<K>) {  // v^T (-B^T lambda) = lambda^T Phi_t
        Rows<K> first = Rows<K>::Zero();
        Rows<K> second = Rows<K>::Zero();
        K::time_derivatives(data_[e], context_of(q, c, e), first, second);
        sum += multipliers(q, e).dot(first);
      }
    }
  return sum;
}

// From zero, and without what the element remembers: angles begin in (-pi, pi].
template <class K>
void Batch<K>::initialize_history(State& q, const Context& c) const {
  if constexpr (WithHistory<K>)
    for (std::size_t e = 0; e < size(); ++e) {
      double* h = q.history.data() + first_history_ + e * K::history;
      std::fill_n(h, K::history, 0.0);
      K::update_history(data_[e], gather(q, e), c, h);
    }
}

// In place: h holds the numbers of the last accepted state when the kind is called, and those of q afterwards.
template <class K>
void Batch<K>::update_history(State& q, const Context& c) const {
  if constexpr (WithHistory<K>)
    for (std::size_t e = 0; e < size(); ++e)
      K::update_history(data_[e], gather(q, e), c, q.history.data() + first_history_ + e * K::history);
}

// q has the multipliers and internal variables of its own configuration: reactions and counted angles come from them.
template <class K>
void Batch<K>::write_outputs(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                             std::size_t stride) const {
  if constexpr (InLanes<K>)
    observe_in_lanes(first, count, q, c, out, stride);
  else if constexpr (WithOutputs<K>)
    for (std::size_t e = first; e < first + count; ++e, out += stride)
      K::write_outputs(data_[e], gather(q, e), context_of(q, c, e), multipliers(q, e),
                       q.history.data() + first_history_ + e * K::history, out);
}

// The momenta of the nodes are M v, the forces of inertia of accelerations v at rest; elements see to it that a rigid
// motion of all their nodes has the linear and the angular momentum of the whole.
template <class K>
void Batch<K>::add_momentum_of(std::size_t e, const State& q, const Context& common, Totals& totals) const {
  if constexpr (WithInertia<K>) {
    std::array<Vec6, n_nodes> still;
    still.fill(Vec6::Zero());
    const auto at_rest = [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto& at = nodes_[e];
      return Nodes<n_nodes>{Node{q.x[at[I]], q.quat[at[I]], q.R[at[I]], still[I], q.v[at[I]]}...};
    };
    const Nodes<n_nodes> n = at_rest(std::make_index_sequence<n_nodes>{});
    Context weightless = context_of(q, common, e);
    weightless.gravity.setZero();
    Vector<K> p = Vector<K>::Zero();
    K::add_inertia_to(data_[e], n, weightless, p);
    Base::add_momentum_to(e, q, p, totals);
  }
  if constexpr (WithMomentum<K>) totals.angular += q.R[nodes_[e][0]] * K::momentum(data_[e], context_of(q, common, e));
}

// Momenta of kinds without inertia are zero, but for rotors.
template <class K>
Totals Batch<K>::observe(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                         std::size_t stride) const {
  if constexpr (InLanes<K>) return observe_in_lanes(first, count, q, c, out, stride);
  if (out) write_outputs(first, count, q, c, out, stride);
  Totals sum;
  for (std::size_t e = first; e < first + count; ++e) {
    if constexpr (WithEnergies<K>) sum.energies += K::energies(data_[e], gather(q, e), context_of(q, c, e));
    add_momentum_of(e, q, c, sum);
  }
  return sum;
}

// Kinds in lanes declare no breakpoints, so that data_ is not empty where this loop is compiled.
template <class K>
void Batch<K>::add_breakpoints_to(double t0, double t1, std::vector<double>& out) const {
  if constexpr (WithBreakpoints<K>)
    for (const auto& d : data_) K::breakpoints(d, t0, t1, out);
}

template <class K>
void Batch<K>::each_actuator(std::size_t element, const State& q, const Context& c,
                             const BatchActuators::VisitActuator& visit) const {
  if constexpr (WithSignals<K>)
    K::each_actuator(data_[element], gather(q, element), context_of(q, c, element),
                     [&](const TimeFunction& function, const Vector<K>& by_function) {
                       visit(function, {by_function.data(), static_cast<std::size_t>(by_function.size())});
                     });
}

template <class K>
void Batch<K>::each_drive([[maybe_unused]] std::size_t element,
                          [[maybe_unused]] const BatchActuators::VisitDrive& visit) const {
  if constexpr (Driven<K>) K::each_drive(data_[element], visit);
}

}  // namespace polhode::model
