// SPDX-License-Identifier: BSD-3-Clause
// Tangents in the chart.
#include "polhode/integrators/rosenbrock/stage_tangents.hpp"

#include <algorithm>
#include <array>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

StageTangents::StageTangents(const assembly::System& system)
    : C(system.make_matrix()),
      K(C),
      Z(C),
      A1(C),
      r_t(VectorX::Zero(system.free_unknowns())),
      Phi_t(VectorX::Zero(system.rows())),
      b_t(Phi_t),
      a_t(Phi_t) {}

StageLinearization::StageLinearization(const assembly::System& system, const JacobianPlaces& places)
    : system_(system),
      places_(places),
      tangents_(system),
      H_(system.nodes(), Mat3::Zero()),
      D2_(H_),
      factor_(H_),
      moved_(system.initial_state()),
      residual_(system.make_residual()),
      force_(VectorX::Zero(system.free_unknowns())),
      Bv_(VectorX::Zero(system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_) {}

// D_v Z by central differences: it holds third derivatives of the constraints, which elements do not offer.
void StageLinearization::add_curvature(const State& q) {
  constexpr double way = 1e-5;  // of the fastest node, relative to the model
  const double speed = size_of(q.v, system_.length());
  if (speed == 0) return;
  moved_.v = q.v;
  moved_.t = q.t;
  moved_.history = q.history;
  moved_.dropped = q.dropped;
  moved_.load_factor = q.load_factor;
  const double d = way / speed;
  for (const int side : {-1, 1}) {
    for (std::size_t i = 1; i < q.x.size(); ++i) {
      moved_.x[i] = q.x[i] + side * d * q.v[i].head<3>();
      moved_.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(side * d * q.v[i].tail<3>()));
    }
    system_.add_velocity_tangents_to(moved_, {.b = side / (2 * d)}, tangents_.A1);
  }
}

// `to` = B times `factors`, by node, of the rotations. Nodes that turn about one axis alone have none: their angular
// velocity and acceleration are along it.
void StageLinearization::set_turned_gradient(const std::vector<Mat3>& factors, assembly::SparseMatrix& to) const {
  for (const JacobianPlaces::NodeColumn& at : places_.columns) {
    const auto& local = system_.unknowns()[at.node].local;
    for (int k = 0; k < at.count; ++k) to.values[at.mirror + k * at.stride] = 0;
    if (local[3] < 0 || local[4] < 0 || local[5] < 0) continue;
    const auto place = [&](int k) { return at.mirror + (local[3] + k) * at.stride; };
    const Vec3 B(tangents_.K.values[place(0)], tangents_.K.values[place(1)], tangents_.K.values[place(2)]);
    const Vec3 turned = factors[at.node].transpose() * B;
    for (int k = 0; k < 3; ++k) to.values[place(k)] = turned[k];
  }
}

void StageLinearization::linearize(State& q, double h) {
  for (std::size_t i = 0; i < H_.size(); ++i) {
    const Mat3 W = math::tilde(q.v[i].tail<3>());
    H_[i] = W / 2;
    D2_[i] = math::tilde(q.vdot[i].tail<3>()) / 2 - W * W / 6;
  }
  system_.set_matrix(q, {.c = 1}, 1, tangents_.C);
  system_.set_matrix(q, {.k = 1, .b = 1, .rot_m = D2_, .rot_c = H_}, 1, tangents_.K);
  if (places_.equations > 0) {
    set_turned_gradient(H_, tangents_.Z);
    system_.add_velocity_tangents_to(q, {.b = 1}, tangents_.Z);
    for (std::size_t i = 0; i < H_.size(); ++i) factor_[i] = D2_[i] + 2 * H_[i] * H_[i];
    set_turned_gradient(factor_, tangents_.A1);
    std::swap(q.v, q.vdot);
    system_.add_velocity_tangents_to(q, {.b = 1}, tangents_.A1);
    std::swap(q.v, q.vdot);
    add_curvature(q);
  }
  differentiate_by_time(q, h);
}

// One-sided: f'(0) = (-3 f(0) + 4 f(d) - f(2 d)) / (2 d).
void StageLinearization::differentiate_by_time(State& q, double h) {
  const double d = 1e-4 * h;
  const double t = q.t;
  tangents_.r_t.setZero();
  tangents_.b_t.setZero();
  tangents_.a_t.setZero();
  const std::array<double, 3> weights{-3, 4, -1};
  for (std::size_t k = 0; k < 3; ++k) {
    const double weight = weights[k] / (2 * d);
    q.t = t + static_cast<double>(k) * d;
    system_.set_residual(q, residual_, {false, true, false});
    gather(system_, residual_.force, force_);
    tangents_.r_t += weight * force_;
    system_.set_rates(q, Bv_, phi_t_, gamma_);
    if (k == 0) tangents_.Phi_t = phi_t_;
    tangents_.b_t += weight * phi_t_;
    tangents_.a_t += weight * gamma_;
  }
  q.t = t;
}

void StageLinearization::disturb(const std::function<double()>& factor) {
  for (const auto& [begin, end] : places_.inner)
    for (int p = begin; p < end; ++p) {
      tangents_.K.values[p] *= factor();
      tangents_.C.values[p] *= factor();
    }
  for (const JacobianPlaces::NodeColumn& at : places_.columns)
    for (int k = 0; k < at.count; ++k) {
      tangents_.Z.values[at.mirror + k * at.stride] *= factor();
      tangents_.A1.values[at.mirror + k * at.stride] *= factor();
    }
}

}  // namespace polhode::integrators
