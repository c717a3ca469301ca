// SPDX-License-Identifier: BSD-3-Clause
// The two-node beam: kernels over lanes, energy and outputs.
#include "elements/beams/beam/beam.hpp"

#include "elements/beams/beam/beam_forces.hpp"
#include "elements/beams/beam/beam_inertia.hpp"
#include "elements/beams/shortest_turn.hpp"

namespace polhode::elements {

using math::Lanes;
using math::Mat3;
using math::Vec3;

// Straight, uniform beams have the same length in all elements; frames of nodes may differ by round-off.
bool Beam::alike(const Data& a, const Data& b) {
  const RoundOff& by = a.round_off;
  return a.turned == b.turned && a.offset == b.offset && a.damped == b.damped && a.mass_damped == b.mass_damped &&
         by.alike(a.length, b.length) && by.alike(a.E[0], b.E[0]) && by.alike(a.E[1], b.E[1]) &&
         by.alike(a.mass, b.mass) && by.alike(a.c, b.c) && by.alike(a.J, b.J) &&
         by.alike(a.mass_damping, b.mass_damping) && a.is_like(b, by);
}

// Number by number into lanes. If one of the elements is turned or offset all lanes go through the general
// formulas, where E = I and c = 0 give the same values: no lane branches on its own.
Beam::DataOf<Lanes> Beam::pack(const std::array<const Data*, Lanes::count>& data) {
  DataOf<Lanes> packed;
  packed.turned = packed.offset = packed.damped = packed.mass_damped = false;
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const Data& d = *data[lane];
    packed.turned |= d.turned;
    packed.offset |= d.offset;
    packed.damped |= d.damped;
    packed.mass_damped |= d.mass_damped;
    packed.length.set(lane, d.length);
    packed.mass.set(lane, d.mass);
    packed.mass_damping.set(lane, d.mass_damping);
    for (int i = 0; i < 2; ++i) set_lane(packed.E[i], d.E[i], lane);
    packed.set_section(d, lane);
    set_lane(packed.c, d.c, lane);
    set_lane(packed.J, d.J, lane);
  }
  return packed;
}

// Each part alone where a caller wants one of them, both in one pass otherwise.
template <class S>
void Beam::add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts,
                  model::VectorOf<2, S>& r) {
  if (parts.inertia) add_beam_inertia_to(d, n, c, r);
  if (parts.forces) add_beam_forces_to(d, n, r);
  if (parts.forces && d.mass_damped) add_beam_mass_damping_to(d, n, r);
}
template void Beam::add_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&, model::Parts,
                           model::VectorOf<2, Lanes>&);

template <class S>
void Beam::add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c,
                           model::TangentSink<2, S>& t) {
  add_beam_inertia_tangents_to(d, n, c, t);
  add_beam_stiffness_to(d, n, t);
  if (d.mass_damped) add_beam_mass_damping_tangents_to(d, n, t);
}
template void Beam::add_tangents_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&,
                                    model::TangentSink<2, Lanes>&);

template <class S>
S Beam::power(const DataOf<S>& d, const NodesOf<S>& n) {
  S power(0);
  if (d.mass_damped) {
    const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
    for (int i = 0; i < 2; ++i) {
      const BeamMomentum<S> of(d, n, end, i);
      power -= d.mass_damping * (n[i].u.dot(of.linear) + end[i].Omega.dot(of.angular));
    }
  }
  if (!d.damped) return power;
  const BeamStrain<S> e(d, n);
  const auto k = math::so3::beam_coefficients(e.s, false);
  const BeamRates<S> rates(d, n, e, k.eta, k.tau);
  const math::Vec3Of<S> N = d.D11 * rates.Gamma + d.D12 * rates.kappa;
  const math::Vec3Of<S> M = d.D12.transpose() * rates.Gamma + d.D22 * rates.kappa;
  return power - d.length * (N.dot(rates.Gamma) + M.dot(rates.kappa));
}
template Lanes Beam::power(const DataOf<Lanes>&, const NodesOf<Lanes>&);

// R a
// By the quaternion (w, a vector v): R a = a + w b + v x b, b = 2 v x a, cheaper than a matrix for one
// vector.
template <class S>
static math::Vec3Of<S> turned(const math::so3::QuaternionOf<S>& q, const math::Vec3Of<S>& a) {
  const math::Vec3Of<S> axis = q.template tail<3>();
  const math::Vec3Of<S> b = S(2) * axis.cross(a);
  return a + q[0] * b + axis.cross(b);
}

// Energies and momenta from the same interpolation as the forces. With p_i and pi_i the momenta of the nodes
// (BeamMomentum) the kinetic energy is sum (u_i . p_i + Omega_i . pi_i)/2: its two coupling terms, equal in sum,
// count once together. Total momentum is sum p_i, angular momentum about the origin sum
// (x_i x p_i + R_i E_i pi_i). Strain energy is that of the one integration point;
// gravity acts on half of the element's mass at each node.
template <class S>
model::Observed<Beam::outputs, S> Beam::observe(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c) {
  BeamStrain<S> e(d, n);
  const S half(0.5);
  model::EnergiesOf<S> energy{S(0), half * d.length * (e.N.dot(e.Gamma) + e.M.dot(e.kappa)), S(0)};
  if (d.damped) {
    const auto k = math::so3::beam_coefficients(e.s, false);
    const BeamRates<S> rates(d, n, e, k.eta, k.tau);
    e.add_damping(d, rates.Gamma, rates.kappa);
  }
  math::Vec3Of<S> linear = math::Vec3Of<S>::Zero();
  math::Vec3Of<S> angular = linear;
  const std::array<BeamEnd<S>, 2> end{BeamEnd<S>(d, n[0], 0), BeamEnd<S>(d, n[1], 1)};
  for (int i = 0; i < 2; ++i) {
    math::Vec3Of<S> centre = n[i].x;
    if (d.offset) centre += end[i].Q * d.c;
    energy.gravity -= d.mass * d.length * half * c.gravity.dot(centre);
    const BeamMomentum<S> of(d, n, end, i);
    energy.kinetic += half * (n[i].u.dot(of.linear) + end[i].Omega.dot(of.angular));
    linear += of.linear;
    angular +=
        n[i].x.cross(of.linear) + turned(n[i].quat, d.turned ? math::Vec3Of<S>(end[i].E * of.angular) : of.angular);
  }
  return {energy,
          linear,
          angular,
          {e.Gamma[0], e.Gamma[1], e.Gamma[2], e.kappa[0], e.kappa[1], e.kappa[2], e.N[0], e.N[1], e.N[2], e.M[0],
           e.M[1], e.M[2]}};
}
template model::Observed<Beam::outputs, Lanes> Beam::observe(const DataOf<Lanes>&, const NodesOf<Lanes>&,
                                                             const model::ContextOf<Lanes>&);

// Where psi jumps the quaternion with w >= 0 changes its sign.
bool Beam::jumps(const DataOf<Lanes>& d, int lane, const Ends& before, const Ends& now) {
  const auto section = [&](const math::so3::Quaternion& node, std::size_t i) -> math::so3::Quaternion {
    const auto& E = d.E[i];
    if (!d.turned) return node;
    return node * math::so3::Quaternion(E[0][lane], E[1][lane], E[2][lane], E[3][lane]);
  };
  const auto turn = [&](const Ends& at) { return shortest_turn(section(at.a, 0), section(at.b, 1)); };
  return turn(before).dot(turn(now)) < 0;
}

// Full stiffness matrices, positive definite; turned, offset and damped or not, so that each branch of the kernels
// is covered. J contains the offset, about the axis.
Beam::Data Beam::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  math::Mat6 X;
  for (int i = 0; i < 36; ++i) X(i) = number(random);
  const math::Mat6 C = X * X.transpose() + math::Mat6::Identity();
  const bool turned = number(random) > 0;
  const bool offset = number(random) > 0;
  const bool damped = number(random) > 0;
  const bool mass_damped = number(random) > 0;
  math::Mat6 D = math::Mat6::Zero();
  if (damped) {
    for (int i = 0; i < 36; ++i) X(i) = number(random);
    D = 0.1 * X * X.transpose();
  }
  const Vec3 c = offset ? Vec3(0.3 * vector()) : Vec3(Vec3::Zero());
  const auto turn = [&]() -> Eigen::Vector4d {
    const math::so3::Quaternion q = turned ? math::so3::exp_quaternion(vector()) : math::so3::Quaternion::Identity();
    return {q.w(), q.x(), q.y(), q.z()};
  };
  const Mat3 J = Mat3(Vec3(2, 1, 1.5).asDiagonal()) + c.squaredNorm() * Mat3::Identity() - c * c.transpose();
  const auto E1 = turn();
  const auto E2 = turn();
  Data data{{}, 1.5 + number(random), {E1, E2}, turned, offset, damped, mass_damped, 1, c, J, mass_damped ? 0.4 : 0};
  data.set_section(C, D);
  return data;
}

}  // namespace polhode::elements
