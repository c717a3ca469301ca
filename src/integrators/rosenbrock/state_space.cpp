// SPDX-License-Identifier: BSD-3-Clause
// Positions, velocities and accelerations in a chart that meet the constraints.
#include "polhode/integrators/rosenbrock/state_space.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/nodal.hpp"

namespace polhode::integrators {

StateSpace::StateSpace(const assembly::System& system, Coordinates coordinates)
    : system_(system),
      lifted_(system, coordinates),
      loads_(system),
      chart_(system),
      origin_(system, lifted_, loads_, chart_),
      constraints_(system, lifted_, loads_, chart_, origin_),
      accelerations_(system, lifted_.places, lifted_.lift, lifted_.matrix) {}

bool StateSpace::begin(const State& q, double h) {
  chart_.begin(q);
  loads_.set_begin(q.t);
  return origin_.begin(h);
}

bool StateSpace::evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F) {
  system_.scatter(z, chart_.theta());
  system_.scatter(zd, chart_.thetad());
  if (!constraints_.meet_positions(t) || !constraints_.meet_velocities()) return false;
  State& stage = chart_.stage();
  std::fill(stage.vdot.begin(), stage.vdot.end(), Vec6(Vec6::Zero()));
  stage.lambda.setZero();
  loads_.set_forces(stage);
  const auto set_again = [&] { constraints_.set_matrix(); };
  if (!accelerations_.accelerate(loads_.residual(), loads_.gamma(), set_again, stage)) return false;
  if (system_.signals().states() > 0) loads_.set_signal_rates(stage);
  gather(system_, chart_.thetadd(), F);
  return F.allFinite();
}

bool make_consistent(const assembly::System& system, StateSpace& space, State& q, double t) {
  const double limit = space.loads().limit();
  space.loads().set_limit(HUGE_VAL);
  const double before = q.t;
  q.t = t;
  bool good = space.begin(q, 0);
  if (good) {
    const VectorX z = VectorX::Zero(system.free_unknowns());
    VectorX zd(z);
    VectorX F(z);
    gather(system, q.v, zd);
    good = space.evaluate(z, zd, t, F);
  }
  if (good) take_motion(q, space.chart().stage());
  if (good) q.signals.rate = space.chart().stage().signals.rate;
  q.t = before;
  space.loads().set_limit(limit);
  return good;
}

}  // namespace polhode::integrators
