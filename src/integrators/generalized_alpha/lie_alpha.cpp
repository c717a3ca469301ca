// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method: the lines of BCA12, Table 1.
#include "polhode/integrators/generalized_alpha/lie_alpha.hpp"

namespace polhode::integrators {

// Predictor: a_{n+1} extrapolated by the change of vdot over the last step, scaled to the present one,
// then the recursion (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vdot_{n+1} + alpha_f vdot_n solved
// for vdot_{n+1}.
Vec6 predicted_vdot(const AlphaParameters& p, const State& old, std::size_t node, double h,
                    NewtonSettings::Predictor predictor) {
  if (predictor == NewtonSettings::Predictor::zero) return Vec6::Zero();
  const Vec6& a_n = old.memory[node];
  Vec6 a = a_n;
  if (old.last_step > 0) a += h / old.last_step * (old.vdot[node] - old.memory[old.vdot.size() + node]);
  return ((1 - p.alpha_m) * a + p.alpha_m * a_n - p.alpha_f * old.vdot[node]) / (1 - p.alpha_f);
}

// Table 1, first lines: a_{n+1} from vdot_{n+1}, then v_{n+1} and h Dq by Newmark's formulas, eqs. (27)
// to (32).
void LieAlpha::predict_node(std::size_t i, const State& old, State& next, NewtonSettings::Predictor predictor) {
  const Vec6& a_n = old.memory[i];
  next.vdot[i] = predicted_vdot(p_, old, i, h_, predictor);
  const double to_a = (1 - p_.alpha_f) / (1 - p_.alpha_m);
  const Vec6 a = (p_.alpha_f * old.vdot[i] - p_.alpha_m * a_n) / (1 - p_.alpha_m) + to_a * next.vdot[i];
  next.v[i] = old.v[i] + h_ * (1 - p_.gamma) * a_n + p_.gamma * h_ * a;
  hdq_[i] = h_ * old.v[i] + (0.5 - p_.beta) * h_ * h_ * a_n + p_.beta * h_ * h_ * a;
}

void LieAlpha::predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) {
  begin_step(h);
  nodes_.each([&](std::size_t i) {
    predict_node(i, old, next, predictor);
    compose(i, old, next);
  });
}

// dv = gamma' dy, dvdot = beta' dy with gamma' = gamma/(beta h), beta' = (1 - alpha_m)/(beta h^2 (1 -
// alpha_f)).
void LieAlpha::update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) {
  const double beta_prime = p_.beta_prime(h_);
  const double gamma_prime = p_.gamma_prime(h_);
  nodes_.each([&](std::size_t i) {
    add_increment(i, dx[i]);
    next.v[i] += gamma_prime * dy[i];
    next.vdot[i] += beta_prime * dy[i];
    compose(i, old, next);
  });
}

// Eq. (34): (M beta' + C gamma' + K T) dx + B^T dlambda and B T dx, with T = 1 - b psi~ + c psi~^2 at the turn psi of
// h Dq, psi~^2 = psi psi^T - psi.psi.
Factors LieAlpha::factors(const State&) {
  nodes_.each([&](std::size_t i) {
    const math::Vec3 psi = hdq_[i].tail<3>();
    const auto [b, c] = of_tangent_[i];
    Mat3& T = T_[i];
    T.noalias() = (c * psi) * psi.transpose();
    T.diagonal().array() += 1 - c * psi.squaredNorm();
    T -= math::tilde(math::Vec3(b * psi));
  });
  return {.m = p_.beta_prime(h_), .c = p_.gamma_prime(h_), .k = 1, .b = 1, .rot_k = T_, .rot_b = T_};
}

// What changes of velocities and accelerations bring: without stiffness, as index 2 needs it beside factors().
Factors LieAlpha::dynamic_factors() { return {.m = p_.beta_prime(h_), .c = p_.gamma_prime(h_), .b = 1}; }

// The recursion for a, by the vdot that the iteration has found; the vdot of before is kept for the next
// predictor.
void LieAlpha::finish(const State& old, State& next) {
  const std::size_t n = hdq_.size();
  nodes_.each([&](std::size_t i) {
    next.memory[i] = recursion(next.vdot[i], old.vdot[i], old.memory[i]);
    next.memory[n + i] = old.vdot[i];
  });
}

// Exact less numerical increment of a step, BCA12 eq. (46): h^3 (c vddot + [v, vdot]/12), c = (1 - 6 beta - 3 D)/6,
// D = alpha_m - alpha_f, with the bracket Omega x Omegadot for rotations. Phi_{n+1} = 0 in spite of it asks for
// h B (v_n - v(t_n)) = B times it; in index 2 p makes up for it.
Vec6 LieAlpha::local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  Vec6 missed = p_.position_error() * vddot;
  missed.tail<3>() += v.tail<3>().cross(vdot.tail<3>()) / 12;
  return missed;
}

Scheme::Offsets LieAlpha::offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  return {p_.a_shift() * vddot, index2_ ? Vec6(Vec6::Zero()) : local_truncation_error(v, vdot, vddot)};
}

}  // namespace polhode::integrators
