// SPDX-License-Identifier: BSD-3-Clause
// Two-node cable element: a bar of large displacements without bending and torsion, which may go slack (Crisfield,
// Non-linear Finite Element Analysis of Solids and Structures 1, 1991, section 3.3; the engineering strain there).
//
// With d = x_2 - x_1, l = |d|, t = d/l, L the length without strain, m the mass per length:
//   strain    epsilon = (l - L)/L,   epsilon' = t . (u_2 - u_1)/L
//   tension   N = max(EA epsilon + D epsilon', 0), which pushes never; without the bound 0 of cables that never go slack
//   forces    r_2 = N t = -r_1;   energy  L EA max(epsilon, 0)^2/2,   power of the rest  -(N - EA max(epsilon, 0)) l',
//             never positive: N - EA max(epsilon, 0) has the sign of epsilon' wherever it is not zero
//   inertia   velocity linear: r_i = m L sum_j w_ij (xddot_j - gamma), w_ij = 1/3 (i = j), 1/6;
//             damping proportional to mass alpha adds alpha m L sum_j w_ij u_j
// An element of length zero has no direction: l = sqrt(d.d + (1e-8 L)^2).
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::elements {

// Several elements at a time in the lanes of a vector register (polhode/model/lanes.hpp). S is double or math::Lanes.
struct Cable {
  static constexpr std::string_view name = "cable";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr bool moves_alone = true;
  static constexpr model::Capabilities capabilities = model::can::lanes | model::can::power;
  // As a beam's: strains and forces in the order N Qy Qz Mx My Mz, of which the first are not zero.
  static constexpr int outputs = 12;
  template <class S>
  struct DataOf {
    // L, m
    S length;
    // EA, N
    S stiffness;
    // D, N s
    S damping;
    // m, kg/m
    S mass;
    // alpha, 1/s
    S mass_damping;
    // Lower bound of the tension, N, and of the strain that has energy: 0, or minus infinity of cables that take pressure
    S least;
    // Whether there is any damping. A flag of all lanes.
    bool damped;
    bool operator==(const DataOf&) const = default;
  };
  using Data = DataOf<double>;
  template <class S>
  using NodesOf = model::NodesOf<2, S>;

  // As elements/beams/beam/beam.hpp has them, of forces alone.
  static DataOf<math::Lanes> pack(const std::array<const Data*, math::Lanes::count>& data);
  template <class S>
  static void add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts,
                     model::PointVectorOf<2, S>& r);
  template <class S>
  static void add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c,
                              model::PointTangentSink<2, S>& t);
  static bool has_power(const DataOf<math::Lanes>& d) { return d.damped; }
  template <class S>
  static S power(const DataOf<S>& d, const NodesOf<S>& n);
  template <class S>
  static model::Observed<outputs, S> observe(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c);
  // Taut and slack, damped or not, with pressure or without.
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo cable_info;

}  // namespace polhode::elements
