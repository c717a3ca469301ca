// SPDX-License-Identifier: BSD-3-Clause
// Strains and section forces of the two-node beam: what residual, tangent and outputs have in common.
// With q the relative unit quaternion of the section frames: psi = log(q), and (1 + q)/|1 + q| is the rotation
// half-way.
#pragma once
#include "elements/beams/beam/beam.hpp"

namespace polhode::elements {

// Everything in the frame Q_m half-way unless it says otherwise. Allocates nothing, has no branch but `turned`.
template <class S>
struct BeamStrain {
  // Frame half-way to inertial frame
  math::Mat3Of<S> Q;
  // Relative rotation vector log(Q_1^T Q_2), rad
  math::Vec3Of<S> psi;
  // |psi|^2
  S s;
  // g = Gamma + e_1
  math::Vec3Of<S> g;
  // Strains: elongation and shears without unit, twist and curvatures in 1/m
  math::Vec3Of<S> Gamma;
  math::Vec3Of<S> kappa;
  // Section force and moment, N and N m, of the stiffness alone until add_damping(); the face whose normal points to the
  // second node feels them from what follows
  math::Vec3Of<S> N;
  math::Vec3Of<S> M;

  void add_damping(const Beam::DataOf<S>& d, const math::Vec3Of<S>& Gamma_rate, const math::Vec3Of<S>& kappa_rate) {
    N += d.D11 * Gamma_rate + d.D12 * kappa_rate;
    M += d.D12.transpose() * Gamma_rate + d.D22 * kappa_rate;
  }

  BeamStrain(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n) {
    using namespace math::so3;
    const QuaternionOf<S> q1 = d.turned ? product(n[0].quat, d.E[0]) : n[0].quat;
    const QuaternionOf<S> q2 = d.turned ? product(n[1].quat, d.E[1]) : n[1].quat;
    QuaternionOf<S> relative = product(conjugate(q1), q2);
    // q and -q are the same rotation; that with w >= 0 has the angle below half a turn, which is the one meant
    relative *= math::so3::each_of([](double w) { return w < 0 ? -1.0 : 1.0; }, relative[0]);
    psi = log_factor(S(relative.template tail<3>().squaredNorm()), relative[0]) * relative.template tail<3>();
    s = psi.squaredNorm();
    relative[0] += S(1);  // 1 + q points half-way
    using std::sqrt;
    const S norm = sqrt(S(relative.squaredNorm()));
    relative *= S(1) / norm;
    Q = rotation_matrix(product(q1, relative));
    const S per_length = S(1) / d.length;
    g = Q.transpose() * (n[1].x - n[0].x) * per_length;
    Gamma = g;
    Gamma[0] -= S(1);
    kappa = psi * per_length;
    N = d.C11 * Gamma + d.C12 * kappa;
    M = d.C12.transpose() * Gamma + d.C22 * kappa;
  }
};

// Rates of the strains, for elements with damping, in the frame half-way. With Omega_i the angular velocities of the
// ends in their section's axes, the frame half-way turns with A^T Omega_1 + A Omega_2, and psi changes by
// T^-1 Omega_2 - T^-T Omega_1.
template <class S>
struct BeamRates {
  // Omega_1 + Omega_2, Omega_2 - Omega_1, and angular velocity of the frame half-way: rad/s
  math::Vec3Of<S> sum;
  math::Vec3Of<S> difference;
  math::Vec3Of<S> Omega;
  // Q_m^T (u_2 - u_1)/L, 1/s
  math::Vec3Of<S> stretch;
  // 1/s, 1/(m s)
  math::Vec3Of<S> Gamma;
  math::Vec3Of<S> kappa;

  BeamRates(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, const BeamStrain<S>& e, const S& eta, const S& tau) {
    using Vec3 = math::Vec3Of<S>;
    const S half(0.5);
    const S per_length = S(1) / d.length;
    Vec3 Omega_1 = n[0].Omega;
    Vec3 Omega_2 = n[1].Omega;
    if (d.turned) {
      Omega_1 = math::so3::rotation_matrix(d.E[0]).transpose() * n[0].Omega;
      Omega_2 = math::so3::rotation_matrix(d.E[1]).transpose() * n[1].Omega;
    }
    sum = Omega_1 + Omega_2;
    difference = Omega_2 - Omega_1;
    const Vec3 turned = e.psi.cross(difference);
    Omega = half * (sum + tau * turned);
    stretch = e.Q.transpose() * (n[1].u - n[0].u) * per_length;
    Gamma = stretch + e.g.cross(Omega);
    kappa = per_length * (difference + half * e.psi.cross(sum) + eta * e.psi.cross(turned));
  }
};

}  // namespace polhode::elements
