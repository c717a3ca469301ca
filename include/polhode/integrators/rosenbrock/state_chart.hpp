// SPDX-License-Identifier: BSD-3-Clause
// A chart of the configurations about a state q_n, the origin, and the state of a stage in it:
//   q(theta) = q_n exp(theta),  v = T(theta) thetadot
// by node, theta = (displacement; rotation vector).
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

using model::Mat3;
using model::State;
using model::Vec3;
using model::Vec6;
using model::VectorX;

class StateChart {
 public:
  explicit StateChart(const assembly::System& system);

  // About `q`; stages get internal variables, dropped constraint equations and load factor from it. T is that of the
  // origin, the identity.
  void begin(const State& q);
  State& origin() { return origin_; }
  const State& origin() const { return origin_; }
  State& stage() { return stage_; }
  const State& stage() const { return stage_; }
  std::vector<Vec6>& theta() { return theta_; }
  std::vector<Vec6>& thetad() { return thetad_; }
  // Of the rotation of each node, as the last call of begin() or set_T() has it.
  const std::vector<Mat3>& T() const { return T_; }

  // The positions of the stage, at the time t, by theta. False near the end of the chart, 2 pi.
  bool place(double t);
  // By theta.
  void set_T();
  // The velocities of the stage by thetad and T.
  void set_velocities();
  // thetaddot of the stage's accelerations, by theta and thetad; good until the next call.
  const std::vector<Vec6>& thetadd();

 private:
  State origin_;
  State stage_;
  std::vector<Vec6> theta_;
  std::vector<Vec6> thetad_;
  std::vector<Vec6> thetadd_;
  std::vector<Mat3> T_;
};

}  // namespace polhode::integrators
