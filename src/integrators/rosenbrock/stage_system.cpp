// SPDX-License-Identifier: BSD-3-Clause
// The descriptor form of a stage's linear system: its values, right-hand sides, solution.
#include "polhode/integrators/rosenbrock/stage_system.hpp"

#include <algorithm>

namespace polhode::integrators {

using assembly::SparseMatrix;

StageSystem::StageSystem(const JacobianPlaces& places, const Lift& lift, const StageTangents& tangents,
                         const SparseMatrix& pattern)
    : places_(places),
      lift_(lift),
      tangents_(tangents),
      system_pattern_(pattern),
      inertial_(VectorX::Zero(places.unknowns)),
      w_(inertial_) {}

void StageSystem::make() {
  by_rates_.resize(system_pattern_.values.size(), 0);
  for (std::size_t i = 0; i < by_rates_.size(); ++i)
    if (tangents_.C.values[i] != 0 || tangents_.M.values[i] != 0) by_rates_[i] = 1;
  solver_.reset();
  layout_.emplace(places_, system_pattern_, by_rates_);
  matrix_.emplace(layout_->pattern);
  for (const int place : layout_->identity) matrix_->values[place] = 1;
  solver_.emplace(*matrix_, layout_->leaders);
  rhs_.setZero(layout_->pattern.size);
}

bool StageSystem::has_new_rates() const {
  return std::any_of(layout_->without_rates.begin(), layout_->without_rates.end(),
                     [&](int p) { return tangents_.C.values[p] != 0 || tangents_.M.values[p] != 0; });
}

// Each list is one of copies times a factor. Rows of forces are divided by the mass.
void StageSystem::set_values() {
  const double s = s_;
  const double inverse_mass = 1 / lift_.mass();
  const auto& [M, C, K, Z, A1, r_t, Phi_t, b_t, a_t] = tangents_;
  double* const to = matrix_->values.data();
  for (const StageLayout::Copy& c : layout_->forces_p)
    to[c.to] = (M.values[c.from] + s * C.values[c.from] + s * s * K.values[c.from]) * inverse_mass;
  for (const StageLayout::Copy& c : layout_->forces_w) to[c.to] = s * C.values[c.from] * inverse_mass;
  for (const StageLayout::Copy& c : layout_->forces_z) to[c.to] = M.values[c.from] * inverse_mass;
  for (const StageLayout::Copy& c : layout_->forces_nu) to[c.to] = K.values[c.from];
  for (const StageLayout::Copy& c : layout_->gradient) to[c.to] = K.values[c.from];
  for (const StageLayout::Copy& c : layout_->velocities_p) to[c.to] = s * Z.values[c.from];
  for (const StageLayout::Copy& c : layout_->accelerations_p)
    to[c.to] = s * s * A1.values[c.from] + 2 * s * Z.values[c.from];
  for (const StageLayout::Copy& c : layout_->accelerations_w) to[c.to] = 2 * s * Z.values[c.from];
  for (const StageLayout::Copy& c : layout_->lift) to[c.to] = -lift_.values()[c.from];
  for (int row = 0; row < places_.equations; ++row) {
    const StageLayout::Hold& hold = layout_->holds[row];
    const double value = lift_.keeps(row) ? 0 : 1;
    to[hold.position] = value;
    to[hold.velocity] = value;
    to[hold.acceleration] = value;
  }
  // Dropped equations: System::set_matrix() has made them zero in B and B^T, but for what differences and rates put
  // there.
  if (lift_.keeps_all()) return;
  const assembly::SparsePattern& pattern = layout_->pattern;
  const int first = layout_->first_nu;
  for (int column = 0; column < pattern.size; ++column)
    for (int p = pattern.column_start[column]; p < pattern.column_start[column + 1]; ++p) {
      const int row = pattern.row[p];
      if (row >= first && row != column && !lift_.keeps((row - first) % places_.equations)) to[p] = 0;
    }
}

bool StageSystem::factorize(double h, double gamma) {
  if (!matrix_ || has_new_rates()) make();
  h_ = h;
  gamma_ = gamma;
  s_ = h * gamma;
  set_values();
  return solver_->factorize();
}

// Products over the free unknowns.
void StageSystem::set_force_rows(const VectorX& d, double dt) {
  const int n = places_.unknowns;
  const SparseMatrix& X = system_pattern_;
  for (int column = 0; column < n; ++column) {
    const double inertia = inertial_[column];
    const double c = h_ * h_ * gamma_ * d[column];
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n; ++p) {
      const int at = X.place_of(p);
      rhs_[X.row[p]] += tangents_.M.values[at] * inertia + tangents_.C.values[at] * c;
    }
  }
  rhs_.head(n) -= s_ * s_ * dt * tangents_.r_t;
  rhs_.head(n) /= lift_.mass();
}

void StageSystem::set_derivative_rows(double part, const VectorX& Phi, const VectorX& b, const VectorX& a) {
  const int m = places_.equations;
  auto positions = rhs_.segment(layout_->first_nu, m);
  positions = -part * Phi;
  rhs_.segment(layout_->first_y, m) = -positions - s_ * part * b;
  rhs_.segment(layout_->first_x, m) = -positions - s_ * s_ * part * a;
}

// Their multipliers stay zero.
void StageSystem::clear_dropped_rows() {
  if (lift_.keeps_all()) return;
  for (int row = 0; row < places_.equations; ++row)
    if (!lift_.keeps(row))
      for (const int first : {layout_->first_nu, layout_->first_y, layout_->first_x}) rhs_[first + row] = 0;
}

void StageSystem::set_constraint_rows(const VectorX& d, double dt) {
  set_derivative_rows(dt, tangents_.Phi_t, tangents_.b_t, tangents_.a_t);
  auto velocities = rhs_.segment(layout_->first_y, places_.equations);
  auto accelerations = rhs_.segment(layout_->first_x, places_.equations);
  for (int column = 0; column < places_.unknowns; ++column)
    for (int p = places_.column_start[column]; p < places_.column_start[column + 1]; ++p) {
      const JacobianPlaces::Row& row = places_.rows[places_.by_column[p]];
      const double B = tangents_.K.values[row.mirror];
      velocities[row.row] += h_ * B * d[column];
      accelerations[row.row] +=
          B * inertial_[column] + 2 * h_ * h_ * gamma_ * tangents_.Z.values[row.mirror] * d[column];
    }
  clear_dropped_rows();
}

void StageSystem::solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) {
  inertial_ = h_ * d + h_ * gamma_ * gamma_ * b;
  rhs_.setZero();
  set_force_rows(d, dt);
  set_constraint_rows(d, dt);
  solver_->solve(rhs_);
  take_solution(d, u);
}

// Multipliers are by the mass in the matrix.
void StageSystem::take_solution(const VectorX& d, VectorX& u) {
  rhs_.segment(layout_->first_nu, places_.equations) *= lift_.mass();
  for (int j = 0; j < places_.unknowns; ++j) w_[j] = layout_->w_place[j] >= 0 ? rhs_[layout_->w_place[j]] : 0;
  u = (rhs_.head(places_.unknowns) - h_ * d) / s_;
  u_ = u;
}

// d and b are zero: what moves is the unit alone, its force by s^2 as rows of forces are.
void StageSystem::keep_answer(Eigen::Index j, Eigen::Index count, const Unit& unit) {
  answers_.resize(rhs_.size(), count);
  inertial_.setZero();
  rhs_.setZero();
  rhs_.head(places_.unknowns) = s_ * s_ / lift_.mass() * unit.force;
  set_derivative_rows(1, unit.Phi, unit.b, unit.a);
  clear_dropped_rows();
  solver_->solve(rhs_);
  take_solution(VectorX::Zero(places_.unknowns), u_);
  answers_.col(j) = rhs_;
}

// A superposition: the matrix is not solved again.
void StageSystem::add_answers(const VectorX& k, const VectorX& d, VectorX& u) {
  rhs_.noalias() += answers_ * k;
  rhs_.segment(layout_->first_nu, places_.equations) /= lift_.mass();
  take_solution(d, u);
}

void StageSystem::set_rates(VectorX& thetad) const { thetad.head(places_.unknowns) = u_ + w_ / s_; }

// (u/gamma - b)/h and z: the rows of forces are M times s^2 of it.
void StageSystem::set_accelerations(VectorX& thetadd) const {
  thetadd.head(places_.unknowns) = (rhs_.head(places_.unknowns) - inertial_) / (s_ * s_);
  for (int j = 0; j < places_.unknowns; ++j)
    if (layout_->w_place[j] >= 0) thetadd[j] += rhs_[layout_->w_place[j] + layout_->lifts] / (s_ * s_);
}

void StageSystem::set_multipliers(VectorX& lambda) const { lambda = nu() / (s_ * s_); }

}  // namespace polhode::integrators
