// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method in the spatial frame: the lines of LieAlpha about the frame of the begin of a step.
#include "polhode/integrators/generalized_alpha/spatial_lie_alpha.hpp"

#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

// The predicted w and wdot of LieAlpha, from a_n in the frame at the begin of the step.
void SpatialLieAlpha::predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) {
  LieAlpha::predict(old, next, h, predictor);
  turn(next);
}

// w and wdot follow dy linearly, as v and vdot do in the body frame.
void SpatialLieAlpha::update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) {
  math::for_each_index(w_.size(), [&](std::size_t i) {
    next.v[i].tail<3>() = w_[i];
    next.vdot[i].tail<3>() = wdot_[i];
  });
  LieAlpha::update(old, next, dx, dy);
  turn(next);
}

void SpatialLieAlpha::turn(State& next) {
  math::for_each_index(w_.size(), [&](std::size_t i) {
    E_transposed_[i] = math::so3::exp(-Vec3(increment()[i].tail<3>()));
    w_[i] = next.v[i].tail<3>();
    wdot_[i] = next.vdot[i].tail<3>();
    next.v[i].tail<3>() = E_transposed_[i] * w_[i];
    next.vdot[i].tail<3>() = E_transposed_[i] * wdot_[i];
  });
}

Factors SpatialLieAlpha::factors() {
  Factors factors = LieAlpha::factors();
  math::for_each_index(w_.size(), [&](std::size_t i) {
    const Mat3& T = factors.rot_k[i];
    const Vec3 Omega = E_transposed_[i] * w_[i];
    const Vec3 Omegadot = E_transposed_[i] * wdot_[i];
    F_m_[i] = factors.m * E_transposed_[i] + math::tilde(Omegadot) * T;
    F_c_[i] = factors.c * E_transposed_[i] + math::tilde(Omega) * T;
  });
  factors.rot_m = F_m_;
  factors.rot_c = F_c_;
  return factors;
}

// The configuration stays, hence E does.
Factors SpatialLieAlpha::dynamic_factors() {
  Factors factors = LieAlpha::dynamic_factors();
  math::for_each_index(turned_m_.size(), [&](std::size_t i) {
    turned_m_[i] = factors.m * E_transposed_[i];
    turned_c_[i] = factors.c * E_transposed_[i];
  });
  factors.rot_m = turned_m_;
  factors.rot_c = turned_c_;
  factors.rot_b = E_transposed_;
  return factors;
}

// As LieAlpha, with vdot_n in the frame of the begin and the result in that of the end.
void SpatialLieAlpha::finish(const State& old, State& next) {
  const std::size_t n = w_.size();
  math::for_each_index(n, [&](std::size_t i) {
    Vec6 vdot = next.vdot[i];
    vdot.tail<3>() = wdot_[i];
    next.memory[i] = recursion(vdot, old.vdot[i], old.memory[i]);
    next.memory[n + i] = old.vdot[i];
    next.memory[i].tail<3>() = E_transposed_[i] * Vec3(next.memory[i].tail<3>());
    next.memory[n + i].tail<3>() = E_transposed_[i] * Vec3(old.vdot[i].tail<3>());
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
