// SPDX-License-Identifier: BSD-3-Clause
// The descriptor form of a stage's linear system.
#include "polhode/integrators/rosenbrock/stage_system.hpp"

#include <algorithm>

namespace polhode::integrators {

using assembly::SparseMatrix;

namespace {

// Where the unknowns p, w, z, nu, y, x begin.
struct StageColumns {
  explicit StageColumns(const JacobianPlaces& places)
      : w(places.unknowns),
        z(2 * places.unknowns),
        nu(3 * places.unknowns),
        y(nu + places.equations),
        x(y + places.equations) {}
  int p = 0;
  int w;
  int z;
  int nu;
  int y;
  int x;
};

// Where the rows begin: forces, lifts of w and z, then positions, velocities, accelerations of the constraint
// equations; in the order of the unknowns that they decide.
struct StageRows {
  explicit StageRows(const StageColumns& at)
      : forces(at.p), lift_w(at.w), lift_z(at.z), positions(at.nu), velocities(at.y), accelerations(at.x) {}
  int forces;
  int lift_w;
  int lift_z;
  int positions;
  int velocities;
  int accelerations;
};

}  // namespace

StageSystem::StageSystem(const JacobianPlaces& places, const Lift& lift, const StageTangents& tangents,
                         const SparseMatrix& pattern)
    : places_(places),
      lift_(lift),
      tangents_(tangents),
      system_pattern_(pattern),
      inertial_(VectorX::Zero(places.unknowns)) {}

// From the tangents among the nodes' unknowns, and the identity of w and z.
void StageSystem::add_node_entries_to(std::vector<Placed>& all) const {
  const StageColumns at(places_);
  const StageRows to(at);
  const int n = places_.unknowns;
  const bool constrained = places_.equations > 0;
  const SparseMatrix& X = system_pattern_;
  for (int column = 0; column < n; ++column)
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n; ++p) {
      const int row = X.row[p];
      const int place = X.place_of(p);
      all.push_back({to.forces + row, at.p + column, {Entry::A, place}});
      if (!constrained) continue;
      all.push_back({to.forces + row, at.w + column, {Entry::C, place}});
      all.push_back({to.forces + row, at.z + column, {Entry::M, place}});
    }
  if (!constrained) return;
  for (int i = 0; i < n; ++i) {
    all.push_back({to.lift_w + i, at.w + i, {Entry::one, 0}});
    all.push_back({to.lift_z + i, at.z + i, {Entry::one, 0}});
  }
}

// From B and its rates, the lift, and the identity of dropped equations.
void StageSystem::add_constraint_entries_to(std::vector<Placed>& all) const {
  const StageColumns at(places_);
  const StageRows to(at);
  for (int column = 0; column < places_.unknowns; ++column)
    for (int p = places_.column_start[column]; p < places_.column_start[column + 1]; ++p) {
      const int index = places_.by_column[p];
      const int row = places_.rows[index].row;
      const int B = places_.rows[index].mirror;
      all.push_back({to.forces + column, at.nu + row, {Entry::BT, places_.rows[index].place}});
      all.push_back({to.positions + row, at.p + column, {Entry::B, B}});
      all.push_back({to.velocities + row, at.p + column, {Entry::Z, B}});
      all.push_back({to.velocities + row, at.w + column, {Entry::B, B}});
      all.push_back({to.accelerations + row, at.p + column, {Entry::A14, B}});
      all.push_back({to.accelerations + row, at.w + column, {Entry::A2, B}});
      all.push_back({to.accelerations + row, at.z + column, {Entry::B, B}});
      all.push_back({to.lift_w + column, at.y + row, {Entry::lift, index}});
      all.push_back({to.lift_z + column, at.x + row, {Entry::lift, index}});
    }
  for (int row = 0; row < places_.equations; ++row)
    for (const int first : {to.positions, to.velocities, to.accelerations})
      all.push_back({first + row, first + row, {Entry::hold, row}});
}

// By columns, rows ascending.
void StageSystem::make() {
  std::vector<Placed> all;
  add_node_entries_to(all);
  add_constraint_entries_to(all);
  std::sort(all.begin(), all.end(),
            [](const Placed& a, const Placed& b) { return std::pair(a.column, a.row) < std::pair(b.column, b.row); });

  const int n = places_.unknowns;
  const int m = places_.equations;
  pattern_.size = m > 0 ? 3 * (n + m) : n;
  pattern_.column_start.assign(static_cast<std::size_t>(pattern_.size) + 1, 0);
  for (const Placed& one : all) {
    ++pattern_.column_start[static_cast<std::size_t>(one.column) + 1];
    pattern_.row.push_back(one.row);
    entries_.push_back(one.entry);
  }
  for (std::size_t i = 1; i < pattern_.column_start.size(); ++i)
    pattern_.column_start[i] += pattern_.column_start[i - 1];
  matrix_.emplace(pattern_);
  solver_.emplace(*matrix_, assembly::LinearSolver::Method::klu);
  rhs_.setZero(pattern_.size);
}

double StageSystem::value_of(const Entry& entry) const {
  const int p = entry.place;
  const double mass = lift_.mass();
  switch (entry.source) {
    case Entry::A:
      return (tangents_.M.values[p] + s_ * tangents_.C.values[p] + s_ * s_ * tangents_.K.values[p]) / mass;
    case Entry::C:
      return s_ * tangents_.C.values[p] / mass;
    case Entry::M:
      return tangents_.M.values[p] / mass;
    case Entry::BT:
    case Entry::B:
      return tangents_.K.values[p];
    case Entry::Z:
      return s_ * tangents_.Z.values[p];
    case Entry::A14:
      return s_ * s_ * tangents_.A1.values[p] + 2 * s_ * tangents_.Z.values[p];
    case Entry::A2:
      return 2 * s_ * tangents_.Z.values[p];
    case Entry::one:
      return 1;
    case Entry::lift:
      return -lift_.values()[p];
    case Entry::hold:
      return lift_.keeps(p) ? 0 : 1;
  }
  return 0;
}

void StageSystem::set_values() {
  for (std::size_t i = 0; i < entries_.size(); ++i) matrix_->values[i] = value_of(entries_[i]);
  // Dropped equations: System::set_matrix() has made them zero in B and B^T, but for what differences and rates put
  // there.
  if (lift_.keeps_all()) return;
  const int first = 3 * places_.unknowns;
  for (int column = 0; column < pattern_.size; ++column)
    for (int p = pattern_.column_start[column]; p < pattern_.column_start[column + 1]; ++p) {
      const int row = pattern_.row[p];
      if (row >= first && row != column && !lift_.keeps((row - first) % places_.equations)) matrix_->values[p] = 0;
    }
}

bool StageSystem::factorize(double h, double gamma) {
  if (!matrix_) make();
  h_ = h;
  gamma_ = gamma;
  s_ = h * gamma;
  set_values();
  return solver_->factorize();
}

void StageSystem::solve(const VectorX& b, const VectorX& d, double dt, VectorX& u) {
  const double h = h_;
  const double gamma = gamma_;
  const int n = places_.unknowns;
  const int m = places_.equations;
  const SparseMatrix& X = system_pattern_;
  const double s = s_;
  inertial_ = h * d + h * gamma * gamma * b;
  rhs_.setZero();
  // Products over the free unknowns.
  for (int column = 0; column < n; ++column) {
    const double inertia = inertial_[column];
    const double c = h * h * gamma * d[column];
    for (int p = X.column_start[column]; p < X.column_start[column + 1] && X.row[p] < n; ++p) {
      const int at = X.place_of(p);
      rhs_[X.row[p]] += tangents_.M.values[at] * inertia + tangents_.C.values[at] * c;
    }
  }
  rhs_.head(n) -= s * s * dt * tangents_.r_t;
  rhs_.head(n) /= lift_.mass();
  if (m > 0) {
    auto positions = rhs_.segment(3 * n, m);
    auto velocities = rhs_.segment(3 * n + m, m);
    auto accelerations = rhs_.segment(3 * n + 2 * m, m);
    positions = -dt * tangents_.Phi_t;
    velocities = -positions - s * dt * tangents_.b_t;
    accelerations = -s * s * dt * tangents_.a_t - positions;
    for (int column = 0; column < n; ++column)
      for (int p = places_.column_start[column]; p < places_.column_start[column + 1]; ++p) {
        const JacobianPlaces::Row& row = places_.rows[places_.by_column[p]];
        const double B = tangents_.K.values[row.mirror];
        velocities[row.row] += h * B * d[column];
        accelerations[row.row] +=
            B * inertial_[column] + 2 * h * h * gamma * tangents_.Z.values[row.mirror] * d[column];
      }
    for (int row = 0; row < m; ++row) {
      if (lift_.keeps(row)) continue;
      positions[row] = 0;
      velocities[row] = 0;
      accelerations[row] = 0;
    }
  }
  solver_->solve(rhs_);
  if (m > 0) rhs_.segment(3 * n, m) *= lift_.mass();
  u = (rhs_.head(n) - h * d) / s;
}

}  // namespace polhode::integrators
