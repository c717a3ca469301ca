// SPDX-License-Identifier: BSD-3-Clause
// Strains at an integration point, their first variations, and the gradient of their rates.
#include "elements/beams/spectral/kinematics.hpp"

#include <Eigen/LU>

namespace polhode::elements::spectral {

using math::tilde;
using math::so3::Quaternion;

Frames::Frames(const Element& d, NodeSpan n) {
  for (std::size_t i = 0; i < n.size(); ++i) Q[i] = n[i].quat * d.E[i];
}

// Positions are taken from the first node on: the derivatives of the shape functions add up to zero,
// and large coordinates would cancel in the sum. kappa follows from the derivative of sum L_i phi_i = 0
// along the axis, where phi_i varies by -T_i^-T kappa: sum L_i' phi_i = A kappa.
Kinematics::Kinematics(const Element& d, const Point& point, NodeSpan nodes, const Frames& frames)
    : p(point), n(static_cast<int>(nodes.size())) {
  const Quaternion mean = mean_rotation({frames.Q.data(), nodes.size()}, {p.L.data(), nodes.size()});
  Q = mean.toRotationMatrix();
  Vec3 tangent = Vec3::Zero();
  Vec3 bend = Vec3::Zero();
  A.setZero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    turn[i] = Turn(math::so3::log(mean.conjugate() * frames.Q[i]));
    Ti[i] = inverse_tangent(turn[i]);
    A += p.L[i] * Ti[i].transpose();
    tangent += p.dL[i] * (nodes[i].x - nodes[0].x);
    bend += p.dL[i] * turn[i].phi;
  }
  Ai = A.inverse();
  g = Q.transpose() * tangent;
  kappa = Ai * bend;
  strain << g - p.axis, kappa;
  // P_i dphi_i is what a turn of node i adds to A kappa: directly, L_i' dphi_i, and by T_i^-T in A.
  // S collects the effect of the mean's own turn on all of them.
  S.setZero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    P[i] = -p.L[i] * gradient(turn[i], kappa, Side::transposed);
    P[i].diagonal().array() += p.dL[i];
    S.noalias() += P[i] * Ti[i].transpose();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    TiE[i].noalias() = Ti[i] * d.E[i].transpose();
    W[i].noalias() = p.L[i] * (Ai * TiE[i]);
    Y[i].noalias() = Ai * (P[i] * TiE[i] - S * W[i]);
  }
}

Mat6 Kinematics::B(int i) const {
  const auto at = static_cast<std::size_t>(i);
  Mat6 b;
  b << p.dL[at] * Q.transpose(), math::cross_left(g, W[at]), Mat3::Zero(), Y[at];
  return b;
}

Vec6 Kinematics::strain_rate(NodeSpan nodes) const {
  Vec6 rate = Vec6::Zero();
  for (int i = 0; i < n; ++i) rate += B(i) * nodes[static_cast<std::size_t>(i)].v;
  return rate;
}

// Damping forces are proportional to the rates of the strains, so that a rigid motion has none.
Vec6 Kinematics::stress(const Element& d, NodeSpan nodes) const {
  Vec6 sigma = p.C * strain;
  if (d.damped) sigma += p.D * strain_rate(nodes);
  return sigma;
}

// From A Omega = sum L_i T_i^-1 Omega_i and A kappa' = sum P_i phi_i', phi_i' = T_i^-1 Omega_i - T_i^-T Omega, where
// d phi_i = T_i^-1 dTheta_i - T_i^-T dTheta.
void set_rate_gradient(const Kinematics& k, const Element& d, NodeSpan nodes, std::array<Mat6, most_nodes>& G) {
  const std::size_t n = nodes.size();
  const Point& p = k.p;
  Vec3 Omega = Vec3::Zero();
  Vec3 kappa_rate = Vec3::Zero();
  Vec3 stretch = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    Omega += k.W[i] * nodes[i].Omega();
    kappa_rate += k.Y[i] * nodes[i].Omega();
    stretch += p.dL[i] * nodes[i].u();
  }
  stretch = (k.Q.transpose() * stretch).eval();
  // of A Omega, A kappa'
  std::array<Mat3, most_nodes> by_phi;
  std::array<Mat3, most_nodes> kappa_by_phi;
  Mat3 by_turn = Mat3::Zero();
  Mat3 kappa_by_turn = Mat3::Zero();
  Mat3 rates = Mat3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Turn& t = k.turn[i];
    const Vec3 Omega_i = d.E[i].transpose() * nodes[i].Omega();
    const Vec3 phi_rate = k.Ti[i] * Omega_i - k.Ti[i].transpose() * Omega;
    const Mat3 spin = gradient(t, Omega_i, Side::plain) - gradient(t, Omega, Side::transposed);
    by_phi[i] = p.L[i] * spin;
    kappa_by_phi[i] =
        k.P[i] * spin - p.L[i] * (gradient(t, kappa_rate, Side::transposed) + gradient_of_rate(t, k.kappa, phi_rate));
    by_turn.noalias() -= by_phi[i] * k.Ti[i].transpose();
    kappa_by_turn.noalias() -= kappa_by_phi[i] * k.Ti[i].transpose();
    rates += p.L[i] * rate(t, phi_rate);
  }
  // Gamma' = Q^T u' + g x Omega and kappa', by the variations of the nodes, velocities held:
  // a node's Omega_i stays as it is in the node's own frame, while Q and the T_i change.
  const Mat3 Qt = k.Q.transpose();
  const Mat3 gt = tilde(k.g);
  const Mat3 turn = tilde(stretch) - tilde(Omega) * gt;
  for (std::size_t i = 0; i < n; ++i) {
    const Mat3 dOmega = k.Ai * (by_phi[i] * k.TiE[i] + by_turn * k.W[i]);
    const Mat3 dkappa = k.Ai * (kappa_by_phi[i] * k.TiE[i] + kappa_by_turn * k.W[i] - rates * k.Y[i] - k.S * dOmega);
    G[i] << -p.dL[i] * (tilde(Omega) * Qt), turn * k.W[i] + gt * dOmega, Mat3::Zero(), dkappa;
  }
}

}  // namespace polhode::elements::spectral
