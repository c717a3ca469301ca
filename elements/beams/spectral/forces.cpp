// SPDX-License-Identifier: BSD-3-Clause
// Internal forces and damping power.
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

// B_i^T [N; M] without the matrices B_i: with mu = A^-T M, p_i = P_i^T mu and A^T nu = N x g - sum T_i^-1 p_i, the
// moment of node i is E_i T_i^-T (p_i + L_i nu).
void add_forces_to(const Elements& d, NodeSpan n, Lanes* r) {
  const Frames frames(d, n);
  std::array<Vector, most_nodes> moment;
  for (std::size_t i = 0; i < n.size(); ++i) moment[i].setZero();
  for (const Point& point : d.points) {
    const Kinematics k(point, n, frames, false);
    Stress stress(k);
    if (d.damped) stress.add(Stress(point, StrainRates(d, k, n)));
    stress.scale(point.weight);
    const Vector force = k.Q * stress.N;
    const Vector mu = k.mean.Ai.transpose() * stress.M;
    Vector nu = stress.N.cross(k.g);
    std::array<Vector, most_nodes> z;
    for (std::size_t i = 0; i < n.size(); ++i) {
      z[i] = k.transposed_P_times(i, mu);
      nu -= inverse_tangent_times(k.turn(i), z[i]);
    }
    nu = (k.mean.Ai.transpose() * nu).eval();
    for (std::size_t i = 0; i < n.size(); ++i) {
      for (int c = 0; c < 3; ++c) r[6 * i + static_cast<std::size_t>(c)] += point.dL[i] * force[c];
      moment[i] += transposed_tangent_times(k.turn(i), Vector(z[i] + point.L[i] * nu));
    }
  }
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (d.turned) moment[i] = (math::so3::rotation_matrix(d.E[i]) * moment[i]).eval();
    for (int c = 0; c < 3; ++c) r[6 * i + 3 + static_cast<std::size_t>(c)] += moment[i][c];
  }
}

// Damping takes energy out, -rate . D rate for each point: D is positive semidefinite.
Lanes power(const Elements& d, NodeSpan n) {
  Lanes sum(0);
  if (d.mass_damped) sum += mass_damping_power(d, n);
  if (!d.damped) return sum;
  const Frames frames(d, n);
  for (const Point& point : d.points) {
    const Kinematics k(point, n, frames, false);
    const StrainRates rates(d, k, n);
    const Stress stress(point, rates);
    sum -= point.weight * (stress.N.dot(rates.Gamma) + stress.M.dot(rates.kappa));
  }
  return sum;
}

}  // namespace polhode::elements::spectral
