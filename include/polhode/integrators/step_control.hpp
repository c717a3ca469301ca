// SPDX-License-Identifier: BSD-3-Clause
// The size of the next step, from the estimated local error of the last ones. Nothing but arithmetic.
#pragma once
#include "polhode/integrators/settings.hpp"

namespace polhode::integrators {

// The local error that a step may have for the error of the motion to be about `tolerance`: an error of e a step adds
// up over 1/h steps to e/h, and e ~ h^3, so that tolerance^1.5 makes the sum proportional to the tolerance. (Error per
// unit step, tolerance h/T, would do so too, but vibrations that nothing damps make it choose smaller and smaller
// steps.) The factor is no more than experience: measured, the error of the heavy top is 7.5 times the tolerance,
// that of the right-angle beam 0.12 times.
double allowed_error(double tolerance);

class StepControl {
 public:
  StepControl(const StepControlSettings& settings, double initial, double max, double min);

  double allowed() const { return allowed_; }
  double min() const { return min_; }
  double size() const { return h_; }  // that the control wants next

  // The step to try where the next stop is `remaining` ahead. Steps end on stops; the last two before one share the
  // way.
  double propose(double remaining);
  bool reaches_stop() const { return reaches_stop_; }

  // Of the step proposed last. `judge` is true if the error is small enough.
  bool judge(double error);
  void newton_failed();
  bool gave_up() const { return gave_up_; }  // a step below the least one would be needed
  void restart(double longest);              // after a kink or a jump

 private:
  void reduce(double factor);
  double growth_;
  double max_;
  double min_;
  double allowed_;
  double target_;  // of error / allowed
  // error by its target
  double h_;
  double tried_ = 0;
  double last_ = 1;
  bool hold_ = false;                             // no growth in the next step
  bool shortened_ = false;
  bool reaches_stop_ = false;
  bool gave_up_ = false;
};

}  // namespace polhode::integrators
