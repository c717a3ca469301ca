// SPDX-License-Identifier: BSD-3-Clause
// Two-node geometrically exact beam (Simo & Vu-Quoc 1988; Lens & Cardona 2008), one integration point, exact tangents.
//
// Section frames Q_i = R_i E_i (E_i constant, x along the beam), psi = log(Q_1^T Q_2), mid frame Q_m = Q_1 exp(psi/2):
//   strains   Gamma = Q_m^T (x_2 - x_1)/L - e_1,  kappa = psi/L;   energy (L/2) [Gamma; kappa]^T C [Gamma; kappa]
//   inertia   velocity, lever Q c and body angular velocity interpolated linearly (consistent mass matrix), weights
//             w_ij = L/3 (i = j), L/6:  force i  = m sum_j w_ij (xddot_j + lddot_j - gamma),  l_j = Q_j c,
//             moment i = sum_j w_ij (J Omegadot_j) + Omega_i x sum_j w_ij J Omega_j
//                        + m c x Q_i^T sum_j w_ij (xddot_j - gamma)
// Both are objective: a rigid motion of the whole changes neither strains nor energy. With [N; M] = C [Gamma; kappa], g
// = Gamma + e_1, nhat = L N x g, A = (I + tau psi~)/2 and T the tangent operator at psi, the internal forces are
//   f_2 = Q_m N = -f_1,   m_2 = A^T nhat + T^-T M,   m_1 = A nhat - T^-1 M.
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::elements {

struct Beam {
  static constexpr std::string_view name = "beam";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::lanes;
  static constexpr int outputs = 12;
  template <class S>
  struct DataOf {
    S length;                                     // m
    std::array<math::so3::QuaternionOf<S>, 2> E;  // section's frame to node's frame
    bool turned;                                  // one of E is not the identity
    bool offset;                                  // c is not zero
    // stiffness: N, N m, N m^2
    math::Mat3Of<S> C11;
    math::Mat3Of<S> C12;
    math::Mat3Of<S> C22;
    S mass;             // kg/m
    math::Vec3Of<S> c;  // m, centre of mass of the section, its frame
    math::Mat3Of<S> J;  // kg m, about the axis, its frame
    bool operator==(const DataOf&) const = default;
  };
  using Data = DataOf<double>;
  template <class S>
  using NodesOf = model::NodesOf<2, S>;

  static DataOf<math::Lanes> pack(const std::array<const Data*, math::Lanes::count>& data);
  template <class S>
  static void add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts,
                     model::VectorOf<2, S>& r);
  template <class S>
  static void add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c,
                              model::TangentSink<2, S>& t);
  template <class S>
  static model::Observed<outputs, S> observe(const DataOf<S>& d, const NodesOf<S>& n,
                                             const model::ContextOf<S>& c);  // Gamma, kappa, N, M
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo beam_info;

}  // namespace polhode::elements
