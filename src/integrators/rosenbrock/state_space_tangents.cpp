// SPDX-License-Identifier: BSD-3-Clause
// Tangents in the chart, and the sparse descriptor form of a stage's linear system, which needs no J1 and J2.
//
// With H = diag(0, Omega~/2), D2 = diag(0, Omegadot~/2 - Omega~^2/6) from v = T thetadot at theta = 0:
//   K^ = K + C H + M D2,   Z^ = Z + B H,   A1 = a_q + a_v H + B D2,   A2 = a_v = 2 Z^ (B does not depend on time)
// where Z = D_q(B v) and a = B vdot + Gamma. The unknowns are p (change of theta), w and z (of thetadot and thetaddot
// in the range of the lift), multipliers nu, and y, x with w = S B^T y, z = S B^T x. With s = h gamma:
//   (M + s C + s^2 K^) p + s C w + M z + B^T nu = M (h d + h gamma^2 b) + h^2 gamma C d - s^2 r_t dt
//   B p                                         = r_B = -Phi_t dt
//   s Z^ p + B w                                = h B d - r_B - s b_t dt
//   (s^2 A1 + s A2) p + s A2 w + B z            = B (h d + h gamma^2 b) + h^2 gamma A2 d - s^2 a_t dt - r_B
// (w by s, z and nu by s^2), and u = (p - h d)/s.
#include <algorithm>
#include <array>
#include <set>

#include "polhode/integrators/rosenbrock/state_space.hpp"

namespace polhode::integrators {

using assembly::SparseMatrix;

// Of all nodes that have rows: greedily, largest neighbourhoods as they come.
void StateSpace::find_colours() {
  std::vector<std::set<int>> neighbours(system_.nodes());
  for (const auto& batch : system_.batches())
    if (batch->rows() > 0)
      for (std::size_t e = 0; e < batch->size(); ++e)
        for (const int a : batch->nodes_of(e))
          for (const int b : batch->nodes_of(e)) neighbours[static_cast<std::size_t>(a)].insert(b);
  std::vector<int> colour(system_.nodes(), -1);
  for (std::size_t i = 1; i < neighbours.size(); ++i) {
    if (neighbours[i].empty()) continue;
    std::set<int> taken;
    for (const int j : neighbours[i]) taken.insert(j == 0 ? -1 : colour[static_cast<std::size_t>(j)]);
    while (taken.contains(++colour[i])) {
    }
    if (static_cast<std::size_t>(colour[i]) >= colours_.size()) colours_.emplace_back();
    colours_[static_cast<std::size_t>(colour[i])].push_back(static_cast<int>(i));
  }
}

// D_q Gamma by central differences: it holds third derivatives of the constraints, which elements do not offer. Nodes
// of a colour move together, as no row sees two of them.
void StateSpace::add_curvature_tangents() {
  constexpr double turn = 1e-5;
  const double shift = turn * system_.length();
  stage_.x = origin_.x;
  stage_.quat = origin_.quat;
  stage_.R = origin_.R;
  stage_.v = origin_.v;
  stage_.t = origin_.t;
  for (const std::vector<int>& nodes : colours_)
    for (int k = 0; k < 6; ++k) {
      const double d = k < 3 ? shift : turn;
      for (const int side : {-1, 1}) {
        for (const int i : nodes) {
          if (k < 3)
            stage_.x[i][k] = origin_.x[i][k] + side * d;
          else
            stage_.set_rotation(i, origin_.quat[i] * math::so3::exp_quaternion(side * d * Vec3::Unit(k - 3)));
        }
        system_.set_rates(stage_, Bv1_, phi_t1_, side < 0 ? gamma_ : gamma1_);
      }
      for (const int i : nodes) {
        stage_.x[i] = origin_.x[i];
        stage_.quat[i] = origin_.quat[i];
        stage_.R[i] = origin_.R[i];
        const model::NodeUnknowns& u = system_.unknowns()[i];
        if (u.local[k] < 0) continue;
        const int column = u.first + u.local[k];
        for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
          const Row& row = rows_[row_of_[p]];
          A1_.values[row.mirror] += (gamma1_[row.row] - gamma_[row.row]) / (2 * d);
        }
      }
    }
}

void StateSpace::linearize(double h) {
  for (std::size_t i = 0; i < H_.size(); ++i) {
    const Mat3 W = math::tilde(origin_.v[i].tail<3>());
    H_[i] = W / 2;
    D2_[i] = math::tilde(origin_.vdot[i].tail<3>()) / 2 - W * W / 6;
  }
  system_.set_matrix(origin_, {.m = 1}, 1, M_);
  system_.set_matrix(origin_, {.c = 1}, 1, C_);
  system_.set_matrix(origin_, {.k = 1, .b = 1, .rot_m = D2_, .rot_c = H_}, 1, K_);
  if (m_ > 0) {
    system_.set_matrix(origin_, {.rot_b = H_}, 0, Z_);
    system_.add_velocity_tangents_to(origin_, {.b = 1}, Z_);
    for (std::size_t i = 0; i < H_.size(); ++i) work3_[i] = D2_[i] + 2 * H_[i] * H_[i];
    system_.set_matrix(origin_, {.rot_b = work3_}, 0, A1_);
    for (std::size_t i = 0; i < H_.size(); ++i) work3_[i] = 2 * H_[i];
    system_.add_velocity_tangents_to(origin_, {.rot_b = work3_}, A1_);
    std::swap(origin_.v, origin_.vdot);
    system_.add_velocity_tangents_to(origin_, {.b = 1}, A1_);
    std::swap(origin_.v, origin_.vdot);
    add_curvature_tangents();
  }

  // Explicit derivatives by time, one-sided: f'(0) = (-3 f(0) + 4 f(d) - f(2 d)) / (2 d).
  const double d = 1e-4 * h;
  const double t = origin_.t;
  r_t_.setZero();
  b_t_.setZero();
  a_t_.setZero();
  const std::array<double, 3> weights{-3, 4, -1};
  for (std::size_t k = 0; k < 3; ++k) {
    const double weight = weights[k] / (2 * d);
    origin_.t = t + static_cast<double>(k) * d;
    system_.set_residual(origin_, part_, {false, true, false});
    gather(part_.force, Md_);
    r_t_ += weight * Md_;
    system_.set_rates(origin_, Bv1_, phi_t1_, gamma1_);
    if (k == 0) Phi_t_ = phi_t1_;
    b_t_ += weight * phi_t1_;
    a_t_ += weight * gamma1_;
  }
  origin_.t = t;
}

void StateSpace::disturb_tangents(const std::function<double()>& factor) {
  for (const int p : inner_) {
    K_.values[p] *= factor();
    C_.values[p] *= factor();
  }
  for (const Row& row : rows_) {
    Z_.values[row.mirror] *= factor();
    A1_.values[row.mirror] *= factor();
  }
}

void StateSpace::make_descriptor() {
  struct Placed {
    int row;
    int column;
    Entry entry;
  };
  std::vector<Placed> all;
  const int p0 = 0;
  const int w0 = n_;
  const int z0 = 2 * n_;
  const int nu0 = 3 * n_;
  const int y0 = nu0 + m_;
  const int x0 = y0 + m_;
  const int forces = p0;
  const int lift_w = w0;
  const int lift_z = z0;
  const int positions = nu0;
  const int velocities = y0;
  const int accelerations = x0;
  const SparseMatrix& X = matrix_;
  for (int column = 0; column < n_; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n_; ++p) {
      const int row = X.row[p];
      const int at = X.place_of(p);
      all.push_back({forces + row, p0 + column, {Entry::A, at}});
      if (m_ == 0) continue;
      all.push_back({forces + row, w0 + column, {Entry::C, at}});
      all.push_back({forces + row, z0 + column, {Entry::M, at}});
    }
  if (m_ > 0)
    for (int i = 0; i < n_; ++i) {
      all.push_back({lift_w + i, w0 + i, {Entry::one, 0}});
      all.push_back({lift_z + i, z0 + i, {Entry::one, 0}});
    }
  for (int column = 0; column < n_; ++column)
    for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
      const int index = row_of_[p];
      const int row = rows_[index].row;
      const int B = rows_[index].mirror;
      all.push_back({forces + column, nu0 + row, {Entry::BT, rows_[index].place}});
      all.push_back({positions + row, p0 + column, {Entry::B, B}});
      all.push_back({velocities + row, p0 + column, {Entry::Z, B}});
      all.push_back({velocities + row, w0 + column, {Entry::B, B}});
      all.push_back({accelerations + row, p0 + column, {Entry::A14, B}});
      all.push_back({accelerations + row, w0 + column, {Entry::A2, B}});
      all.push_back({accelerations + row, z0 + column, {Entry::B, B}});
      all.push_back({lift_w + column, y0 + row, {Entry::lift, index}});
      all.push_back({lift_z + column, x0 + row, {Entry::lift, index}});
    }
  for (int row = 0; row < m_; ++row)
    for (const int first : {positions, velocities, accelerations})
      all.push_back({first + row, first + row, {Entry::hold, row}});
  std::sort(all.begin(), all.end(),
            [](const Placed& a, const Placed& b) { return std::pair(a.column, a.row) < std::pair(b.column, b.row); });

  descriptor_pattern_.size = m_ > 0 ? 3 * (n_ + m_) : n_;
  descriptor_pattern_.column_start.assign(static_cast<std::size_t>(descriptor_pattern_.size) + 1, 0);
  for (const Placed& one : all) {
    ++descriptor_pattern_.column_start[static_cast<std::size_t>(one.column) + 1];
    descriptor_pattern_.row.push_back(one.row);
    entries_.push_back(one.entry);
  }
  for (std::size_t i = 1; i < descriptor_pattern_.column_start.size(); ++i)
    descriptor_pattern_.column_start[i] += descriptor_pattern_.column_start[i - 1];
  descriptor_.emplace(descriptor_pattern_);
  descriptor_solver_.emplace(*descriptor_, assembly::LinearSolver::Method::klu);
  rhs_.setZero(descriptor_pattern_.size);
}

void StateSpace::set_descriptor(double h, double gamma) {
  const double s = h * gamma;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const int p = entries_[i].place;
    double value = 0;
    switch (entries_[i].source) {
      case Entry::A:
        value = M_.values[p] + s * C_.values[p] + s * s * K_.values[p];
        break;
      case Entry::C:
        value = s * C_.values[p];
        break;
      case Entry::M:
        value = M_.values[p];
        break;
      case Entry::BT:
      case Entry::B:
        value = K_.values[p];
        break;
      case Entry::Z:
        value = s * Z_.values[p];
        break;
      case Entry::A14:
        value = s * s * A1_.values[p] + 2 * s * Z_.values[p];
        break;
      case Entry::A2:
        value = 2 * s * Z_.values[p];
        break;
      case Entry::one:
        value = 1;
        break;
      case Entry::lift:
        value = -lift_[p];
        break;
      case Entry::hold:
        value = kept_[p] ? 0 : 1;
        break;
    }
    descriptor_->values[i] = value;
  }
  // Dropped constraint equations: set_matrix() has made them zero in B and B^T, but for what differences and rates put
  // there.
  if (origin_.dropped.empty()) return;
  for (int column = 0; column < descriptor_pattern_.size; ++column)
    for (int p = descriptor_pattern_.column_start[column]; p < descriptor_pattern_.column_start[column + 1]; ++p) {
      const int row = descriptor_pattern_.row[p];
      if (row >= 3 * n_ && row != column && !kept_[(row - 3 * n_) % m_]) descriptor_->values[p] = 0;
    }
}

bool StateSpace::factorize(double h, double gamma) {
  if (!descriptor_) make_descriptor();
  h_ = h;
  gamma_coefficient_ = gamma;
  set_descriptor(h, gamma);
  return descriptor_solver_->factorize();
}

void StateSpace::solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) {
  const double h = h_;
  const double gamma = gamma_coefficient_;
  const double s = h * gamma;
  Md_ = h * d + h * gamma * gamma * b;
  rhs_.setZero();
  // Products over the free unknowns.
  for (int column = 0; column < n_; ++column) {
    const double m = Md_[column];
    const double c = h * h * gamma * d[column];
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1] && matrix_.row[p] < n_; ++p) {
      const int at = matrix_.place_of(p);
      rhs_[matrix_.row[p]] += M_.values[at] * m + C_.values[at] * c;
    }
  }
  rhs_.head(n_) -= s * s * dt * r_t_;
  if (m_ > 0) {
    auto positions = rhs_.segment(3 * n_, m_);
    auto velocities = rhs_.segment(3 * n_ + m_, m_);
    auto accelerations = rhs_.segment(3 * n_ + 2 * m_, m_);
    positions = -dt * Phi_t_;
    velocities = -positions - s * dt * b_t_;
    accelerations = -s * s * dt * a_t_ - positions;
    for (int column = 0; column < n_; ++column)
      for (int p = column_start_[column]; p < column_start_[column + 1]; ++p) {
        const Row& row = rows_[row_of_[p]];
        const double B = K_.values[row.mirror];
        velocities[row.row] += h * B * d[column];
        accelerations[row.row] += B * Md_[column] + 2 * h * h * gamma * Z_.values[row.mirror] * d[column];
      }
    for (const int row : origin_.dropped.rows) positions[row] = velocities[row] = accelerations[row] = 0;
  }
  descriptor_solver_->solve(rhs_);
  u = (rhs_.head(n_) - h * d) / s;
}

// Of positions, velocities and multipliers as the descriptor has them, which meet the constraints to first order. By
// differences to one side, as loads and drives may have a kink at the origin: D = (-3 f(0) + 4 f(e) - f(2 e)) / (2 e).
double StateSpace::power_change(const VectorX& u, double dt, double origin_power) {
  const double s = h_ * gamma_coefficient_;
  const double side = dt < 0 ? -1 : 1;
  product_.head(n_) = u;
  if (m_ > 0) product_.head(n_) += rhs_.segment(n_, n_) / s;
  system_.scatter(rhs_, theta_);
  system_.scatter(product_, thetad_);
  // of the largest change, which is to be 1e-4
  double way = 1e-3;
  double speed = 1;
  for (const Vec6& v : origin_.v) speed = std::max(speed, v.lpNorm<Eigen::Infinity>());
  for (std::size_t i = 0; i < theta_.size(); ++i)
    way = std::max({way, theta_[i].head<3>().lpNorm<Eigen::Infinity>() / system_.length(),
                    theta_[i].tail<3>().lpNorm<Eigen::Infinity>(), thetad_[i].lpNorm<Eigen::Infinity>() / speed});
  const double e = std::min(1e-3, 1e-4 / way);
  double sum = -3 * origin_power;
  for (const int k : {1, 2}) {
    const double part = side * k * e;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const Vec3 psi = part * theta_[i].tail<3>();
      stage_.x[i] = origin_.x[i] + part * theta_[i].head<3>();
      stage_.set_rotation(i, origin_.quat[i] * math::so3::exp_quaternion(psi));
      stage_.v[i] = origin_.v[i] + part * thetad_[i];
      stage_.v[i].tail<3>() -= psi.cross(Vec3(stage_.v[i].tail<3>())) / 2;  // T(psi) to first order
    }
    if (m_ > 0) stage_.lambda = origin_.lambda + part / (s * s) * rhs_.segment(3 * n_, m_);
    stage_.t = origin_.t + k * e * std::abs(dt);
    sum += (k == 1 ? 4 : -1) * system_.power(stage_);
  }
  return side * sum / (2 * e);
}

}  // namespace polhode::integrators
