// SPDX-License-Identifier: BSD-3-Clause
// Compares what a kind declares (capabilities.hpp) with the functions that it has, when a batch of it is compiled.
//
// For each capability there are two questions. Offers...<K>: are all functions there, with the arguments and results of
// the contract? Names...<K>: is there any function of one of the names, whatever its signature? Declared kinds must
// offer, all others must not even name. (The address of a template cannot be taken: templates count as named where a
// call as in the contract compiles.)
#pragma once
#include <concepts>

#include "polhode/model/discrete.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::model::checks {

template <class K>
using Data = typename K::Data;
template <class K>
using At = Nodes<K::nodes>;
template <class K>
using Step = ElementStep<K::nodes>;

// r and t accumulate, hence no result. M, C and K come together: a method may ask for any of them.
template <class K>
concept OffersInertia = requires(const Data<K>& d, const At<K>& n, const Context& c, Vector<K>& r, Tangents<K>& t) {
  { K::add_inertia_to(d, n, c, r) } -> std::same_as<void>;
  { K::add_inertia_tangents_to(d, n, c, t) } -> std::same_as<void>;
};
template <class K>
concept NamesInertia = OffersInertia<K> || requires {
  &K::add_inertia_to;
} || requires {
  &K::add_inertia_tangents_to;
};

// C and K come together, too, even where one of them is zero.
template <class K>
concept OffersForces = requires(const Data<K>& d, const At<K>& n, const Context& c, Vector<K>& r, Tangents<K>& t) {
  { K::add_forces_to(d, n, c, r) } -> std::same_as<void>;
  { K::add_force_tangents_to(d, n, c, t) } -> std::same_as<void>;
};
template <class K>
concept NamesForces = OffersForces<K> || requires {
  &K::add_forces_to;
} || requires {
  &K::add_force_tangents_to;
};

// As many names and units as there are rows; else it counts as not offered.
template <class K>
concept OffersRows = requires(const Data<K>& d, const At<K>& n, const Context& c, Rows<K>& phi, Gradient<K>& B,
                              const Rows<K>& lambda, Block<K>& G) {
  { K::constraint(d, n, c, phi) } -> std::same_as<void>;
  { K::gradient(d, n, c, B) } -> std::same_as<void>;
  { K::add_geometric_tangent_to(d, n, c, lambda, G) } -> std::same_as<void>;
  {std::string_view(K::row_names[0])};
  {bool(K::row_is_length[0])};
}
&&K::row_names.size() == K::rows&& K::row_is_length.size() == K::rows;
template <class K>
concept NamesRows = requires {
  &K::constraint;
}
|| requires { &K::gradient; }
|| requires { &K::add_geometric_tangent_to; }
|| requires { K::row_names; }
|| requires { K::row_is_length; };

// phi_t and phi_tt, which are zero before the call; of rows only.
struct AnyDrive {
  void operator()(const TimeFunction&, int) const {}
};
template <class K>
concept OffersDrives = (K::rows > 0) && requires(const Data<K>& d, const Context& c, Rows<K>& a) {
  { K::time_derivatives(d, c, a, a) } -> std::same_as<void>;
  { K::each_drive(d, AnyDrive{}) } -> std::same_as<void>;
};
template <class K>
concept NamesDrives = OffersDrives<K> || requires {
  &K::time_derivatives;
};

// Z is zero before the call; of rows only.
template <class K>
concept OffersVelocityGradient = (K::rows > 0) &&
                                 requires(const Data<K>& d, const At<K>& n, const Context& c, Gradient<K>& Z) {
  { K::velocity_gradient(d, n, c, Z) } -> std::same_as<void>;
};
template <class K>
concept NamesVelocityGradient = OffersVelocityGradient<K> || requires {
  &K::velocity_gradient;
};

// No context: which branch rows are on depends on the configuration alone.
template <class K>
concept OffersMirror = requires(const Data<K>& d, const At<K>& n) {
  { K::mirrored(d, n) } -> std::same_as<bool>;
};
template <class K>
concept NamesMirror = OffersMirror<K> || requires {
  &K::mirrored;
};

// Kinds in lanes give the packed data of a group, and the lane, in the place of the data of one element.
template <class K>
concept OffersBound = requires(const Data<K>& d, const At<K>& before, const At<K>& now, const double* h) {
  { K::passes_bound(d, before, now, h) } -> std::same_as<bool>;
}
|| requires(const typename K::template DataOf<Lanes>& d, int lane, const At<K>& before, const At<K>& now) {
  { K::passes_bound(d, lane, before, now) } -> std::same_as<bool>;
};
template <class K>
concept NamesBound = OffersBound<K> || requires {
  &K::passes_bound;
};

// All three energies at once: they share the strains and the velocities of an element.
template <class K>
concept OffersEnergies = requires(const Data<K>& d, const At<K>& n, const Context& c) {
  { K::energies(d, n, c) } -> std::same_as<Energies>;
};
template <class K>
concept NamesEnergies = OffersEnergies<K> || requires {
  &K::energies;
};

// An expression of Eigen will do as the result.
template <class K>
concept OffersMomentum = requires(const Data<K>& d, const Context& c) {
  { K::momentum(d, c) } -> std::convertible_to<Vec3>;
};
template <class K>
concept NamesMomentum = OffersMomentum<K> || requires {
  &K::momentum;
};

// W, of loads and dampers on the model. Kinds in lanes say first whether a group has any.
template <class K>
concept OffersPower = requires(const Data<K>& d, const At<K>& n, const Context& c) {
  { K::power(d, n, c) } -> std::same_as<double>;
}
|| requires(const typename K::template DataOf<Lanes>& d, const NodesOf<K::nodes, Lanes>& n) {
  { K::has_power(d) } -> std::same_as<bool>;
  { K::power(d, n) } -> std::same_as<Lanes>;
};
template <class K>
concept NamesPower = OffersPower<K> || requires {
  &K::power;
};

// h is changed in place: the numbers of the last accepted state on entry, those of this one on return.
template <class K>
concept OffersHistory = requires(const Data<K>& d, const At<K>& n, const Context& c, double* h) {
  { K::update_history(d, n, c, h) } -> std::same_as<void>;
};
template <class K>
concept NamesHistory = OffersHistory<K> || requires {
  &K::update_history;
};

// How many numbers are written is said at run time, by KindInfo::outputs.
template <class K>
concept OffersOutputs = requires(const Data<K>& d, const At<K>& n, const Context& c, const Rows<K>& lambda,
                                 const double* h, double* out) {
  { K::write_outputs(d, n, c, lambda, h, out) } -> std::same_as<void>;
};
template <class K>
concept NamesOutputs = OffersOutputs<K> || requires {
  &K::write_outputs;
};

// Times between two others, in s, are appended.
template <class K>
concept OffersBreakpoints = requires(const Data<K>& d, std::vector<double>& out) {
  { K::breakpoints(d, 0.0, 1.0, out) } -> std::same_as<void>;
};
template <class K>
concept NamesBreakpoints = OffersBreakpoints<K> || requires {
  &K::breakpoints;
};

// Any function and direction will do.
struct AnyActuator {
  template <class Force>
  void operator()(const TimeFunction&, const Force&) const {}
};
template <class K>
concept OffersSignals = requires(const Data<K>& d, const At<K>& n, const Context& c) {
  { K::each_actuator(d, n, c, AnyActuator{}) } -> std::same_as<void>;
};
template <class K>
concept NamesSignals = OffersSignals<K>;

// G is zero before the call, S accumulates; of rows only.
template <class K>
concept OffersMeanRows = (K::rows > 0) && requires(const Data<K>& d, const Step<K>& s, const Rows<K>& lambda,
                                                   Gradient<K>& G, Block<K>& S) {
  { K::mean_gradient(d, s, G) } -> std::same_as<void>;
  { K::add_mean_tangent_to(d, s, lambda, S) } -> std::same_as<void>;
};
template <class K>
concept NamesMeanRows = OffersMeanRows<K> || requires {
  &K::mean_gradient;
} || requires {
  &K::add_mean_tangent_to;
};

// r and S accumulate; both have inertial moments.
template <class K>
concept OffersDiscreteForces = requires(const Data<K>& d, const Step<K>& s, Vector<K>& r, Block<K>& S) {
  { K::add_discrete_forces_to(d, s, r) } -> std::same_as<void>;
  { K::add_discrete_force_tangents_to(d, s, S) } -> std::same_as<void>;
};
template <class K>
concept NamesDiscreteForces = OffersDiscreteForces<K> || requires {
  &K::add_discrete_forces_to;
} || requires {
  &K::add_discrete_force_tangents_to;
};

// Both in J.
template <class K>
concept OffersMidpoint = requires(const Data<K>& d, const Step<K>& s) {
  { K::discrete_energy(d, s) } -> std::same_as<double>;
  { K::discrete_work(d, s) } -> std::same_as<double>;
};
template <class K>
concept NamesMidpoint = OffersMidpoint<K> || requires {
  &K::discrete_energy;
} || requires {
  &K::discrete_work;
};

// Of kinds in lanes only what others do not have: their functions are templates, which the batch calls in any case.
template <class K>
concept OffersLanes = requires(const std::array<const Data<K>*, Lanes::count>& data) {
  typename K::template DataOf<Lanes>;
  { K::pack(data) } -> std::same_as<typename K::template DataOf<Lanes>>;
  {int(K::outputs)};
};
template <class K>
concept NamesLanes = requires {
  typename K::template DataOf<Lanes>;
}
|| requires { &K::pack; };

// Declared and offered, or neither declared nor named.
template <bool declared, bool offers, bool names>
inline constexpr bool agree = declared ? offers : !names;

}  // namespace polhode::model::checks

namespace polhode::model {

// Does not compile unless the functions of K are those that it declares; else true.
template <class K>
consteval bool checked_kind() {
  using namespace checks;
  static_assert(
      requires {
        { K::capabilities } -> std::convertible_to<Capabilities>;
      },
      "a kind declares what it can do: static constexpr model::Capabilities capabilities = model::can::...");
  // Each assertion names the functions that belong together, so that the message is all that a reader needs.
  constexpr Capabilities declared = K::capabilities;
  // Declared by numbers: rows and internal variables.
  static_assert(
      agree<(K::rows > 0), OffersRows<K>, NamesRows<K>>,
      "rows > 0 and constraint, gradient, add_geometric_tangent_to, row_names, row_is_length belong together");
  static_assert(agree<(K::history > 0), OffersHistory<K>, NamesHistory<K>>,
                "history > 0 and update_history belong together");
  // What residual and tangents are made of, and what rows may have beside.
  static_assert(agree<declared.has(can::inertia), OffersInertia<K>, NamesInertia<K>>,
                "can::inertia and add_inertia_to, add_inertia_tangents_to belong together");
  static_assert(agree<declared.has(can::forces), OffersForces<K>, NamesForces<K>>,
                "can::forces and add_forces_to, add_force_tangents_to belong together");
  static_assert(agree<declared.has(can::drives), OffersDrives<K>, NamesDrives<K>>,
                "can::drives and rows, time_derivatives, each_drive belong together");
  static_assert(agree<declared.has(can::velocity_gradient), OffersVelocityGradient<K>, NamesVelocityGradient<K>>,
                "can::velocity_gradient and rows, velocity_gradient belong together");
  static_assert(agree<declared.has(can::mirror), OffersMirror<K>, NamesMirror<K>>,
                "can::mirror and mirrored belong together");
  static_assert(agree<declared.has(can::bound), OffersBound<K>, NamesBound<K>>,
                "can::bound and passes_bound belong together");
  // What is observed of accepted states.
  static_assert(agree<declared.has(can::energies), OffersEnergies<K>, NamesEnergies<K>>,
                "can::energies and energies belong together");
  static_assert(agree<declared.has(can::momentum), OffersMomentum<K>, NamesMomentum<K>>,
                "can::momentum and momentum belong together");
  static_assert(agree<declared.has(can::power), OffersPower<K>, NamesPower<K>>, "can::power and power belong together");
  static_assert(agree<declared.has(can::outputs), OffersOutputs<K>, NamesOutputs<K>>,
                "can::outputs and write_outputs belong together");
  static_assert(agree<declared.has(can::breakpoints), OffersBreakpoints<K>, NamesBreakpoints<K>>,
                "can::breakpoints and breakpoints belong together");
  static_assert(agree<declared.has(can::signals), OffersSignals<K>, NamesSignals<K>>,
                "can::signals and each_actuator belong together");
  // Forms over a step.
  static_assert(agree<declared.has(can::mean_rows), OffersMeanRows<K>, NamesMeanRows<K>>,
                "can::mean_rows and rows, mean_gradient, add_mean_tangent_to belong together");
  static_assert(agree<declared.has(can::discrete_forces), OffersDiscreteForces<K>, NamesDiscreteForces<K>>,
                "can::discrete_forces and add_discrete_forces_to, add_discrete_force_tangents_to belong together");
  static_assert(agree<declared.has(can::midpoint), OffersMidpoint<K>, NamesMidpoint<K>>,
                "can::midpoint and discrete_energy, discrete_work belong together");
  static_assert(!declared.has(can::midpoint) || declared.has(can::discrete_forces),
                "can::midpoint needs can::discrete_forces");
  // Side by side, instead of inertia, forces, energies and outputs.
  static_assert(agree<declared.has(can::lanes), OffersLanes<K>, NamesLanes<K>>,
                "can::lanes and DataOf<S>, pack, outputs belong together");
  return true;
}

}  // namespace polhode::model
