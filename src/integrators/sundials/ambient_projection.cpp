// SPDX-License-Identifier: BSD-3-Clause
// Positions and velocities that meet the constraints, from those that nearly do.
#include "polhode/integrators/sundials/ambient_projection.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "integrators/constraint_accuracy.hpp"
#include "integrators/nodal.hpp"

namespace polhode::integrators {

using model::State;
using model::Vec6;
using model::VectorX;

namespace {

constexpr double farthest = 0.3;  // off the constraints, relative to the model: no solver should be there

}  // namespace

AmbientProjection::AmbientProjection(const assembly::System& system)
    : system_(system),
      matrix_(system.make_matrix()),
      solver_(matrix_),
      residual_(system.make_residual()),
      Bv_(VectorX::Zero(system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_),
      vector_(VectorX::Zero(system.size())),
      change_(system.nodes(), Vec6::Zero()) {}

bool AmbientProjection::meet_constraints(State& q) {
  return system_.rows() == 0 || (factorize(q) && meet_positions(q) && meet_velocities(q));
}

bool AmbientProjection::moves(std::size_t node) const {
  const auto& local = system_.unknowns()[node].local;
  return local[0] >= 0 || local[1] >= 0 || local[2] >= 0;
}

bool AmbientProjection::turns(std::size_t node) const {
  const auto& local = system_.unknowns()[node].local;
  return local[3] >= 0 || local[4] >= 0 || local[5] >= 0;
}

void AmbientProjection::set_weights(const State& q, double h) {
  W_.clear();
  if (system_.rows() == 0) return;
  if (!lift_) {
    places_.emplace(system_, matrix_);
    lift_.emplace(system_, *places_, Coordinates::weighted);
  }
  lift_->set_weights(q, h);
  const assembly::SparseMatrix& X = matrix_;
  for (std::size_t i = 1; i < system_.nodes(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    const Eigen::MatrixXd W = lift_->weights()[i].topLeftCorner(u.count, u.count).inverse();
    for (int c = 0; c < u.count; ++c)
      for (int p = X.column_start[u.first + c]; p < X.column_start[u.first + c + 1]; ++p)
        if (const int r = X.row[p] - u.first; r >= 0 && r < u.count) W_.push_back({X.place_of(p), W(r, c)});
  }
}

bool AmbientProjection::factorize(const State& q) {
  system_.set_matrix(q, {.b = 1}, 0, matrix_);
  for (const auto& [place, value] : W_) matrix_.values[place] = value;
  return solver_.factorize();
}

// Of what stands in the rows of vector_, up to its sign.
double AmbientProjection::violation_of_rows() const { return largest_violation(system_, vector_.tail(system_.rows())); }

// The change of positions or velocities along W^-1 B^T that takes what stands in the rows of vector_ away.
void AmbientProjection::project() {
  vector_.head(system_.free_unknowns()).setZero();
  solver_.solve(vector_);
  system_.scatter(vector_, change_);
}

// The direction W^-1 B^T is that at y itself, which makes P smooth; the iteration converges by a factor of about the
// violation.
bool AmbientProjection::meet_positions(State& q) {
  const PositionAccuracy accuracy = position_accuracy(system_, q);
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 40; ++iteration) {
    system_.set_residual(q, residual_, {false, false, true});
    vector_.tail(system_.rows()) = -residual_.phi;
    system_.clear_dropped(q.dropped, vector_);
    violation_ = violation_of_rows();
    if (iteration == 0) drift_ = violation_;
    if (violation_ <= accuracy.exact) return true;
    if (!(violation_ < farthest)) return false;
    if (violation_ > 0.7 * before) return violation_ <= accuracy.acceptable;
    before = violation_;
    project();
    for (std::size_t i = 1; i < change_.size(); ++i) {
      if (moves(i)) q.x[i] += change_[i].head<3>();
      if (turns(i))
        q.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(math::Vec3(change_[i].tail<3>()))).normalized());
    }
  }
  return false;
}

// With the same direction, so that this converges in the same way, to rounding errors.
bool AmbientProjection::meet_velocities(State& q) {
  const double acceptable = position_accuracy(system_, q).acceptable * std::max(1.0, size_of(q.v, system_.length()));
  double before = HUGE_VAL;
  for (int pass = 0; pass < 40; ++pass) {
    system_.set_rates(q, Bv_, phi_t_, gamma_);
    vector_.tail(system_.rows()) = -(Bv_ + phi_t_);
    system_.clear_dropped(q.dropped, vector_);
    const double now = violation_of_rows();
    if (now <= exact_violation || (now > 0.7 * before && now <= acceptable)) return true;
    if (!(now <= 0.7 * before)) return false;
    before = now;
    project();
    for (std::size_t i = 1; i < change_.size(); ++i) q.v[i] += change_[i];
  }
  return false;
}

}  // namespace polhode::integrators
