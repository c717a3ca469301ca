// SPDX-License-Identifier: BSD-3-Clause
// The chart: from its coordinates to positions and velocities, and from accelerations to its coordinates.
#include "polhode/integrators/rosenbrock/state_chart.hpp"

#include <algorithm>

#include "polhode/math/chart.hpp"

namespace polhode::integrators {

using math::Chart;
using math::ChartPoint;

namespace {

constexpr double largest_turn = 3;  // rad; the chart ends at 2 pi

}  // namespace

StateChart::StateChart(const assembly::System& system)
    : origin_(system.initial_state()),
      stage_(origin_),
      theta_(system.nodes(), Vec6::Zero()),
      thetad_(theta_),
      thetadd_(theta_),
      T_(system.nodes(), Mat3::Identity()) {}

void StateChart::begin(const State& q) {
  origin_ = q;
  stage_.history = q.history;
  if (q.signals.values.size() > 0) stage_.signals = q.signals;
  stage_.dropped = q.dropped;
  stage_.load_factor = q.load_factor;
  std::fill(T_.begin(), T_.end(), Mat3(Mat3::Identity()));
}

bool StateChart::place(double t) {
  stage_.t = t;
  double turn = 0;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    const Vec3 psi = theta_[i].tail<3>();
    turn = std::max(turn, psi.squaredNorm());
    stage_.x[i] = origin_.x[i] + theta_[i].head<3>();
    if (psi.isZero(0)) {
      stage_.quat[i] = origin_.quat[i];
      stage_.R[i] = origin_.R[i];
    } else {
      stage_.set_rotation(i, (origin_.quat[i] * math::so3::exp_quaternion(psi)).normalized());
    }
  }
  return turn < largest_turn * largest_turn;
}

// The tangent operators of all rotations at the coordinates of the chart.
void StateChart::set_T() {
  for (std::size_t i = 0; i < T_.size(); ++i) T_[i] = math::so3::tangent(theta_[i].tail<3>());
}

void StateChart::set_velocities() {
  for (std::size_t i = 0; i < T_.size(); ++i) {
    stage_.v[i].head<3>() = thetad_[i].head<3>();
    stage_.v[i].tail<3>() = T_[i] * thetad_[i].tail<3>();
  }
}

const std::vector<Vec6>& StateChart::thetadd() {
  for (std::size_t i = 0; i < T_.size(); ++i) {
    const ChartPoint point(Chart::rotation_vector, theta_[i].tail<3>());
    thetadd_[i].head<3>() = stage_.vdot[i].head<3>();
    thetadd_[i].tail<3>() = math::so3::tangent_inverse(theta_[i].tail<3>()) *
                            (stage_.vdot[i].tail<3>() - point.convective(thetad_[i].tail<3>()));
  }
  return thetadd_;
}

}  // namespace polhode::integrators
