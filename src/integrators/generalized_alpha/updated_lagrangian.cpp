// SPDX-License-Identifier: BSD-3-Clause
// Updated Lagrangian generalized-alpha method: local coordinates of the rotations by either chart.
#include "polhode/integrators/generalized_alpha/updated_lagrangian.hpp"

#include "polhode/integrators/generalized_alpha/lie_alpha.hpp"

namespace polhode::integrators {

using math::ChartPoint;

// The classical formulas in local coordinates, which begin at zero in each step, eqs. (73) to (80).
void UpdatedLagrangian::predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) {
  h_ = h;
  const double to_a = (1 - p_.alpha_f) / (1 - p_.alpha_m);
  nodes_.each([&](std::size_t i) {
    const Vec6& a_n = old.memory[i];
    qddot_[i] = predicted_vdot(p_, old, i, h, predictor);
    const Vec6 a_1 = (p_.alpha_f * old.vdot[i] - p_.alpha_m * a_n) / (1 - p_.alpha_m) + to_a * qddot_[i];
    qdot_[i] = old.v[i] + h * (1 - p_.gamma) * a_n + p_.gamma * h * a_1;
    q_[i] = h * old.v[i] + (0.5 - p_.beta) * h * h * a_n + p_.beta * h * h * a_1;
  });
  compose(old, next);
}

// In local coordinates both rates follow the increment linearly; velocities follow by compose().
void UpdatedLagrangian::update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) {
  const double beta_prime = p_.beta_prime(h_);
  const double gamma_prime = p_.gamma_prime(h_);
  nodes_.each([&](std::size_t i) {
    q_[i] += dx[i];
    qdot_[i] += gamma_prime * dy[i];
    qddot_[i] += beta_prime * dy[i];
  });
  compose(old, next);
}

// q = q_n mu(c), v = T cdot, vdot = T cddot + Tdot cdot, eqs. (66), (67).
void UpdatedLagrangian::compose(const State& old, State& next) const {
  nodes_.each([&](std::size_t i) {
    const ChartPoint c(chart_, q_[i].tail<3>());
    const Vec3 rate = qdot_[i].tail<3>();
    next.x[i] = old.x[i] + q_[i].head<3>();
    next.set_rotation(i, (old.quat[i] * c.rotation()).normalized());
    next.v[i] << qdot_[i].head<3>(), c.apply(rate);
    next.vdot[i] << qddot_[i].head<3>(), c.apply(qddot_[i].tail<3>()) + c.convective(rate);
  });
}

// Chain rule: vdot = T(c) cddot + Tdot(c, cdot) cdot and v = T(c) cdot vary with c directly,
// and through cdot and cddot by gamma' and beta'. Hence right factors of M and C that are no multiples of
// the identity.
Factors UpdatedLagrangian::factors(const State&) {
  const double beta_prime = p_.beta_prime(h_);
  const double gamma_prime = p_.gamma_prime(h_);
  nodes_.each([&](std::size_t i) {
    const ChartPoint c(chart_, q_[i].tail<3>());
    const Vec3 rate = qdot_[i].tail<3>();
    T_[i] = c.tangent();
    F_m_[i] = c.derivative_of_apply(qddot_[i].tail<3>()) + c.convective_by_point(rate) +
              gamma_prime * c.convective_by_rate(rate) + beta_prime * T_[i];
    F_c_[i] = c.derivative_of_apply(rate) + gamma_prime * T_[i];
  });
  return {.m = beta_prime, .c = gamma_prime, .k = 1, .b = 1, .rot_m = F_m_, .rot_c = F_c_, .rot_k = T_, .rot_b = T_};
}

// a_1 in local coordinates of this step becomes a in those of the next: a = T a_1 + Tdot cdot
// (docs/theory.md).
void UpdatedLagrangian::finish(const State& old, State& next) {
  const std::size_t n = q_.size();
  nodes_.each([&](std::size_t i) {
    const ChartPoint c(chart_, q_[i].tail<3>());
    const Vec6 a_1 =
        ((1 - p_.alpha_f) * qddot_[i] + p_.alpha_f * old.vdot[i] - p_.alpha_m * old.memory[i]) / (1 - p_.alpha_m);
    next.memory[i] << a_1.head<3>(), c.apply(a_1.tail<3>()) + c.convective(qdot_[i].tail<3>());
    next.memory[n + i] = old.vdot[i];
  });
}

// The method is the classical one in the local coordinates q about q_n, so that their third derivative stands in the
// place of vddot and no bracket is left. From v = T(q) qdot at q = 0, where T = I - q~/2 + q~^2/6 for the rotation
// vector: d^3q/dt^3 = vddot + v x vdot/2. The conformal rotation vector c, of which |c|^2 c/48 less is the rotation
// vector, adds |Omega|^2 Omega/8.
Vec6 UpdatedLagrangian::third_derivative(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  const Vec3 Omega = v.tail<3>();
  Vec6 third = vddot;
  third.tail<3>() += 0.5 * Omega.cross(Vec3(vdot.tail<3>()));
  if (chart_ == math::Chart::conformal_rotation_vector) third.tail<3>() += Omega.squaredNorm() / 8 * Omega;
  return third;
}

// Newmark's formulas miss h^3 times this multiple of the third derivative.
Vec6 UpdatedLagrangian::local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  return p_.position_error() * third_derivative(v, vdot, vddot);
}

// As lie_alpha has them, without its bracket.
Scheme::Offsets UpdatedLagrangian::offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  const Vec6 third = third_derivative(v, vdot, vddot);
  return {p_.a_shift() * third, p_.position_error() * third};
}

}  // namespace polhode::integrators
