// SPDX-License-Identifier: BSD-3-Clause
// The two-node beam: consistent inertia, weight and their tangents.
#include "elements/beams/beam/beam.hpp"

namespace polhode::elements {

using math::cross_right;
using math::Mat3;
using math::tilde;
using math::Vec3;

namespace {

// Rates of one end in section axes, and of its lever l = Q c.
struct End {
  Mat3 Q, E;
  Vec3 Omega, Omegadot;
  Vec3 lddot;  // section axes: Omegadot x c + Omega x (Omega x c)

  End(const Beam::Data& d, const model::Node& n, int i) : E(d.E[i].toRotationMatrix()) {
    Q = n.R * E;
    Omega = E.transpose() * n.Omega();
    Omegadot = E.transpose() * n.Omegadot();
    lddot = Omegadot.cross(d.c) + Omega.cross(Omega.cross(d.c));
  }
};

constexpr double weight(int i, int j) { return i == j ? 1.0 / 3 : 1.0 / 6; }

}  // namespace

void Beam::add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, Vector& r) {
  const std::array<End, 2> end{End(d, n[0], 0), End(d, n[1], 1)};
  for (int i = 0; i < 2; ++i) {
    Vec3 a = Vec3::Zero(), p = Vec3::Zero(), Jw = Vec3::Zero(), Jwdot = Vec3::Zero();
    for (int j = 0; j < 2; ++j) {
      const double w = d.length * weight(i, j);
      a += w * (n[j].udot() - c.gravity);
      p += w * (end[j].Q * end[j].lddot);
      Jw += w * end[j].Omega;
      Jwdot += w * end[j].Omegadot;
    }
    r.segment<3>(6 * i) += d.mass * (a + p);
    r.segment<3>(6 * i + 3) += end[i].E * (d.J * Jwdot + end[i].Omega.cross(d.J * Jw) + d.mass * d.c.cross(end[i].Q.transpose() * a));
  }
}

void Beam::add_inertia_tangents_to(const Data& d, const Nodes& n, const model::Context& c, Tangents& t) {
  const std::array<End, 2> end{End(d, n[0], 0), End(d, n[1], 1)};
  const bool offset = !d.c.isZero(0);
  for (int i = 0; i < 2; ++i) {
    const Mat3 Ei = end[i].E;
    Vec3 a = Vec3::Zero(), Jw = Vec3::Zero();
    for (int j = 0; j < 2; ++j) {
      const double w = d.length * weight(i, j);
      const Mat3 Ejt = end[j].E.transpose();
      Jw += w * end[j].Omega;
      a += w * (n[j].udot() - c.gravity);
      t.M.block<3, 3>(6 * i, 6 * j).diagonal().array() += w * d.mass;
      t.M.block<3, 3>(6 * i + 3, 6 * j + 3) += Ei * (w * d.J) * Ejt;
      t.C.block<3, 3>(6 * i + 3, 6 * j + 3) += Ei * math::cross_left(end[i].Omega, w * d.J) * Ejt;
      if (offset) {
        const Mat3 Q = w * d.mass * end[j].Q;
        const Vec3 rate = end[j].Omega.cross(d.c);
        t.M.block<3, 3>(6 * i, 6 * j + 3) -= cross_right(Q, d.c) * Ejt;
        t.M.block<3, 3>(6 * i + 3, 6 * j) += Ei * tilde(d.c) * (w * d.mass * end[i].Q.transpose());
        t.C.block<3, 3>(6 * i, 6 * j + 3) -= Q * (tilde(rate) + tilde(end[j].Omega) * tilde(d.c)) * Ejt;
        t.K.block<3, 3>(6 * i, 6 * j + 3) -= cross_right(Q, end[j].lddot) * Ejt;
      }
    }
    t.C.block<3, 3>(6 * i + 3, 6 * i + 3) -= Ei * tilde(d.J * Jw) * Ei.transpose();
    if (offset)
      t.K.block<3, 3>(6 * i + 3, 6 * i + 3) += Ei * (d.mass * tilde(d.c) * tilde(end[i].Q.transpose() * a)) * Ei.transpose();
  }
}

}  // namespace polhode::elements
