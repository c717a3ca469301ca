// SPDX-License-Identifier: BSD-3-Clause
// Consistent inertia and weight, their tangents, and the energies.
//
//   force i  = sum_j m_ij (udot_j - gamma) + Q_j (Omegadot_j x s_ij + Omega_j x (Omega_j x s_ij))
//   moment i = sum_j J_ij Omegadot_j + Omega_i x J_ij Omega_j + s_ij x Q_i^T (udot_j - gamma)     (element's axes)
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {
namespace {

using math::tilde;

// Frame and rates of the nodes in the element's axes.
struct Rates {
  std::array<Mat3, most_nodes> Q;
  std::array<Vec3, most_nodes> Omega;
  std::array<Vec3, most_nodes> Omegadot;
  Rates(const Element& d, NodeSpan n) {
    for (std::size_t i = 0; i < n.size(); ++i) {
      Q[i] = n[i].R * d.E[i];
      Omega[i] = d.E[i].transpose() * n[i].Omega();
      Omegadot[i] = d.E[i].transpose() * n[i].Omegadot();
    }
  }
  // Omegadot x s + Omega x (Omega x s): of a lever that turns with node j, mass included.
  Vec3 lever_acceleration(std::size_t j, const Vec3& s) const {
    return Omegadot[j].cross(s) + Omega[j].cross(Omega[j].cross(s));
  }
};

}  // namespace

// The equations at the top, node by node, in element's axes until the last line.
// Weight enters as the acceleration -gamma of all nodes.
void add_inertia_to(const Element& d, NodeSpan n, const Vec3& gravity, VectorMap r) {
  const Rates rates(d, n);
  for (int i = 0; i < d.nodes; ++i) {
    const auto a = static_cast<std::size_t>(i);
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    Vec3 spin = Vec3::Zero();
    for (int j = 0; j < d.nodes; ++j) {
      const auto b = static_cast<std::size_t>(j);
      const Pair& pair = d.pair(i, j);
      const Vec3 acceleration = n[b].udot() - gravity;
      force += pair.mass * acceleration + rates.Q[b] * rates.lever_acceleration(b, pair.moment);
      moment += pair.inertia * rates.Omegadot[b] + pair.moment.cross(rates.Q[a].transpose() * acceleration);
      spin += pair.inertia * rates.Omega[b];
    }
    r.segment<3>(6 * i) += force;
    r.segment<3>(6 * i + 3) += d.E[a] * (moment + rates.Omega[a].cross(spin));
  }
}

// Pair by pair what a rigid body has (rigid_body.cpp), as the mass of a beam couples its nodes.
// Two terms of the moment on node i belong to i alone and are summed over j first:
// -(sum J_ij Omega_j)~ by its velocity, and the weight's s x Q_i^T a by its rotation.
void add_inertia_tangents_to(const Element& d, NodeSpan n, const Vec3& gravity, MatrixMap M, MatrixMap C, MatrixMap K) {
  const Rates rates(d, n);
  for (int i = 0; i < d.nodes; ++i) {
    const auto a = static_cast<std::size_t>(i);
    const int row = 6 * i;
    Vec3 spin = Vec3::Zero();
    Mat3 weight = Mat3::Zero();  // sum_j s_ij~ (Q_i^T (udot_j - gamma))~
    for (int j = 0; j < d.nodes; ++j) {
      const auto b = static_cast<std::size_t>(j);
      const int column = 6 * j;
      const Pair& pair = d.pair(i, j);
      const Mat3 s = tilde(pair.moment);
      const Mat3 Et = d.E[b].transpose();
      const Vec3& Omega = rates.Omega[b];
      spin += pair.inertia * Omega;
      weight += s * tilde(rates.Q[a].transpose() * (n[b].udot() - gravity));
      M.block<3, 3>(row, column).diagonal().array() += pair.mass;
      M.block<3, 3>(row, column + 3) -= rates.Q[b] * s * Et;
      M.block<3, 3>(row + 3, column) += d.E[a] * s * rates.Q[a].transpose();
      M.block<3, 3>(row + 3, column + 3) += d.E[a] * pair.inertia * Et;
      C.block<3, 3>(row, column + 3) -= rates.Q[b] * (tilde(Omega.cross(pair.moment)) + tilde(Omega) * s) * Et;
      C.block<3, 3>(row + 3, column + 3) += d.E[a] * math::cross_left(rates.Omega[a], pair.inertia) * Et;
      K.block<3, 3>(row, column + 3) -= rates.Q[b] * tilde(rates.lever_acceleration(b, pair.moment)) * Et;
    }
    C.block<3, 3>(row + 3, row + 3) -= d.E[a] * tilde(spin) * d.E[a].transpose();
    K.block<3, 3>(row + 3, row + 3) += d.E[a] * weight * d.E[a].transpose();
  }
}

// Strain energy at the points of the forces, with their weights: what the residual is the gradient of.
// Kinetic energy by the pairs; the gravity of pair (i, j) has its mass at node j,
// which summed over i is the mass of L_j.
model::Energies energies(const Element& d, NodeSpan n, const Vec3& gravity) {
  model::Energies energy;
  const Frames frames(d, n);
  for (const Point& point : d.points) {
    const Vec6 strain = Kinematics(d, point, n, frames).strain;
    energy.strain += 0.5 * point.weight * strain.dot(point.C * strain);
  }
  const Rates rates(d, n);
  for (int i = 0; i < d.nodes; ++i)
    for (int j = 0; j < d.nodes; ++j) {
      const auto a = static_cast<std::size_t>(i);
      const auto b = static_cast<std::size_t>(j);
      const Pair& pair = d.pair(i, j);
      const Vec3 lever_rate = rates.Q[b] * rates.Omega[b].cross(pair.moment);
      energy.kinetic += 0.5 * (pair.mass * n[a].u().dot(n[b].u()) + 2 * n[a].u().dot(lever_rate) +
                               rates.Omega[a].dot(pair.inertia * rates.Omega[b]));
      energy.gravity -= gravity.dot(pair.mass * n[b].x + rates.Q[b] * pair.moment);
    }
  return energy;
}

}  // namespace polhode::elements::spectral
