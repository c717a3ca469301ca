// SPDX-License-Identifier: BSD-3-Clause
// The size of the next step, from the estimated errors of the last ones. Nothing but arithmetic.
#pragma once
#include <limits>
#include <memory>

#include "polhode/integrators/settings.hpp"
#include "polhode/math/archive.hpp"

namespace polhode::integrators {

// The local error that a generalized-alpha step may have for the error of the motion to be about `tolerance`: an error
// of e a step adds up over 1/h steps to e/h, and e ~ h^3, so that tolerance^1.5 makes the sum proportional to the
// tolerance. (Error per unit step, tolerance h/T, would do so too, but vibrations that nothing damps make it choose
// smaller and smaller steps.) The factor is no more than experience: measured, the error of the heavy top is 7.5 times
// the tolerance, that of the right-angle beam 0.12 times.
double allowed_error(double tolerance);
// The error that a step may have where the next ones take it back, as of a vibration that steps do not resolve: it
// cannot grow beyond the size of the vibration.
double allowed_once(double tolerance);

// How the steps of a method are controlled; one a family.
struct StepRule {
  enum class Kind {
    // Gustafsson's proportional-integral controller with a dead band in which steps stay as they are, for methods that
    // a change of the step disturbs; errors of order h^3.
    proportional_integral,
    // h (safety / error)^(1/order), for one-step methods
    elementary,
    // The method's library chooses
    own
  };
  Kind kind = Kind::proportional_integral;
  // Of the estimated error in h
  double order = 3;
  // Default fraction taken of the largest step that the tolerance allows
  double safety = 0.5;
  // Default of the largest growth from one step to the next
  double growth = 2;
  // The same once a step has been as long as its error allowed, unless the deck gives one
  double later_growth = 2;
  // That a deck may ask for
  double largest_growth = 2;
  // Default of the largest step: duration / least_steps
  double least_steps = 200;
  // Default of the smallest step, of the duration
  double smallest_part = 1e-10;
  // Of Kind::elementary: where this is above 1, no growth below this ratio and no cut above 0.9 is made, so that
  // matrices that have the step in them serve on
  double kept_below = 1;
  // The method starts anew at every breakpoint of loads and drives, and makes accelerations consistent there by itself;
  // else only where they jump.
  bool restarts_at_breakpoints = false;
};

// Sizes for a run, s: what the deck gives, or the defaults of the rule.
struct StepSizes {
  double initial;
  double min;
  double max;
};
// `first_stop`: s, from the start to the first stop.
StepSizes step_sizes(const StepControlSettings& settings, const StepRule& rule, double duration, double first_stop);

// For each step: propose, then one of accepted, rejected, failed. Errors are at most 1 where a step is accepted.
class StepControl {
 public:
  virtual ~StepControl() = default;

  // The step to try where the next stop is `remaining` ahead, s. Steps end on stops.
  virtual double propose(double remaining) = 0;
  // The step proposed last ends on the stop.
  bool reaches_stop() const { return reaches_stop_; }
  // No step above `longest`, s, is proposed from here on, unless it is the least one; what the errors allow is known
  // all the same. Infinity: no such bound.
  void bound(double longest) { longest_ = longest; }
  // The step proposed last had this error, in units of what the tolerance allows.
  virtual void accepted(double error) = 0;
  virtual void rejected(double error) = 0;
  // It had no solution.
  virtual void failed() = 0;
  // Behind a kink or a jump: no step above `longest`, s, comes next.
  virtual void restart(double longest) = 0;
  // A step below the least one would be needed.
  bool gave_up() const { return gave_up_; }
  virtual void archive(math::Archive& a) { a(reaches_stop_, gave_up_, longest_); }

 protected:
  bool reaches_stop_ = false;
  bool gave_up_ = false;
  double longest_ = std::numeric_limits<double>::infinity();
};

// Safety and growth of the settings count before those of the rule.
std::unique_ptr<StepControl> make_step_control(const StepControlSettings& settings, const StepRule& rule,
                                               const StepSizes& sizes);

}  // namespace polhode::integrators
