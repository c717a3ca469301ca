// SPDX-License-Identifier: BSD-3-Clause
// Positions, velocities and accelerations that meet the constraints, from those that nearly do.
#include "polhode/integrators/sundials/ambient_ode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "integrators/constraint_accuracy.hpp"

namespace polhode::integrators {
namespace {

constexpr double farthest = 0.3;  // off the constraints, relative to the model: no solver should be there

}  // namespace

int size_of_ambient_ode(const assembly::System& system) {
  const auto any = [](const model::NodeUnknowns& u, int first) {
    return u.local[first] >= 0 || u.local[first + 1] >= 0 || u.local[first + 2] >= 0;
  };
  int size = 1;  // the work
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    if (any(u, 0)) size += 6;
    if (any(u, 3)) size += 7;
  }
  return size;
}

AmbientOde::AmbientOde(const assembly::System& system)
    : system_(system),
      state_(system.initial_state()),
      saddle_(system),
      projection_(system.make_matrix()),
      projector_(projection_),
      residual_(system.make_residual()),
      Bv_(VectorX::Zero(system.rows())),
      phi_t_(Bv_),
      gamma_(Bv_),
      vector_(VectorX::Zero(system.size())),
      change_(system.nodes(), Vec6::Zero()) {
  for (std::size_t i = 0; i < system.nodes(); ++i) {
    Part part{-1, -1, -1, -1};
    const auto& u = system.unknowns()[i];
    const auto unknown = [&](int k) { return i > 0 && u.local[k] >= 0 ? u.first + u.local[k] : -1; };
    const auto add = [&](int& begin, int first, int count) {
      begin = static_cast<int>(unknown_.size());
      for (int k = 0; k < count; ++k) unknown_.push_back(unknown(first + std::max(0, k - (count - 3))));
    };
    const bool moves = unknown(0) >= 0 || unknown(1) >= 0 || unknown(2) >= 0;
    const bool turns = unknown(3) >= 0 || unknown(4) >= 0 || unknown(5) >= 0;
    if (moves) {
      add(part.x, 0, 3);
      add(part.u, 0, 3);
    }
    if (turns) {
      add(part.quaternion, 3, 4);
      add(part.Omega, 3, 3);
    }
    parts_.push_back(part);
  }
  unknown_.push_back(-1);
  size_ = static_cast<int>(unknown_.size());
  y_ = VectorX::Zero(size_);
}

void AmbientOde::write(const State& q, double work, double* y) const {
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.x >= 0) {
      std::copy_n(q.x[i].data(), 3, y + part.x);
      std::copy_n(q.v[i].data(), 3, y + part.u);
    }
    if (part.quaternion < 0) continue;
    double* to = y + part.quaternion;
    to[0] = q.quat[i].w();
    to[1] = q.quat[i].x();
    to[2] = q.quat[i].y();
    to[3] = q.quat[i].z();
    std::copy_n(q.v[i].data() + 3, 3, y + part.Omega);
  }
  y[size_ - 1] = work;
}

void AmbientOde::set_weights_of_projection(const State& q, double h) {
  known_ = false;
  W_.clear();
  if (system_.rows() == 0) return;
  if (!space_) space_.emplace(system_, Coordinates::weighted);
  space_->begin(q, h);
  const assembly::SparseMatrix& X = projection_;
  for (std::size_t i = 1; i < system_.nodes(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    const Eigen::MatrixXd W = space_->weights()[i].topLeftCorner(u.count, u.count).inverse();
    for (int c = 0; c < u.count; ++c)
      for (int p = X.column_start[u.first + c]; p < X.column_start[u.first + c + 1]; ++p)
        if (const int r = X.row[p] - u.first; r >= 0 && r < u.count) W_.push_back({X.place_of(p), W(r, c)});
  }
}

bool AmbientOde::factorize_projection() {
  system_.set_matrix(state_, {.b = 1}, 0, projection_);
  for (const auto& [place, value] : W_) projection_.values[place] = value;
  return projector_.factorize();
}

// Of what stands in the rows of vector_, up to its sign.
double AmbientOde::violation_of_rows() const { return largest_violation(system_, vector_.tail(system_.rows())); }

// The change of positions or velocities along W^-1 B^T that takes what stands in the rows of vector_ away.
void AmbientOde::project() {
  vector_.head(system_.free_unknowns()).setZero();
  projector_.solve(vector_);
  system_.scatter(vector_, change_);
}

// The direction W^-1 B^T is that at y itself, which makes P smooth; the iteration converges by a factor of about the
// violation.
bool AmbientOde::meet_positions() {
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < 40; ++iteration) {
    system_.set_residual(state_, residual_, {false, false, true});
    vector_.tail(system_.rows()) = -residual_.phi;
    system_.clear_dropped(state_.dropped, vector_);
    violation_ = violation_of_rows();
    if (iteration == 0) drift_ = violation_;
    if (violation_ <= exact_violation) return true;
    if (!(violation_ < farthest)) return false;
    if (violation_ > 0.7 * before) return violation_ <= acceptable_violation;
    before = violation_;
    project();
    for (std::size_t i = 1; i < change_.size(); ++i) {
      if (parts_[i].x >= 0) state_.x[i] += change_[i].head<3>();
      if (parts_[i].quaternion >= 0)
        state_.set_rotation(
            i, (state_.quat[i] * math::so3::exp_quaternion(math::Vec3(change_[i].tail<3>()))).normalized());
    }
  }
  return false;
}

// With the same direction, so that this converges in the same way, to rounding errors.
bool AmbientOde::meet_velocities() {
  double before = HUGE_VAL;
  for (int pass = 0; pass < 40; ++pass) {
    system_.set_rates(state_, Bv_, phi_t_, gamma_);
    vector_.tail(system_.rows()) = -(Bv_ + phi_t_);
    system_.clear_dropped(state_.dropped, vector_);
    const double now = violation_of_rows();
    if (now <= exact_violation || (now > 0.7 * before && now <= acceptable_violation * std::max(1.0, fastest())))
      return true;
    if (!(now <= 0.7 * before)) return false;
    before = now;
    project();
    for (std::size_t i = 1; i < change_.size(); ++i) state_.v[i] += change_[i];
  }
  return false;
}

double AmbientOde::fastest() const {
  double most = 0;
  for (const Vec6& v : state_.v) most = std::max(most, v.lpNorm<Eigen::Infinity>());
  return most;
}

bool AmbientOde::place(double t, const double* y) {
  const auto bytes = static_cast<std::size_t>(size_) * sizeof(double);
  if (known_ && t == t_ && std::memcmp(y, y_.data(), bytes) == 0) return good_;
  ++evaluations_;
  std::memcpy(y_.data(), y, bytes);
  known_ = true;
  good_ = false;
  t_ = t;
  state_.t = std::clamp(t, from_, to_);
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.x >= 0) {
      std::copy_n(y + part.x, 3, state_.x[i].data());
      std::copy_n(y + part.u, 3, state_.v[i].data());
    }
    if (part.quaternion < 0) continue;
    const double* from = y + part.quaternion;
    state_.set_rotation(i, math::so3::Quaternion(from[0], from[1], from[2], from[3]).normalized());
    std::copy_n(y + part.Omega, 3, state_.v[i].data() + 3);
  }
  if (!y_.allFinite()) return false;
  if (system_.rows() > 0 && !(factorize_projection() && meet_positions() && meet_velocities())) return false;
  if (!saddle_.factorize(state_)) return false;
  good_ = saddle_.set_accelerations(state_, gamma_);
  state_.t = t;
  return good_;
}

bool AmbientOde::rates(double t, const double* y, double* ydot) {
  if (!place(t, y)) return false;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.x >= 0) {
      std::copy_n(state_.v[i].data(), 3, ydot + part.x);
      std::copy_n(state_.vdot[i].data(), 3, ydot + part.u);
    }
    if (part.quaternion < 0) continue;
    const math::Vec3 half = state_.v[i].tail<3>() / 2;
    const math::so3::Quaternion rate = state_.quat[i] * math::so3::Quaternion(0, half[0], half[1], half[2]);
    double* to = ydot + part.quaternion;
    to[0] = rate.w();
    to[1] = rate.x();
    to[2] = rate.y();
    to[3] = rate.z();
    std::copy_n(state_.vdot[i].data() + 3, 3, ydot + part.Omega);
  }
  state_.t = std::clamp(t, from_, to_);
  ydot[size_ - 1] = system_.power(state_);
  state_.t = t;
  return true;
}

void AmbientOde::set_weights(double tolerance, const double* y, double* weights) const {
  for (const Part& part : parts_) {
    for (const int begin : {part.x, part.u, part.Omega})
      for (int k = begin; begin >= 0 && k < begin + 3; ++k) weights[k] = 1 / (tolerance * (1 + std::abs(y[k])));
    if (part.quaternion >= 0) std::fill_n(weights + part.quaternion, 4, 1 / tolerance);  // half an angle of 2 tolerance
  }
  weights[size_ - 1] = 1e-20;
}

}  // namespace polhode::integrators
