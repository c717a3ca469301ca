// SPDX-License-Identifier: BSD-3-Clause
// Consistent inertia and weight of the two-node beam, damping proportional to its mass, and their tangents.
// Equations: beam.hpp. Velocities u_i, levers l_i = Q_i c and angular velocities Omega_i (section axes) are linear
// along the element, so kinetic energy and weight are
//   1/2 sum_ij w_ij (m u_i . u_j + 2 m u_i . ldot_j + Omega_i . J Omega_j),   -sum_i m L/2 gamma . (x_i + l_i).
// Interpolating components of Omega in the turning frames keeps the energy objective.
#pragma once
#include "elements/beams/beam/beam.hpp"

namespace polhode::elements {

// Rates of one end in section axes, and of its lever l = Q c.
// Without `turned` and `offset` it is a copy of Omega and Omegadot: Q, E and lddot are not set then.
template <class S>
struct BeamEnd {
  // used where the center of mass is offset, or the section turned
  // Section's frame to inertial frame; where the center of mass is offset
  math::Mat3Of<S> Q;
  // Section's frame to node's frame; where the section is turned
  math::Mat3Of<S> E;
  // rad/s and rad/s^2, section axes
  math::Vec3Of<S> Omega;
  math::Vec3Of<S> Omegadot;
  // m/s^2, section axes: Omegadot x c + Omega x (Omega x c)
  math::Vec3Of<S> lddot;

  bool turned;

  BeamEnd(const Beam::DataOf<S>& d, const model::NodeOf<S>& n, int i)
      : Omega(n.Omega), Omegadot(n.Omegadot), turned(d.turned) {
    if (d.turned) {
      E = math::so3::rotation_matrix(d.E[i]);
      Omega = E.transpose() * n.Omega;
      Omegadot = E.transpose() * n.Omegadot;
    }
    if (!d.offset) return;
    Q = math::so3::rotation_matrix(d.turned ? math::so3::product(n.quat, d.E[i]) : n.quat);
    lddot = Omegadot.cross(d.c) + Omega.cross(Omega.cross(d.c));
  }

  // Of a tangent: rows of moments from section axes to node axes, columns of rotations from node axes to section axes.
  math::Mat3Of<S> rows(const math::Mat3Of<S>& X) const { return turned ? math::Mat3Of<S>(E * X) : X; }
  math::Mat3Of<S> columns(const math::Mat3Of<S>& X) const { return turned ? math::Mat3Of<S>(X * E.transpose()) : X; }
};

// Integral of the shape functions L_i L_j over an element of unit length.
inline double beam_weight(int i, int j) { return i == j ? 1.0 / 3 : 1.0 / 6; }

// r += force_i (N, inertial) and moment_i (N m, node's frame) of both nodes. `a` is the weighted acceleration without
// gravity, sum_j w_ij (udot_j - gamma), which force and offset moment share.
template <class S>
void add_beam_inertia_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, const model::ContextOf<S>& c,
                         model::VectorOf<2, S>& r) {
  using Vec3 = math::Vec3Of<S>;
  const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
  for (int i = 0; i < 2; ++i) {
    const S w0 = d.length * S(beam_weight(i, 0));
    const S w1 = d.length * S(beam_weight(i, 1));
    const Vec3 a = w0 * n[0].udot + w1 * n[1].udot - (w0 + w1) * c.gravity;
    const Vec3 Jw = d.J * (w0 * end[0].Omega + w1 * end[1].Omega);
    Vec3 force = d.mass * a;
    Vec3 moment = d.J * (w0 * end[0].Omegadot + w1 * end[1].Omegadot) + end[i].Omega.cross(Jw);
    if (d.offset) {
      force += d.mass * (w0 * (end[0].Q * end[0].lddot) + w1 * (end[1].Q * end[1].lddot));
      moment += d.mass * d.c.cross(end[i].Q.transpose() * a);
    }
    if (d.turned) moment = (end[i].E * moment).eval();
    r.template segment<3>(6 * i) += force;
    r.template segment<3>(6 * i + 3) += moment;
  }
}

// Adds the exact derivatives by udot and Omegadot (M), Omega (C) and dTheta (K) of that. Blocks 2 i are translations of
// node i (rows: force), 2 i + 1 its rotation (rows: moment). K comes from the offset alone: l_j turns with node j, and
// c x Q_i^T a with node i.
template <class S>
void add_beam_inertia_tangents_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, const model::ContextOf<S>& c,
                                  model::TangentSink<2, S>& t) {
  using Vec3 = math::Vec3Of<S>;
  using Mat3 = math::Mat3Of<S>;
  const auto tilde = [](const Vec3& a) { return math::tilde_of<S>(a); };
  const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
  const std::array<Mat3, 2> J_m{t.with_m(0, end[0].columns(d.J)), t.with_m(1, end[1].columns(d.J))};
  for (int i = 0; i < 2; ++i) {
    Vec3 a = Vec3::Zero();
    const S w0 = d.length * S(beam_weight(i, 0));
    const S w1 = d.length * S(beam_weight(i, 1));
    // Omega_i x J Omega_j by Omega_j; the derivative by Omega_i has the sum of all Omega_j.
    const Mat3 OmegaJ = math::cross_left_of<S>(end[i].Omega, d.J);
    const Mat3 spin = tilde(d.J * (w0 * end[0].Omega + w1 * end[1].Omega));
    for (int j = 0; j < 2; ++j) {
      const S weight = j == 0 ? w0 : w1;
      a += weight * (n[j].udot - c.gravity);
      t.add_m_identity(2 * i, 2 * j, weight * d.mass);
      t.add(2 * i + 1, 2 * j + 1, end[i].rows(weight * J_m[j]));
      const Mat3 gyroscopic = i == j ? Mat3(weight * OmegaJ - spin) : Mat3(weight * OmegaJ);
      t.add_c(2 * i + 1, 2 * j + 1, end[j].columns(end[i].rows(gyroscopic)));
      if (!d.offset) continue;
      const Mat3 Q = weight * d.mass * end[j].Q;
      const Vec3 rate = end[j].Omega.cross(d.c);
      t.add_m(2 * i, 2 * j + 1, end[j].columns(-math::cross_right_of<S>(Q, d.c)));
      t.add_m(2 * i + 1, 2 * j, end[i].rows(tilde(d.c) * (weight * d.mass * end[i].Q.transpose())));
      t.add_c(2 * i, 2 * j + 1, end[j].columns(-(Q * (tilde(rate) + tilde(end[j].Omega) * tilde(d.c)))));
      t.add_k(2 * i, 2 * j + 1, end[j].columns(-math::cross_right_of<S>(Q, end[j].lddot)));
    }
    if (d.offset)
      t.add_k(2 * i + 1, 2 * i + 1, end[i].columns(end[i].rows(d.mass * tilde(d.c) * tilde(end[i].Q.transpose() * a))));
  }
}

// What node i has of M v with the consistent mass matrix,
//   p_i = m sum_j w_ij (u_j + Q_j (Omega_j x c)),   pi_i = sum_j w_ij J Omega_j + m c x Q_i^T sum_j w_ij u_j.
template <class S>
struct BeamMomentum {
  // kg m/s, inertial
  math::Vec3Of<S> linear = math::Vec3Of<S>::Zero();
  // kg m^2/s, section axes
  math::Vec3Of<S> angular = linear;
  BeamMomentum(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, const std::array<BeamEnd<S>, 2>& end, int i) {
    math::Vec3Of<S> u = linear;
    for (int j = 0; j < 2; ++j) {
      const S weight = d.length * S(beam_weight(i, j));
      u += weight * n[j].u;
      if (d.offset) linear += weight * (end[j].Q * end[j].Omega.cross(d.c));
      angular += weight * end[j].Omega;
    }
    linear = d.mass * (linear + u);
    angular = (d.J * angular).eval();
    if (d.offset) angular += d.mass * d.c.cross(end[i].Q.transpose() * u);
  }
};

// r += alpha M v: force (N, inertial) and moment (N m, node's frame) of both nodes.
template <class S>
void add_beam_mass_damping_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, model::VectorOf<2, S>& r) {
  const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
  for (int i = 0; i < 2; ++i) {
    const BeamMomentum<S> of(d, n, end, i);
    math::Vec3Of<S> moment = d.mass_damping * of.angular;
    if (d.turned) moment = (end[i].E * moment).eval();
    r.template segment<3>(6 * i) += d.mass_damping * of.linear;
    r.template segment<3>(6 * i + 3) += moment;
  }
}

// Adds alpha M to C, and to K what p_i and pi_i change by with the velocities held, by the offset alone.
template <class S>
void add_beam_mass_damping_tangents_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n,
                                       model::TangentSink<2, S>& t) {
  using Vec3 = math::Vec3Of<S>;
  using Mat3 = math::Mat3Of<S>;
  const auto tilde = [](const Vec3& a) { return math::tilde_of<S>(a); };
  const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
  for (int i = 0; i < 2; ++i) {
    Vec3 u = Vec3::Zero();
    for (int j = 0; j < 2; ++j) {
      const S weight = d.mass_damping * d.length * S(beam_weight(i, j));
      const S mass = weight * d.mass;
      t.add_c(2 * i, 2 * j, mass * Mat3::Identity());
      t.add_c(2 * i + 1, 2 * j + 1, end[j].columns(end[i].rows(weight * d.J)));
      if (!d.offset) continue;
      u += mass * n[j].u;
      const Mat3 Q = mass * end[j].Q;
      t.add_c(2 * i, 2 * j + 1, end[j].columns(-math::cross_right_of<S>(Q, d.c)));
      t.add_c(2 * i + 1, 2 * j, end[i].rows(tilde(d.c) * (mass * end[i].Q.transpose())));
      t.add_k(2 * i, 2 * j + 1, end[j].columns(-math::cross_right_of<S>(Q, Vec3(end[j].Omega.cross(d.c)))));
    }
    if (d.offset)
      t.add_k(2 * i + 1, 2 * i + 1, end[i].columns(end[i].rows(tilde(d.c) * tilde(end[i].Q.transpose() * u))));
  }
}

}  // namespace polhode::elements
