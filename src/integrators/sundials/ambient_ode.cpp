// SPDX-License-Identifier: BSD-3-Clause
// The components of y, their rates and weights.
#include "polhode/integrators/sundials/ambient_ode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "integrators/mass_scale.hpp"
#include "integrators/reference_point.hpp"
#include "polhode/integrators/driven_rows.hpp"

namespace polhode::integrators {
int size_of_ambient_ode(const assembly::System& system) {
  const auto any = [](const model::NodeUnknowns& u, int first) {
    return u.local[first] >= 0 || u.local[first + 1] >= 0 || u.local[first + 2] >= 0;
  };
  int size = 1 + system.signals().states();  // with the work
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    if (any(u, 0)) size += 6;
    if (any(u, 3)) size += 7;
  }
  return size;
}

AmbientOde::AmbientOde(const assembly::System& system)
    : system_(system),
      is_driven_(may_drive(system)),
      reference_(reference_point(system)),
      state_(system.initial_state()),
      saddle_(system),
      projection_(system) {
  if (is_driven_) {
    assembly::SparseMatrix matrix = system.make_matrix();
    mass_ = mass_scale(system, matrix);
  }
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
  states_ = system.signals().states();
  unknown_.insert(unknown_.end(), static_cast<std::size_t>(states_) + 1, -1);
  size_ = static_cast<int>(unknown_.size());
  y_ = VectorX::Zero(size_);
}

void AmbientOde::write(const State& q, double work, double* y) const {
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.x >= 0) {
      math::Vec3::Map(y + part.x) = q.x[i] - reference_;
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
  std::copy_n(q.signals.z.data(), states_, y + size_ - 1 - states_);
  y[size_ - 1] = work;
}

void AmbientOde::set_weights_of_projection(const State& q, double h) {
  known_ = false;
  projection_.set_weights(q, h);
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
      state_.x[i] = math::Vec3::Map(y + part.x) + reference_;
      std::copy_n(y + part.u, 3, state_.v[i].data());
    }
    if (part.quaternion < 0) continue;
    const double* from = y + part.quaternion;
    state_.set_rotation(i, math::so3::Quaternion(from[0], from[1], from[2], from[3]).normalized());
    std::copy_n(y + part.Omega, 3, state_.v[i].data() + 3);
  }
  std::copy_n(y + size_ - 1 - states_, states_, state_.signals.z.data());
  if (!y_.allFinite()) return false;
  if (!projection_.meet_constraints(state_)) return false;
  if (!saddle_.factorize(state_)) return false;
  good_ = saddle_.set_accelerations(state_, projection_.gamma());
  // Their rates, at the time that loads and drives see
  if (states_ > 0) system_.signals().settle(state_);
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
  std::copy_n(state_.signals.rate.data(), states_, ydot + size_ - 1 - states_);
  state_.t = std::clamp(t, from_, to_);
  ydot[size_ - 1] = system_.power(state_);
  state_.t = t;
  return true;
}

// Work follows from the motion, but for that of drives, which the motion does not show. SUNDIALS wants weights above
// zero; joules of heavy models are many.
void AmbientOde::set_weights(double tolerance, double turnover, const double* y, double* weights) const {
  constexpr double not_counted = 1e-150;
  const auto set = [&](int begin, double size) {
    for (int k = begin; begin >= 0 && k < begin + 3; ++k) weights[k] = 1 / (tolerance * (size + std::abs(y[k])));
  };
  for (const Part& part : parts_) {
    set(part.x, system_.length());
    set(part.u, system_.length());
    set(part.Omega, 1);
    if (part.quaternion >= 0) std::fill_n(weights + part.quaternion, 4, 1 / tolerance);  // half an angle of 2 tolerance
  }
  for (int k = size_ - 1 - states_; k < size_ - 1; ++k) weights[k] = 1 / (tolerance * (1 + std::abs(y[k])));
  const double speed = system_.length();  // a second
  const double work = mass_ * speed * speed + std::max(turnover, std::abs(y[size_ - 1]));
  weights[size_ - 1] = is_driven_ ? std::sqrt(size_) / (tolerance * work) : not_counted;
}

}  // namespace polhode::integrators
