// SPDX-License-Identifier: BSD-3-Clause
// A model as a system of ordinary differential equations of first order, for general solvers:
//
//   y = (x, quaternion, u, Omega of each node; s; w),  xdot = u,  qdot = q (0, Omega)/2,  vdot = f(P(y), t),
//   sdot = g(P(y), t) of states of signals,  wdot = power
//
// with x from the origin, or, of a model far from it, from a point near the model.
// P brings y to the constraints, positions and velocities along W^-1 B^T, with W by nodes of inertia, damping and
// stiffness at the start, as in state_space.hpp: stiff forces then are nearly linear in y, which Newton's iteration
// asks for. P is a smooth function of y, there is no chart and no partition, so that a solver with a memory never has
// to start anew for their sake. What a solver integrates is y itself, which leaves the constraints by about its
// tolerance; the motion is P(y). w is the work of loads, dampers and drives.
#pragma once
#include <optional>

#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/integrators/sundials/ambient_projection.hpp"

namespace polhode::integrators {

using model::State;
using model::Vec6;
using model::VectorX;

// Components of y.
int size_of_ambient_ode(const assembly::System& system);

class AmbientOde {
 public:
  explicit AmbientOde(const assembly::System& system);
  int size() const { return size_; }  // of y; w is the last one

  // What elements remember, and loads and drives between jumps: times outside of [from, to] count as their ends.
  void remember(const State& q) {
    known_ = known_ && state_.history == q.history && state_.signals.held == q.signals.held;
    state_.history = q.history;
    state_.signals.held = q.signals.held;
    state_.signals.past = q.signals.past;  // of the same values
    state_.dropped = q.dropped;
    state_.load_factor = q.load_factor;
  }
  void set_interval(double from, double to) {
    from_ = from;
    to_ = to;
    known_ = false;
  }
  // W at this state; `h` is about a step.
  void set_weights_of_projection(const State& q, double h);

  void write(const State& q, double work, double* y) const;
  // P(y) with its accelerations and multipliers, in state(). False if no positions that meet the constraints are near.
  bool place(double t, const double* y);
  const State& state() const { return state_; }
  bool rates(double t, const double* y, double* ydot);
  // Of an error e of y by what a tolerance allows, relative to the component, and to the size of the model (a size a
  // second, 1 rad/s; 1 of a state of signals) where that is small: e_i weight_i. |y| counts as 1 for rotations. w
  // counts (as much as all others together) where functions of time move joints, by `turnover`, J: the sum of what w
  // changed in steps, without signs.
  void set_weights(double tolerance, double turnover, const double* y, double* weights) const;
  int unknown_of(int component) const { return unknown_[component]; }  // of the system; -1 for s, w, and what is fixed

  double drift() const { return projection_.drift(); }  // of the last y off the constraints, relative to the model
  double violation() const { return projection_.violation(); }  // what is left of it
  double pivot_ratio() const { return saddle_.smallest_pivot_ratio(); }
  long evaluations() const { return evaluations_; }

 private:
  const assembly::System& system_;
  struct Part {  // of y: where position and velocity of a node begin, -1 without
    int x;
    int quaternion;
    int u;
    int Omega;
  };
  std::vector<Part> parts_;
  std::vector<int> unknown_;
  int size_ = 0;
  int states_ = 0;  // of signals, in front of w
  bool is_driven_;
  double mass_ = 0;       // kg, of a model that is driven
  math::Vec3 reference_;  // where x is measured from, m
  State state_;
  assembly::Saddle saddle_;
  AmbientProjection projection_;
  double from_ = -HUGE_VAL;
  double to_ = HUGE_VAL;
  long evaluations_ = 0;
  // The last y, whose state stands in state_.
  VectorX y_;
  double t_ = 0;
  bool known_ = false;
  bool good_ = false;
};

}  // namespace polhode::integrators
