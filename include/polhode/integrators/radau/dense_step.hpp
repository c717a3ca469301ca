// SPDX-License-Identifier: BSD-3-Clause
// States within a Radau step: quintic Hermite polynomials of x and of the rotation vector from the begin, by values,
// rates and accelerations at both ends, which are of order 5 there; so their error is O(h^6), where that of the
// collocation polynomial is O(h^4). States of signals lie on cubic ones.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

class DenseStep {
 public:
  // `next`: end of the step; `theta`: increments from its begin, m and rad, by node.
  void set_end(const model::State& next, const std::vector<model::Vec6>& theta);
  // Whether t lies in the step from `begin` to that end.
  bool has(const model::State& begin, double t) const { return !v_.empty() && t >= begin.t && t <= t_; }
  // The state at t, a time of the step, accelerations and multipliers linear.
  void interpolate(const model::State& begin, double t, model::State& q) const;
  // J: of a power, W, that is given at the stages, from the end back to t.
  double work_from_end(const model::State& begin, double t, const model::Vec3& power) const;

 private:
  double t_ = 0;
  std::vector<model::Vec6> theta_;
  std::vector<model::Vec6> v_;
  std::vector<model::Vec6> vdot_;
  model::VectorX lambda_;
  // Of signals
  model::VectorX z_;
  model::VectorX rate_;
};

}  // namespace polhode::integrators
