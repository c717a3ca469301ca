// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method in the spatial frame: the lines of LieAlpha about the frame of the begin of a step.
#include "polhode/integrators/generalized_alpha/spatial_lie_alpha.hpp"

#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

namespace {

// All nodes but the ground, which stands still.
template <class Use>
void for_each_node(std::size_t nodes, const Use& use) {
  math::for_each_index(nodes - 1, [&](std::size_t i) { use(i + 1); });
}

// scale S + a~ for a symmetric S.
void set_factor(double scale, const Mat3& S, const Vec3& a, Mat3& F) {
  const double xy = scale * S(0, 1);
  const double xz = scale * S(0, 2);
  const double yz = scale * S(1, 2);
  F << scale * S(0, 0), xy - a[2], xz + a[1],  //
      xy + a[2], scale * S(1, 1), yz - a[0],   //
      xz - a[1], yz + a[0], scale * S(2, 2);
}

}  // namespace

// The predicted w and wdot of LieAlpha, from a_n in the frame at the begin of the step.
void SpatialLieAlpha::predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) {
  begin_step(h);
  for_each_node(omega_.size(), [&](std::size_t i) {
    predict_node(i, old, next, predictor);
    omega_[i] = old.R[i] * next.v[i].tail<3>();
    omegadot_[i] = old.R[i] * next.vdot[i].tail<3>();
    compose(i, old, next);
    turn(i, next);
  });
}

// omega and omegadot follow dy linearly, as v and vdot do in the body frame.
void SpatialLieAlpha::update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) {
  const double beta_prime = parameters().beta_prime(step());
  const double gamma_prime = parameters().gamma_prime(step());
  for_each_node(omega_.size(), [&](std::size_t i) {
    next.v[i].head<3>() += gamma_prime * dy[i].head<3>();
    next.vdot[i].head<3>() += beta_prime * dy[i].head<3>();
    const Vec3 turned = old.R[i] * dy[i].tail<3>();
    omega_[i] += gamma_prime * turned;
    omegadot_[i] += beta_prime * turned;
    add_increment(i, dx[i]);
    compose(i, old, next);
    turn(i, next);
  });
}

void SpatialLieAlpha::turn(std::size_t node, State& next) const {
  const Mat3 R = next.R[node];
  const Vec3 Omega = R.transpose() * omega_[node];
  const Vec3 Omegadot = R.transpose() * omegadot_[node];
  next.v[node].tail<3>() = Omega;
  next.vdot[node].tail<3>() = Omegadot;
}

// T^-T = S - psi~/2 with the symmetric S = (1 - eta s) I + eta psi psi^T.
Factors SpatialLieAlpha::factors(const State& next) {
  const double beta_prime = parameters().beta_prime(step());
  const double gamma_prime = parameters().gamma_prime(step());
  for_each_node(linearized_.size(), [&](std::size_t i) {
    const Vec3 psi = increment()[i].tail<3>();
    const double s = psi.squaredNorm();
    const double eta = math::so3::inverse_coefficient(s);
    linearized_[i] = {psi, eta};
    Mat3 S = (eta * psi) * psi.transpose();
    S.diagonal().array() += 1 - eta * s;
    set_factor(beta_prime, S, next.vdot[i].tail<3>() - 0.5 * beta_prime * psi, F_m_[i]);
    set_factor(gamma_prime, S, next.v[i].tail<3>() - 0.5 * gamma_prime * psi, F_c_[i]);
  });
  return {.m = beta_prime, .c = gamma_prime, .k = 1, .b = 1, .rot_m = F_m_, .rot_c = F_c_};
}

// The configuration stays, hence E does; dy is an increment, no turn.
Factors SpatialLieAlpha::dynamic_factors() {
  Factors factors = LieAlpha::dynamic_factors();
  math::for_each_index(turned_m_.size(), [&](std::size_t i) {
    E_transposed_[i] = math::so3::exp(-Vec3(increment()[i].tail<3>()));
    turned_m_[i] = factors.m * E_transposed_[i];
    turned_c_[i] = factors.c * E_transposed_[i];
  });
  factors.rot_m = turned_m_;
  factors.rot_c = turned_c_;
  factors.rot_b = E_transposed_;
  return factors;
}

void SpatialLieAlpha::to_increments(std::span<Vec6> x) const {
  for_each_node(x.size(), [&](std::size_t i) {
    const auto& [psi, eta] = linearized_[i];
    const Vec3 turn = x[i].tail<3>();
    const Vec3 half_and_more = 0.5 * turn + eta * psi.cross(turn);
    x[i].tail<3>() = turn + psi.cross(half_and_more);
  });
}

// As LieAlpha, with a_n and vdot_n in the frame of the begin and the result in that of the end.
void SpatialLieAlpha::finish(const State& old, State& next) {
  const AlphaParameters& p = parameters();
  const double of_new = (1 - p.alpha_f) / (1 - p.alpha_m);
  const double of_old = p.alpha_f / (1 - p.alpha_m);
  const double of_a = -p.alpha_m / (1 - p.alpha_m);
  const std::size_t n = omega_.size();
  for_each_node(n, [&](std::size_t i) {
    const Vec3 vdot_n = old.R[i] * old.vdot[i].tail<3>();
    const Vec3 a_n = old.R[i] * old.memory[i].tail<3>();
    const Vec3 a = of_new * omegadot_[i] + of_old * vdot_n + of_a * a_n;
    const auto translations = [](const Vec6& of_node) { return of_node.head<3>(); };
    next.memory[i].head<3>() =
        of_new * translations(next.vdot[i]) + of_old * translations(old.vdot[i]) + of_a * translations(old.memory[i]);
    next.memory[i].tail<3>() = next.R[i].transpose() * a;
    next.memory[n + i].head<3>() = old.vdot[i].head<3>();
    next.memory[n + i].tail<3>() = next.R[i].transpose() * vdot_n;
  });
}

namespace {

// d(omegadot)/dt = R (Omegaddot + Omega x Omegadot).
Vec6 third_derivative(const Vec6& v, const Vec6& vdot, const Vec6& vddot) {
  Vec6 third = vddot;
  third.tail<3>() += v.tail<3>().cross(vdot.tail<3>());
  return third;
}

}  // namespace

Vec6 SpatialLieAlpha::local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  return LieAlpha::local_truncation_error(-v, vdot, third_derivative(v, vdot, vddot));
}

Scheme::Offsets SpatialLieAlpha::offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const {
  Offsets offsets = LieAlpha::offsets(v, vdot, vddot);  // its v by the local error above
  offsets.a = parameters().a_shift() * third_derivative(v, vdot, vddot);
  return offsets;
}

}  // namespace polhode::integrators
