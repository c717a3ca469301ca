// SPDX-License-Identifier: BSD-3-Clause
// States of signals in the shifted descriptor form, by their Schur complement.
#include "coupled_states.hpp"

#include <cmath>

namespace polhode::analyses {

using math::Mat3;
using math::Vec3;
using model::Vec6;

// In a turning frame a node at y moves with y' + V y (linearized.hpp).
CoupledStates::CoupledStates(const LinearModel& made, const std::optional<Rotation>& rotation) {
  // Forces are scaled as the rows of M, C and K are
  const assembly::System& system = *made.linear.system;
  const assembly::SignalLinearization& signals = made.signals;
  std::vector<Eigen::Index> acting;
  for (int i = 0; i < system.signals().states(); ++i)
    if (system.signals().acts(i)) acting.push_back(i);
  const auto states = static_cast<Eigen::Index>(acting.size());
  const Eigen::Index k = made.linear.metric.size();
  force_ = made.linear.scale * made.f_of_signals(Eigen::all, acting);
  by_state_ = signals.rates_by_state(acting, acting);
  by_position_ = MatrixX::Zero(states, k);
  by_velocity_ = by_position_;
  // Rows of W_y and W_v: rates by sensors, times what these read of their nodes
  const Mat3 W = rotation ? math::tilde(Vec3(rotation->speed * rotation->axis)) : Mat3(Mat3::Zero());
  for (std::size_t m = 0; m < signals.measured.size(); ++m) {
    const VectorX by_sensor = signals.rates_by_added(acting, signals.value_of_sensor[m]);
    for (std::size_t side = 0; side < signals.measured[m].nodes.size(); ++side) {
      const auto node = static_cast<std::size_t>(signals.measured[m].nodes[side]);
      if (node == 0) continue;
      Vec6 by_position = signals.measured[m].by_position[side];
      const Vec6& by_velocity = signals.measured[m].by_velocity[side];
      by_position.head<3>() += W.transpose() * by_velocity.head<3>();
      const Mat3 spin = math::tilde(Vec3(made.linear.q.v[node].tail<3>()));
      if (rotation) by_position.tail<3>() += spin.transpose() * by_velocity.tail<3>();
      const model::NodeUnknowns& at = system.unknowns()[node];
      for (int j = 0; j < 6; ++j)
        if (at.local[j] >= 0) {
          by_position_.col(at.first + at.local[j]) += by_position[j] * by_sensor;
          by_velocity_.col(at.first + at.local[j]) += by_velocity[j] * by_sensor;
        }
    }
  }
}

// A state that no motion drives counts by the motion that it makes.
void CoupledStates::choose_sizes(double shift, const VectorX& metric) {
  has_sizes_ = true;
  const MatrixX shifted = shift * MatrixX::Identity(count(), count()) - by_state_;
  const MatrixX driven = shifted.partialPivLu().solve(by_motion_ * metric.cwiseSqrt().cwiseInverse().asDiagonal());
  // A unit of each becomes what the largest motion of size one makes of it
  for (Eigen::Index i = 0; i < count(); ++i) {
    double size = driven.row(i).norm();
    if (!(size > 0) || !std::isfinite(size)) size = 1 / (metric.cwiseSqrt().asDiagonal() * answer_.col(i)).norm();
    if (!(size > 0) || !std::isfinite(size)) continue;
    force_.col(i) *= size;
    answer_.col(i) *= size;
    by_state_.col(i) *= size;
    by_state_.row(i) /= size;
    by_position_.row(i) /= size;
    by_velocity_.row(i) /= size;
    by_motion_.row(i) /= size;
  }
}

// As many solutions as there are states.
bool CoupledStates::factorize(const ShiftedInverse& inverse, double shift) {
  by_motion_ = by_position_ + shift * by_velocity_;
  answer_.resize(force_.rows(), count());
  for (Eigen::Index i = 0; i < count(); ++i) inverse.apply(force_.col(i).data(), answer_.col(i).data());
  if (!has_sizes_) choose_sizes(shift, inverse.metric());
  // Z - s + (W_y + s W_v) P^-1 F
  MatrixX left = by_state_ + by_motion_ * answer_;
  left.diagonal().array() -= shift;
  left_.compute(left);
  const auto pivots = left_.matrixLU().diagonal().cwiseAbs();
  return answer_.allFinite() && (count() == 0 || pivots.minCoeff() > 1e-13 * pivots.maxCoeff());
}

// y' = b + s y in the equations of s, and y = P^-1 f + P^-1 F s.
void CoupledStates::couple(const double* b, const double* bs, double* y, double* s) const {
  Eigen::Map<VectorX> motion(y, force_.rows());
  rest_ = Eigen::Map<const VectorX>(bs, count()) - by_motion_ * motion;
  rest_ -= by_velocity_ * Eigen::Map<const VectorX>(b, force_.rows());
  rest_ = left_.solve(rest_).eval();
  motion += answer_ * rest_;
  Eigen::Map<VectorX>(s, count()) = rest_;
}

}  // namespace polhode::analyses
