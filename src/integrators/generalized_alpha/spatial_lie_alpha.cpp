// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method in the spatial frame: the lines of LieAlpha about the frame of the begin of a step.
#include "polhode/integrators/generalized_alpha/spatial_lie_alpha.hpp"

namespace polhode::integrators {

using math::Four;
using math::MotionRegisters;

namespace {

// A 3x3 matrix by columns: two registers and the last number.
struct Nine {
  Four first;
  Four second;
  double last;
};

// The first four and the second four numbers of a~ for a of lanes 1 to 3; the last is zero.
Four tilde_first(Four a) { return Four{0, 1, -1, -1} * __builtin_shufflevector(a, a, 1, 3, 2, 3); }
Four tilde_second(Four a) { return Four{0, 1, 1, -1} * __builtin_shufflevector(a, a, 1, 1, 2, 1); }

// T^-T = d I + eta psi psi^T - psi~/2 for psi of lanes 1 to 3.
Nine inverse_transposed_tangent(double eta, double d, Four psi) {
  const Four scaled = eta * psi;
  const Four d_first = Four{d, 0, 0, 0};
  const Four first =
      __builtin_shufflevector(psi, psi, 1, 2, 3, 1) * __builtin_shufflevector(scaled, scaled, 1, 1, 1, 2);
  const Four second =
      __builtin_shufflevector(psi, psi, 2, 3, 1, 2) * __builtin_shufflevector(scaled, scaled, 2, 2, 3, 3);
  return {first + d_first - 0.5 * tilde_first(psi), second + d_first - 0.5 * tilde_second(psi), psi[3] * scaled[3] + d};
}

// F = scale G + a~.
void set_factor(double scale, const Nine& G, Four a, Mat3& F) {
  math::store(scale * G.first + tilde_first(a), F.data());
  math::store(scale * G.second + tilde_second(a), F.data() + 4);
  F(2, 2) = scale * G.last;
}

}  // namespace

// Omega = E^T w, Omegadot = E^T wdot.
void SpatialLieAlpha::move_to(std::size_t node, const State& old, const MotionRegisters& v, const MotionRegisters& vdot,
                              State& next) {
  v.store_to(v_[node]);
  vdot.store_to(vdot_[node]);
  E_[node] = compose(node, old, next);
  const math::BackRotation back(E_[node]);
  (back * v).store_to(next.v[node]);
  (back * vdot).store_to(next.vdot[node]);
}

// The prediction of LieAlpha is that of w and wdot.
void SpatialLieAlpha::predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) {
  begin_step(h);
  nodes().each([&](std::size_t i) __attribute__((always_inline)) {
    predict_node(i, old, next, predictor);
    move_to(i, old, MotionRegisters::of(next.v[i]), MotionRegisters::of(next.vdot[i]), next);
  });
}

// w and wdot follow dy linearly, as v and vdot do in the body frame.
void SpatialLieAlpha::update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) {
  const double beta_prime = parameters().beta_prime(step());
  const double gamma_prime = parameters().gamma_prime(step());
  nodes().each([&](std::size_t i) __attribute__((always_inline)) {
    add_increment(i, dx[i]);
    const auto change = MotionRegisters::of(dy[i]);
    move_to(i, old, MotionRegisters::of(v_[i]) + gamma_prime * change,
            MotionRegisters::of(vdot_[i]) + beta_prime * change, next);
  });
}

// F_m = beta' T^-T + Omegadot~, F_c = gamma' T^-T + Omega~.
Factors SpatialLieAlpha::factors(const State& next) {
  const double beta_prime = parameters().beta_prime(step());
  const double gamma_prime = parameters().gamma_prime(step());
  nodes().each([&](std::size_t i) __attribute__((always_inline)) {
    const Vec3 psi = increment()[i].tail<3>();
    const double s = psi.squaredNorm();
    const double eta = math::so3::inverse_coefficient(s);
    linearized_[i] << eta, psi;
    const Nine G = inverse_transposed_tangent(eta, 1 - eta * s, math::load_four(increment()[i].data() + 2));
    set_factor(beta_prime, G, math::load_four(next.vdot[i].data() + 2), F_m_[i]);
    set_factor(gamma_prime, G, math::load_four(next.v[i].data() + 2), F_c_[i]);
  });
  return {.m = beta_prime, .c = gamma_prime, .k = 1, .b = 1, .rot_m = F_m_, .rot_c = F_c_};
}

void SpatialLieAlpha::to_increments(std::span<Vec6> x) const {
  nodes().each([&](std::size_t i) __attribute__((always_inline)) {
    const Four psi = math::last_three(math::load_four(linearized_[i].data()));
    const double eta = linearized_[i][0];
    double* const place = x[i].data() + 2;
    const Four turn = math::load_four(place);
    math::store(turn + math::cross(psi, 0.5 * turn + eta * math::cross(psi, turn)), place);
  });
}

// As LieAlpha, in the frame of the begin; the result in that of the end.
void SpatialLieAlpha::finish(const State& old, State& next) {
  const AlphaParameters& p = parameters();
  const double of_new = (1 - p.alpha_f) / (1 - p.alpha_m);
  const double of_old = p.alpha_f / (1 - p.alpha_m);
  const double of_a = -p.alpha_m / (1 - p.alpha_m);
  const std::size_t n = v_.size();
  nodes().each([&](std::size_t i) __attribute__((always_inline)) {
    const math::BackRotation back(E_[i]);
    const auto vdot_n = MotionRegisters::of(old.vdot[i]);
    const MotionRegisters a = of_old * vdot_n + of_a * MotionRegisters::of(old.memory[i]);
    (back * (of_new * MotionRegisters::of(vdot_[i]) + a)).store_to(next.memory[i]);
    (back * vdot_n).store_to(next.memory[n + i]);
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
