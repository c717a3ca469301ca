// SPDX-License-Identifier: BSD-3-Clause
// Strains at an integration point and their rates.
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

Frames::Frames(const Elements& d, NodeSpan n) {
  for (std::size_t i = 0; i < n.size(); ++i) {
    Q[i] = d.turned ? math::so3::product(n[i].quat, d.E[i]) : n[i].quat;
    const Lanes cosine = Q[i].dot(Q[0]);
    if (i > 0 && !all_below(-cosine, 0))
      Q[i] *= math::so3::each_of([](double x) { return x < 0 ? -1.0 : 1.0; }, cosine);
  }
}

// Positions are taken from the first node on: the derivatives of the shape functions add up to zero,
// and large coordinates would cancel in the sum. kappa follows from the derivative of sum L_i phi_i = 0
// along the axis, where phi_i varies by -T_i^-T kappa: sum L_i' phi_i = A kappa.
Kinematics::Kinematics(const Point& point, NodeSpan nodes, const Frames& frames, bool second)
    : p(point), n(nodes.size()) {
  set_mean({frames.Q.data(), n}, p.L, second, mean);
  Q = math::so3::rotation_matrix(mean.Q);
  Vector tangent = Vector::Zero();
  Vector bend = p.dL[0] * turn(0).phi;
  for (std::size_t i = 1; i < n; ++i) {
    tangent += p.dL[i] * (nodes[i].x - nodes[0].x);
    bend += p.dL[i] * turn(i).phi;
  }
  g = Q.transpose() * tangent;
  Gamma = g - p.axis;
  kappa = mean.Ai * bend;
}

// P_i = L_i' I - L_i gradient(phi_i, kappa, transposed), vector by vector (mean.hpp).
Vector Kinematics::transposed_P_times(std::size_t i, const Vector& a) const {
  const Turn& t = turn(i);
  const Lanes two(2);
  const Lanes pk = t.phi.dot(kappa);
  const Vector q = (t.eta1 * pk) * t.phi - (t.eta1 * t.s + t.eta) * kappa;
  const Vector G = (two * q.dot(a)) * t.phi + t.eta * (t.phi.dot(a) * kappa + pk * a) - Lanes(0.5) * kappa.cross(a);
  return p.dL[i] * a - p.L[i] * G;
}

Vector Kinematics::P_times(std::size_t i, const Vector& a) const {
  const Turn& t = turn(i);
  const Lanes two(2);
  const Lanes pk = t.phi.dot(kappa);
  const Vector q = (t.eta1 * pk) * t.phi - (t.eta1 * t.s + t.eta) * kappa;
  const Vector G = (two * t.phi.dot(a)) * q + t.eta * (kappa.dot(a) * t.phi + pk * a) + Lanes(0.5) * kappa.cross(a);
  return p.dL[i] * a - p.L[i] * G;
}

// From A Omega = sum L_i T_i^-1 Omega_i and A kappa' = sum P_i phi_i', phi_i' = T_i^-1 Omega_i - T_i^-T Omega.
void StrainRates::set(const Elements& d, const Kinematics& k, NodeSpan nodes) {
  Vector turned = Vector::Zero();
  Vector u = Vector::Zero();
  for (std::size_t i = 0; i < k.n; ++i) {
    node[i] = nodes[i].Omega;
    if (d.turned) node[i] = math::so3::rotation_matrix(d.E[i]).transpose() * nodes[i].Omega;
    phi[i] = inverse_tangent_times(k.turn(i), node[i]);
    turned += k.p.L[i] * phi[i];
    u += k.p.dL[i] * nodes[i].u;
  }
  Omega = k.mean.Ai * turned;
  Vector bend = Vector::Zero();
  for (std::size_t i = 0; i < k.n; ++i) {
    phi[i] -= transposed_tangent_times(k.turn(i), Omega);
    bend += k.P_times(i, phi[i]);
  }
  stretch = k.Q.transpose() * u;
  Gamma = stretch + k.g.cross(Omega);
  kappa = k.mean.Ai * bend;
}

Stress::Stress(const Kinematics& k)
    : N(k.p.C11 * k.Gamma + k.p.C12 * k.kappa), M(k.p.C12.transpose() * k.Gamma + k.p.C22 * k.kappa) {}

Stress::Stress(const Point& p, const StrainRates& rates)
    : N(p.D11 * rates.Gamma + p.D12 * rates.kappa), M(p.D12.transpose() * rates.Gamma + p.D22 * rates.kappa) {}

void Stress::add(const Stress& s) {
  N += s.N;
  M += s.M;
}

void Stress::scale(const Lanes& by) {
  N *= by;
  M *= by;
}

}  // namespace polhode::elements::spectral
