// SPDX-License-Identifier: BSD-3-Clause
// The descriptor form of a stage's linear system: its values, right-hand sides, solution.
#include "polhode/integrators/rosenbrock/stage_system.hpp"

#include <algorithm>
#include <utility>

#include "polhode/math/prefetch.hpp"

namespace polhode::integrators {

using assembly::SparseMatrix;

namespace {

// Of a block, in the order in which they are kept.
VectorX::ConstMapType values_of(const SparseMatrix& X, int from, int count) {
  return VectorX::Map(X.values.data() + from, count);
}

// What a list comes to a few blocks after the present one: it goes through memory, and does little with each.
template <class List>
void prefetch(const SparseMatrix& X, const List& list, const typename List::value_type& present) {
  constexpr std::size_t ahead = 4;
  const std::size_t next = static_cast<std::size_t>(&present - list.data()) + ahead;
  if (next < list.size()) math::prefetch(X.values.data() + list[next].of.from, list[next].of.count());
}

}  // namespace

StageSystem::StageSystem(const JacobianPlaces& places, const Lift& lift, const StageTangents& tangents,
                         const SparseMatrix& pattern, bool with_accelerations)
    : places_(places),
      lift_(lift),
      M_(lift.matrix()),
      tangents_(tangents),
      system_pattern_(pattern),
      with_accelerations_(with_accelerations),
      inertial_(VectorX::Zero(places.unknowns)),
      w_(inertial_) {}

// The solver keeps references to matrix and order: it goes first, and comes last.
void StageSystem::make() {
  by_rates_.resize(system_pattern_.values.size(), 0);
  for (std::size_t i = 0; i < by_rates_.size(); ++i)
    if (tangents_.C.values[i] != 0 || M_.values[i] != 0) by_rates_[i] = 1;
  with_accelerations_ = with_accelerations_ || needs_accelerations();
  solver_.reset();
  layout_.emplace(places_, system_pattern_, by_rates_, with_accelerations_);
  matrix_.emplace(layout_->pattern);
  solver_.emplace(*matrix_, assembly::InPlace{.is_iterated = false});
  rhs_.setZero(layout_->pattern.size);
}

// Of forces that had no place by w and z so far.
bool StageSystem::has_new_rates() const {
  const auto is_zero = [](const SparseMatrix& X, const StageLayout::Copy& c) {
    return values_of(X, c.from, c.count).isZero(0);
  };
  return !std::all_of(layout_->by_positions.begin(), layout_->by_positions.end(),
                      [&](const StageLayout::Copy& c) { return is_zero(tangents_.C, c) && is_zero(M_, c); });
}

// Of stiff nodes, and of drives, whose power goes by multipliers.
bool StageSystem::has_other_multipliers() const { return !lift_.is_of_mass() || !tangents_.Phi_t.isZero(0); }

// Besides, where M V is not B^T as it stands in rows of forces: of nodes whose mass is coupled, and of forces by
// multipliers.
bool StageSystem::needs_accelerations() const {
  if (has_other_multipliers()) return true;
  const auto is_mass = [&](int p) { return p >= 0 && M_.values[p] != 0; };
  std::ptrdiff_t masses = 0;  // less those of nodes by themselves
  for (const auto& [begin, end] : places_.inner)
    for (int p = begin; p < end; ++p) masses += is_mass(p);
  for (const auto& places : places_.nodes) masses -= std::count_if(places.begin(), places.end(), is_mass);
  return masses > 0 || std::any_of(places_.columns.begin(), places_.columns.end(), [&](const auto& at) {
           return values_of(M_, at.place, at.count) != values_of(tangents_.K, at.place, at.count);
         });
}

// Rows of forces are divided by the mass. Factors have taken the place of the last values: zeros are set again, too.
void StageSystem::set_values() {
  const double s = s_;
  const double part = 1 / lift_.mass();
  const auto& [C, K, Z, A1, r_t, Phi_t, b_t, a_t] = tangents_;
  const auto to = [&](int place, int count) { return VectorX::Map(matrix_->values.data() + place, count); };
  for (const auto& [of, p, w, z] : layout_->forces) {
    const auto [from, count] = std::pair(of.from, of.count());
    to(p, count) =
        part * (values_of(M_, from, count) + s * values_of(C, from, count) + s * s * values_of(K, from, count));
    if (w < 0) continue;
    to(w, count) = part * s * values_of(C, from, count);
    if (z >= 0) to(z, count) = part * values_of(M_, from, count);
  }
  for (const auto& [from, place, count] : layout_->by_positions)
    to(place, count) = part * s * s * values_of(K, from, count);
  for (const auto& [from, place, count] : layout_->forces_nu) to(place, count) = values_of(K, from, count);
  for (const StageLayout::Gradient& g : layout_->gradients) {
    const auto [from, count] = std::pair(g.of.from, g.of.count());
    for (const int place : {g.positions_p, g.velocities_w}) to(place, count) = values_of(K, from, count);
    to(g.velocities_p, count) = s * values_of(Z, from, count);
    if (g.accelerations_z < 0) continue;
    to(g.accelerations_z, count) = values_of(K, from, count);
    to(g.accelerations_w, count) = 2 * s * values_of(Z, from, count);
    to(g.accelerations_p, count) = s * s * values_of(A1, from, count) + 2 * s * values_of(Z, from, count);
  }
  for (const auto& [from, place, count] : layout_->lift)
    for (int i = 0; i < count; ++i) matrix_->values[place + i] = -lift_.values()[from + i];
  for (const auto& [begin, end] : layout_->zeros) to(begin, end - begin).setZero();
  for (const int place : layout_->identity) matrix_->values[place] = 1;
  if (!lift_.keeps_all()) drop_rows();
}

// System::set_matrix() has made dropped equations zero in B and B^T, but for what differences and rates put there.
void StageSystem::drop_rows() {
  const int first = layout_->first_nu;
  for (int column = 0; column < matrix_->size; ++column)
    for (int p = matrix_->column_start[column]; p < matrix_->column_start[column + 1]; ++p) {
      const int row = matrix_->row[p];
      if (row >= first && !lift_.keeps((row - first) % places_.equations)) matrix_->at(p) = 0;
    }
  for (int row = 0; row < places_.equations; ++row)
    if (!lift_.keeps(row))
      for (const int place : layout_->holds[row])
        if (place >= 0) matrix_->values[place] = 1;
}

// The layout is kept until forces depend on rates between nodes where none did: in most models it is made once.
void StageSystem::begin(double h, double gamma) {
  if (!matrix_ || has_new_rates() || (!layout_->has_accelerations && has_other_multipliers())) make();
  h_ = h;
  gamma_ = gamma;
  s_ = h * gamma;
}

bool StageSystem::factorize(double h, double gamma) {
  begin(h, gamma);
  return solver_->factorize([&] { set_values(); });
}

bool StageSystem::factorize_and_solve(double h, double gamma, const VectorX& b, const VectorX& d, double dt,
                                      VectorX& u) {
  begin(h, gamma);
  set_rhs(b, d, dt);
  if (!solver_->set_factorize_and_solve([&] { set_values(); }, rhs_)) return false;
  take_solution(d, u);
  return true;
}

// Products over the free unknowns, of what depends on rates alone: M and C are zero elsewhere.
void StageSystem::set_force_rows(const VectorX& d, double dt) {
  const int n = places_.unknowns;
  const double part = h_ * h_ * gamma_;
  for (const StageLayout::Forces& forces : layout_->forces) {
    const StageLayout::Block& of = forces.of;
    const double* M = M_.values.data() + of.from;
    const double* C = tangents_.C.values.data() + of.from;
    prefetch(M_, layout_->forces, forces);
    prefetch(tangents_.C, layout_->forces, forces);
    for (int j = of.column; j < of.column + of.columns; ++j, M += of.stride, C += of.stride) {
      const double inertia = inertial_[j];
      const double rate = part * d[j];
      for (int i = 0; i < of.rows; ++i) rhs_[of.row + i] += M[i] * inertia + C[i] * rate;
    }
  }
  rhs_.head(n) -= s_ * s_ * dt * tangents_.r_t;
  rhs_.head(n) /= lift_.mass();
}

// Right-hand sides of the three sets of equations of each group: positions, velocities by s, accelerations by s^2.
void StageSystem::set_derivative_rows(double part, const VectorX& Phi, const VectorX& b, const VectorX& a) {
  const int m = places_.equations;
  auto positions = rhs_.segment(layout_->first_nu, m);
  positions = -part * Phi;
  rhs_.segment(layout_->first_y, m) = -positions - s_ * part * b;
  if (layout_->has_accelerations) rhs_.segment(layout_->first_x, m) = -positions - s_ * s_ * part * a;
}

// Their multipliers stay zero.
void StageSystem::clear_dropped_rows() {
  if (lift_.keeps_all()) return;
  for (int row = 0; row < places_.equations; ++row)
    if (!lift_.keeps(row))
      for (int place = layout_->first_nu + row; place < rhs_.size(); place += places_.equations) rhs_[place] = 0;
}

// B and Z^ times what is known of a stage, by blocks, since the matrix of the stage has factors in their place by then.
void StageSystem::set_constraint_rows(const VectorX& d, double dt) {
  set_derivative_rows(dt, tangents_.Phi_t, tangents_.b_t, tangents_.a_t);
  double* const velocities = rhs_.data() + layout_->first_y;
  double* const accelerations = layout_->has_accelerations ? rhs_.data() + layout_->first_x : nullptr;
  const double part = 2 * h_ * h_ * gamma_;
  for (const StageLayout::Gradient& g : layout_->gradients) {
    const double* B = tangents_.K.values.data() + g.of.from;
    const double* Z = tangents_.Z.values.data() + g.of.from;
    prefetch(tangents_.K, layout_->gradients, g);
    if (accelerations) prefetch(tangents_.Z, layout_->gradients, g);
    for (int j = g.of.column; j < g.of.column + g.of.columns; ++j, B += g.of.stride, Z += g.of.stride) {
      const double inertia = inertial_[j];
      const double change = h_ * d[j];
      const double rate = part * d[j];
      for (int i = 0; i < g.of.rows; ++i) velocities[g.of.row + i] += B[i] * change;
      if (!accelerations) continue;
      for (int i = 0; i < g.of.rows; ++i) accelerations[g.of.row + i] += B[i] * inertia + Z[i] * rate;
    }
  }
  clear_dropped_rows();
}

void StageSystem::set_rhs(const VectorX& b, const VectorX& d, double dt) {
  inertial_ = h_ * d + h_ * gamma_ * gamma_ * b;
  rhs_.setZero();
  set_force_rows(d, dt);
  set_constraint_rows(d, dt);
}

void StageSystem::solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) {
  set_rhs(b, d, dt);
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
