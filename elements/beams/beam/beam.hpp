// SPDX-License-Identifier: BSD-3-Clause
// Two-node geometrically exact beam (Simo & Vu-Quoc 1988; Lens & Cardona 2008), one integration point, exact tangents.
//
// Section frames Q_i = R_i E_i (E_i constant, x along the beam), psi = log(Q_1^T Q_2), mid frame Q_m = Q_1 exp(psi/2):
//   strains   Gamma = Q_m^T (x_2 - x_1)/L - e_1,  kappa = psi/L;   energy (L/2) [Gamma; kappa]^T C [Gamma; kappa]
//   inertia   velocity, lever Q c and body angular velocity interpolated linearly (consistent mass matrix), weights
//             w_ij = L/3 (i = j), L/6:  force i  = m sum_j w_ij (xddot_j + lddot_j - gamma),  l_j = Q_j c,
//             moment i = sum_j w_ij (J Omegadot_j) + Omega_i x sum_j w_ij J Omega_j + m c x Q_i^T sum_j w_ij (xddot_j - gamma)
// Both are objective: a rigid motion of the whole changes neither strains nor energy. With [N; M] = C [Gamma; kappa], g = Gamma + e_1,
// nhat = L N x g, A = (I + tau psi~)/2 and T the tangent operator at psi, the internal forces are
//   f_2 = Q_m N = -f_1,   m_2 = A^T nhat + T^-T M,   m_1 = A nhat - T^-1 M.
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements {

struct Beam {
  static constexpr std::string_view name = "beam";
  static constexpr int nodes = 2, rows = 0, history = 0;
  struct Data {
    double length;                             // m
    std::array<math::so3::Quaternion, 2> E;    // section's frame to node's frame
    std::array<bool, 2> turned;                // E is not the identity
    math::Mat3 C11, C12, C22;                  // stiffness: N, N m, N m^2
    double mass;                               // kg/m
    math::Vec3 c;                              // m, centre of mass of the section, its frame
    math::Mat3 J;                              // kg m, about the axis, its frame
  };
  using Nodes = model::Nodes<2>;
  using Vector = model::Vector<Beam>;
  using Tangents = model::Tangents<Beam>;

  static void add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, Vector& r);
  static void add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c, Tangents& t);
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, Vector& r);
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, Tangents& t);
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  static void write_outputs(const Data& d, const Nodes& n, const model::Context& c, const model::Rows<Beam>&, const double*, double* out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo beam_info;

}  // namespace polhode::elements
