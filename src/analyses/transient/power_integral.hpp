// SPDX-License-Identifier: BSD-3-Clause
// Work as the integral of power over steps, by the trapezoidal rule, and how far off it may be.
#pragma once
#include <algorithm>
#include <cmath>

#include "polhode/math/archive.hpp"

namespace polhode::analyses {

// The rule is off by h^3 P''/12 in a step of a smooth power; a peak of one step's length may be counted wholly wrong:
// of a damper at a start with a jerk, whose power is there at the begin of a step and gone at its end, it makes h P/2.
// Hence six times as much, h^3 P''/2, with P'' from the last two steps: that is the peak in full.
class PowerIntegral {
 public:
  // Goes on from `power`, W, with which nothing before is continuous.
  void begin(double power) {
    power_ = power;
    last_h_ = 0;
  }
  // J, of a step of h, s, that ends with `power`, W.
  double add(double h, double power) {
    const double slope = (power - power_) / h;
    if (last_h_ > 0) {
      const double longer = std::max(h, last_h_);
      uncertainty_ += longer * longer * longer * std::abs(slope - slope_) / (h + last_h_);
    }
    const double work = 0.5 * h * (power_ + power);
    power_ = power;
    slope_ = slope;
    last_h_ = h;
    return work;
  }
  // J, of all steps so far.
  double uncertainty() const { return uncertainty_; }

  void archive(math::Archive& a) { a(power_, slope_, last_h_, uncertainty_); }

 private:
  double power_ = 0;        // W
  double slope_ = 0;        // W/s, in the last step
  double last_h_ = 0;       // s; 0: there is none
  double uncertainty_ = 0;  // J
};

}  // namespace polhode::analyses
