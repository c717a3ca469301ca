// SPDX-License-Identifier: BSD-3-Clause
// The one interface of all methods. A method advances a State from t_n to t_{n+1}; the loop over time decides which
// steps are tried, what a failed one is followed by, and where the method starts anew (analyses/transient).
//
//   start    from consistent accelerations, at the begin of an analysis and behind a jump of loads or drives
//   attempt  tries a step from a state, which stays as it is
//   accept   makes the end of the attempt the present state; an attempt that is not accepted leaves no trace
//
// A method may keep data of its own in State::memory, which is copied with the state; what else it keeps between
// steps it writes in save() and takes up again in load().
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/integrators/step_report.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

using model::State;
using model::Vec3;
using model::Vec6;

// From where a method starts, beside the state.
struct Start {
  // Size of the first step, s; 0 where a method chooses its steps itself: its own choice
  double h = 0;
  // s: loads and drives are those at t + instant, which is behind a jump at t
  double instant = 0;
  // s: no step passes it before the next start
  double stop = std::numeric_limits<double>::infinity();
  // s: no step is longer before the next start, of methods that choose their steps themselves
  double longest = std::numeric_limits<double>::infinity();
  // J, so far
  double external_work = 0;
  // By node, rates of the consistent accelerations, m/s^3 and rad/s^3; empty unless wants_rates()
  std::span<const Vec6> vddot = {};
};

// One step to try. A method that chooses its steps itself looks at nothing of it.
struct Step {
  // s
  double h = 0;
  // s, the time of its end; t + h but for round-off
  double t_next = 0;
  // s: loads and drives have a kink or a jump here; what stages want to know of them beyond is extrapolated.
  double limit = std::numeric_limits<double>::infinity();
  // Asked between the solves of an attempt: where it is true the attempt ends with Outcome::interrupted. A copy must
  // not allocate: the function holds one reference.
  math::StopRequest stop = {};
};

// What a method conserves: linear and angular momentum (about the origin, inertial frame) and energy.
struct Invariants {
  // N s
  Vec3 linear = Vec3::Zero();
  // N m s
  Vec3 angular = Vec3::Zero();
  // J
  double energy = 0;
};

// One object serves one analysis of one system, step after step; it is neither copied nor shared by threads.
class Integrator {
 public:
  virtual ~Integrator() = default;

  // Whether start() looks at Start::vddot.
  virtual bool wants_rates() const { return false; }
  // Starts from `q`, whose positions, velocities and accelerations meet the constraints; a method that makes them so
  // itself changes them. False if mass matrix and constraints are singular.
  virtual bool start(State& q, const Start& start) = 0;
  // Whether accelerations of the present state count in the next step: behind a jump of a load they are made anew, and
  // start() is called.
  virtual bool remembers_accelerations() const { return true; }
  // Goes on behind a kink of a load or a drive, where accelerations are continuous and their rates are not.
  virtual void pass_kink(State& q) { (void)q; }
  // Whether the method cannot go on from `q`, the present state, and wants start() before the next attempt.
  virtual bool wants_start(const State& q) const {
    (void)q;
    return false;
  }

  // Tries a step from `q`. Under control the outcome is Outcome::inaccurate if the estimated error is above 1; it
  // stands in the report. Allocates nothing unless the step fails.
  virtual const StepReport& attempt(const State& q, const Step& step) = 0;
  // Makes `q` the end of the attempt, which has succeeded; its time is report().t.
  virtual void accept(State& q) = 0;
  // Where steps grow for long by more than this from one to the next, vibrations that they do not resolve grow, too.
  virtual double lasting_growth() const { return std::numeric_limits<double>::infinity(); }
  // The report of the last attempt; accept() may complete it.
  virtual const StepReport& report() const = 0;
  // Names the worst equations in the report of an attempt whose error was too large.
  virtual void name_worst(StepReport& report) { (void)report; }
  // The state that the last accepted step started from; good until the next attempt.
  virtual const State& previous() const = 0;

  // Makes B v + Phi_t = 0 with the least change in the norm of M; methods that meet it anyway change nothing.
  virtual void project_velocities(State& q) { (void)q; }
  // s, ascending: times at which the loop is to project velocities.
  virtual std::span<const double> projection_times() const { return {}; }

  // Work of loads, dampers and drives, J, at the end of the last accepted step, where it was `before` at its begin;
  // nothing if the method does not count it.
  virtual std::optional<double> external_work(double before) const {
    (void)before;
    return std::nullopt;
  }
  // Makes `q` the state at a time of the last step, and `work`, which is the external work at its end, that at this time,
  // J. False without dense output of the method's own, or if no positions that meet the constraints are near.
  virtual bool between(double t, State& q, double& work) {
    (void)t;
    (void)q;
    (void)work;
    return false;
  }
  // Of methods that choose their steps themselves: makes `q`, the present state, that at a time of the last step, from
  // which start() goes on, and external_work() that until then. False as above; nothing of other methods, which repeat the
  // step up to there.
  virtual std::optional<bool> go_back(double t, State& q) {
    (void)t;
    (void)q;
    return std::nullopt;
  }
  // Whether velocities of states are off the rates of positions by the method, smoothly, by O(h^2).
  virtual bool has_velocity_offsets() const { return false; }
  // What the method conserves, at the present state; nullptr if nothing.
  virtual const Invariants* invariants() const { return nullptr; }
  // Whether accelerations and multipliers are those of the middle of the step that led to the present state.
  virtual bool has_middle_values() const { return false; }
  // The residual at the present state, where it is at hand; nullptr elsewhere.
  virtual const assembly::Residual* residual() const { return nullptr; }

  // min |u_ii| / max |u_ii| of the last factorization: falls where constraints become dependent.
  virtual double pivot_ratio() const = 0;
  // How often pivots were chosen anew, so far.
  virtual int pivot_choices() const { return 0; }
  // What the user should know of the last accepted step, or of the method before the first one; "" for nothing.
  virtual std::string notice() { return ""; }

  // Appends what the next step from `q`, the present state, depends on beside it, as numbers. Factorizations are not
  // written: the method drops them, so that the run that goes on makes the same steps, to the last bit, as one that
  // loads.
  virtual void save(const State& q, std::vector<double>& data) = 0;
  // Takes up what save() wrote at state `q`, in the place of start(). False if `data` is of another model or method.
  virtual bool load(const State& q, std::span<const double> data) = 0;
};

}  // namespace polhode::integrators
