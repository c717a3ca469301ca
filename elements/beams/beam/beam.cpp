// SPDX-License-Identifier: BSD-3-Clause
// The two-node beam: kernels over lanes, energy and outputs.
#include "elements/beams/beam/beam.hpp"

#include "elements/beams/beam/beam_forces.hpp"
#include "elements/beams/beam/beam_inertia.hpp"

namespace polhode::elements {

using math::Lanes;
using math::Mat3;
using math::Vec3;

Beam::DataOf<Lanes> Beam::pack(const std::array<const Data*, Lanes::count>& data) {
  DataOf<Lanes> packed;
  packed.turned = packed.offset = false;
  const auto set = [](auto& to, const auto& from, int lane) {
    for (Eigen::Index i = 0; i < from.size(); ++i) to(i).set(lane, from(i));
  };
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const Data& d = *data[lane];
    packed.turned |= d.turned, packed.offset |= d.offset;
    packed.length.set(lane, d.length), packed.mass.set(lane, d.mass);
    for (int i = 0; i < 2; ++i) set(packed.E[i], d.E[i], lane);
    set(packed.C11, d.C11, lane), set(packed.C12, d.C12, lane), set(packed.C22, d.C22, lane);
    set(packed.c, d.c, lane), set(packed.J, d.J, lane);
  }
  return packed;
}

template <class S>
void Beam::add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts, model::VectorOf<2, S>& r) {
  if (parts.inertia) add_beam_inertia_to(d, n, c, r);
  if (parts.forces) add_beam_forces_to(d, n, r);
}
template void Beam::add_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&, model::Parts, model::VectorOf<2, Lanes>&);

template <class S>
void Beam::add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::TangentSink<2, S>& t) {
  add_beam_inertia_tangents_to(d, n, c, t);
  add_beam_stiffness_to(d, n, t);
}
template void Beam::add_tangents_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&, model::TangentSink<2, Lanes>&);

namespace {

model::NodeOf<double> values_of(const model::Node& n) {
  return {n.x, {n.quat.w(), n.quat.x(), n.quat.y(), n.quat.z()}, n.u(), n.Omega(), n.udot(), n.Omegadot()};
}
Beam::NodesOf<double> values_of(const Beam::Nodes& n) { return {values_of(n[0]), values_of(n[1])}; }

}  // namespace

model::Energies Beam::energies(const Data& d, const Nodes& n, const model::Context& c) {
  const BeamStrain<double> e(d, values_of(n));
  const double strain = 0.5 * d.length * (e.N.dot(e.Gamma) + e.M.dot(e.kappa));
  double kinetic = 0, gravity = 0;
  std::array<Vec3, 2> Omega, ldot;
  for (int i = 0; i < 2; ++i) {
    const Mat3 E = math::so3::rotation_matrix(d.E[i]);
    Omega[i] = E.transpose() * n[i].Omega();
    ldot[i] = n[i].R * (E * Omega[i].cross(d.c));
    gravity -= d.mass * d.length / 2 * c.gravity.dot(n[i].x + n[i].R * (E * d.c));
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double w = d.length * beam_weight(i, j);
      kinetic += 0.5 * w * (d.mass * n[i].u().dot(n[j].u() + 2 * ldot[j]) + Omega[i].dot(d.J * Omega[j]));
    }
  return {kinetic, strain, gravity};
}

void Beam::write_outputs(const Data& d, const Nodes& n, const model::Context&, const model::Rows<Beam>&, const double*, double* out) {
  const BeamStrain<double> e(d, values_of(n));
  Eigen::Map<math::Mat<12>> result(out);
  result << e.Gamma, e.kappa, e.N, e.M;
}

Beam::Data Beam::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  math::Mat6 X;
  for (int i = 0; i < 36; ++i) X(i) = number(random);
  const math::Mat6 C = X * X.transpose() + math::Mat6::Identity();
  const bool turned = number(random) > 0, offset = number(random) > 0;
  const Vec3 c = offset ? Vec3(0.3 * vector()) : Vec3(Vec3::Zero());
  const auto turn = [&]() -> Eigen::Vector4d {
    const math::so3::Quaternion q = turned ? math::so3::exp_quaternion(vector()) : math::so3::Quaternion::Identity();
    return {q.w(), q.x(), q.y(), q.z()};
  };
  const Mat3 J = Mat3(Vec3(2, 1, 1.5).asDiagonal()) + c.squaredNorm() * Mat3::Identity() - c * c.transpose();
  const auto E1 = turn(), E2 = turn();
  return {1.5 + number(random), {E1, E2}, turned, offset, C.topLeftCorner<3, 3>(), C.topRightCorner<3, 3>(), C.bottomRightCorner<3, 3>(), 1, c, J};
}

}  // namespace polhode::elements
