// SPDX-License-Identifier: BSD-3-Clause
// Tangents in the chart.
#include "polhode/integrators/rosenbrock/stage_tangents.hpp"

#include <array>
#include <set>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

StageTangents::StageTangents(const assembly::System& system)
    : M(system.make_matrix()),
      C(M),
      K(M),
      Z(M),
      A1(M),
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
      gamma_(Bv_),
      gamma_before_(Bv_) {
  find_colors();
}

// Of all nodes that have rows: greedily, largest neighborhoods as they come.
void StageLinearization::find_colors() {
  std::vector<std::set<int>> neighbors(system_.nodes());
  for (const auto& batch : system_.batches())
    if (batch->rows() > 0)
      for (std::size_t e = 0; e < batch->size(); ++e)
        for (const int a : batch->nodes_of(e))
          for (const int b : batch->nodes_of(e)) neighbors[static_cast<std::size_t>(a)].insert(b);
  std::vector<int> color(system_.nodes(), -1);
  for (std::size_t i = 1; i < neighbors.size(); ++i) {
    if (neighbors[i].empty()) continue;
    std::set<int> taken;
    for (const int j : neighbors[i]) taken.insert(j == 0 ? -1 : color[static_cast<std::size_t>(j)]);
    while (taken.contains(++color[i])) {
    }
    if (static_cast<std::size_t>(color[i]) >= colors_.size()) colors_.emplace_back();
    colors_[static_cast<std::size_t>(color[i])].push_back(static_cast<int>(i));
  }
}

// D_q Gamma by central differences: it holds third derivatives of the constraints, which elements do not offer. Nodes
// of a color move together, as no row sees two of them.
void StageLinearization::add_curvature(const State& q) {
  constexpr double turn = 1e-5;
  const double shift = turn * system_.length();
  moved_.x = q.x;
  moved_.quat = q.quat;
  moved_.R = q.R;
  moved_.v = q.v;
  moved_.t = q.t;
  moved_.history = q.history;
  moved_.load_factor = q.load_factor;
  for (const std::vector<int>& nodes : colors_)
    for (int k = 0; k < 6; ++k) {
      const double d = k < 3 ? shift : turn;
      for (const int side : {-1, 1}) {
        for (const int i : nodes) {
          if (k < 3)
            moved_.x[i][k] = q.x[i][k] + side * d;
          else
            moved_.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(side * d * Vec3::Unit(k - 3)));
        }
        system_.set_rates(moved_, Bv_, phi_t_, side < 0 ? gamma_before_ : gamma_);
      }
      for (const int i : nodes) {
        moved_.x[i] = q.x[i];
        moved_.quat[i] = q.quat[i];
        moved_.R[i] = q.R[i];
        const model::NodeUnknowns& u = system_.unknowns()[i];
        if (u.local[k] < 0) continue;
        const int column = u.first + u.local[k];
        for (int p = places_.column_start[column]; p < places_.column_start[column + 1]; ++p) {
          const JacobianPlaces::Row& row = places_.rows[places_.by_column[p]];
          tangents_.A1.values[row.mirror] += (gamma_[row.row] - gamma_before_[row.row]) / (2 * d);
        }
      }
    }
}

void StageLinearization::linearize(State& q, double h) {
  for (std::size_t i = 0; i < H_.size(); ++i) {
    const Mat3 W = math::tilde(q.v[i].tail<3>());
    H_[i] = W / 2;
    D2_[i] = math::tilde(q.vdot[i].tail<3>()) / 2 - W * W / 6;
  }
  system_.set_matrix(q, {.m = 1}, 1, tangents_.M);
  system_.set_matrix(q, {.c = 1}, 1, tangents_.C);
  system_.set_matrix(q, {.k = 1, .b = 1, .rot_m = D2_, .rot_c = H_}, 1, tangents_.K);
  if (places_.equations > 0) {
    system_.set_matrix(q, {.rot_b = H_}, 0, tangents_.Z);
    system_.add_velocity_tangents_to(q, {.b = 1}, tangents_.Z);
    for (std::size_t i = 0; i < H_.size(); ++i) factor_[i] = D2_[i] + 2 * H_[i] * H_[i];
    system_.set_matrix(q, {.rot_b = factor_}, 0, tangents_.A1);
    for (std::size_t i = 0; i < H_.size(); ++i) factor_[i] = 2 * H_[i];
    system_.add_velocity_tangents_to(q, {.rot_b = factor_}, tangents_.A1);
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
  for (const int p : places_.inner) {
    tangents_.K.values[p] *= factor();
    tangents_.C.values[p] *= factor();
  }
  for (const JacobianPlaces::Row& row : places_.rows) {
    tangents_.Z.values[row.mirror] *= factor();
    tangents_.A1.values[row.mirror] *= factor();
  }
}

}  // namespace polhode::integrators
