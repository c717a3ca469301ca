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
// Damping adds D [Gamma; kappa]' to [N; M]. Damping proportional to mass is alpha M v, with the mass matrix M of the
// inertia: alpha times the momenta of the nodes.
#pragma once
#include <random>

#include "elements/beams/section_law.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"
#include "polhode/model/lanes.hpp"

namespace polhode::elements {

// The kind of straight, uniform elements of order 1 with reduced integration, several at a time in the lanes
// of a vector register (polhode/model/lanes.hpp). S is double or math::Lanes. No function allocates or fails; nodes of
// an element turn against each other by less than half a turn.
struct Beam {
  static constexpr std::string_view name = "beam";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities = model::can::lanes | model::can::power | model::can::bound;
  // Gamma, kappa, N, M: three numbers each.
  static constexpr int outputs = 12;
  // Constants of one element; the law is in the frame of the section.
  template <class S>
  struct DataOf : SectionLaw<S> {
    // Of the element without strain, m.
    S length;
    // Section's frame to node's frame at both ends, (w, x, y, z).
    std::array<math::so3::QuaternionOf<S>, 2> E;
    // One of E is not the identity. A flag of all lanes: where none is set the kernels save the products with E.
    bool turned;
    // c is not zero; a flag of all lanes, too.
    bool offset;
    // The section has a damping; a flag of all lanes, too.
    bool damped;
    // mass_damping is not zero; a flag of all lanes, too.
    bool mass_damped;
    // Of the section, kg/m.
    S mass;
    // Center of mass of the section, m, its frame.
    math::Vec3Of<S> c;
    // Inertia of the section about the axis of the beam, not about c: kg m, its frame.
    math::Mat3Of<S> J;
    // Of damping proportional to mass: alpha, 1/s.
    S mass_damping;
    RoundOff round_off{};
    bool operator==(const DataOf&) const = default;
  };
  using Data = DataOf<double>;
  template <class S>
  using NodesOf = model::NodesOf<2, S>;

  // But for round-off.
  static bool alike(const Data& a, const Data& b);
  // Puts the constants of several elements side by side; flags are set if one of the elements has them.
  static DataOf<math::Lanes> pack(const std::array<const Data*, math::Lanes::count>& data);
  // Adds the wrenches of the wanted parts to r, node by node: force (N, inertial) and moment (N m, node's frame).
  // Inertia is M vdot + gyroscopic terms - weight. `parts.constraints` is without meaning here.
  template <class S>
  static void add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts,
                     model::VectorOf<2, S>& r);
  // Adds the 3x3 blocks of M, C and K of inertia and internal forces to the sink, which multiplies them by right
  // factors.
  template <class S>
  static void add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c,
                              model::TangentSink<2, S>& t);
  // Whether one of these elements is damped; the power (W) of the damping on the model: of the strain rates never
  // positive, of the mass -2 alpha times the kinetic energy.
  static bool has_power(const DataOf<math::Lanes>& d) { return d.damped || d.mass_damped; }
  template <class S>
  static S power(const DataOf<S>& d, const NodesOf<S>& n);
  // Energies (J), momenta (inertial, about the origin), and the outputs Gamma, kappa (1/m), N (N), M (N m, both with
  // damping) in the frame half-way between the ends.
  template <class S>
  static model::Observed<outputs, S> observe(const DataOf<S>& d, const NodesOf<S>& n,
                                             const model::ContextOf<S>& c);  // Gamma, kappa, N, M
  // The ends turn against each other past half a turn, where psi jumps to the other side.
  // Nearly all elements have angles below a right one, before and now, which shows without any product.
  static bool passes_bound(const DataOf<math::Lanes>& d, int lane, const model::Nodes<2>& before,
                           const model::Nodes<2>& now) {
    constexpr double right_angle = 0.5;  // square of the cosine of half of it
    const double w0 = before[0].quat.dot(before[1].quat);
    const double w1 = now[0].quat.dot(now[1].quat);
    if (!d.turned && w0 * w0 > right_angle && w1 * w1 > right_angle) return false;
    return jumps(d, lane, {before[0].quat, before[1].quat}, {now[0].quat, now[1].quat});
  }
  // Random data, half of them with turned sections, half with an offset, half with damping by strain rates, and half
  // with damping by mass.
  static Data sample(std::mt19937& random);

 private:
  // Rotations of both ends
  struct Ends {
    const math::so3::Quaternion& a;
    const math::so3::Quaternion& b;
  };
  // The same by the logarithm's own sign. Of rotations alone: with nodes as arguments, those who look have to make them
  // for each element.
  static bool jumps(const DataOf<math::Lanes>& d, int lane, const Ends& before, const Ends& now);
};

extern const model::KindInfo beam_info;

}  // namespace polhode::elements
