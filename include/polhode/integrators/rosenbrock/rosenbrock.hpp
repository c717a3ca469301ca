// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock-Nystrom steps in state-space form (Negrut, Sandu, Haug, Potra & Sandu 2003): linearly implicit, no
// iteration; one factorization serves all stages.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "polhode/integrators/driven_rows.hpp"
#include "polhode/integrators/rosenbrock/coefficients.hpp"
#include "polhode/integrators/rosenbrock/stage_equations.hpp"
#include "polhode/integrators/settings.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

class Rosenbrock {
 public:
  // Keeps a reference to the system. `keep_tangents`: over steps, as long as they are not too old.
  Rosenbrock(const assembly::System& system, const IntegratorSettings& settings, bool keep_tangents = false);

  enum class Attempt {
    done,
    no_positions,    // a stage has no positions that meet the constraints
    singular,        // the matrix of the stages
    singular_start,  // the position that the step starts from
    interrupted,
  };
  // One step of h from `q`, which has to be consistent, to t_next; what loads and drives do from `limit` on is not
  // looked at. A second attempt from the same state takes over what does not depend on h. `stop` is asked before each
  // stage.
  Attempt attempt(const State& q, double h, double t_next, double limit = HUGE_VAL, const math::StopRequest& stop = {});
  // Of an attempt that was done: the norm of eqs. (4), (5), with |y| = 1 for rotations; 1 is what the tolerance allows.
  double error(double tolerance);
  // The unknowns with most of it: "nodes.tip: force x  1.2" (in the tolerance).
  std::vector<std::string> worst_rows(double tolerance, int count);
  // Of loads, dampers and drives in an attempt that was done, J: a further component of the state, so that the balance of
  // energy closes to the order of the method. It counts in the error where functions of time move joints.
  double work() const { return last_.work; }
  // The end of the step: positions, velocities, accelerations, multipliers. False if the constraints cannot be met.
  bool finish(State& next);
  // Makes `q` the state at a time within the step that was finished last, before the next attempt, and `work`, J, at its
  // end, that at this time: Hermite's cubics in the chart, and the class of what they give (StateSpace::evaluate). So
  // constraints hold, and what drives alone move is exact however long the step is. False outside of that step, without
  // constraints, or if no positions that meet them are near.
  bool between(double t, State& q, double& work);
  // Of tests: what disturb_tangents() gets after each linearization.
  std::function<double()> disturbance;
  void accepted() { fresh_ = true; }  // the next attempt starts from another state
  // Of all steps that were finished: sum of the work of stages, without signs, J.
  double turnover() const { return turnover_; }
  // Goes on behind a step of h that another object has done, with its turnover.
  void resume(double h, double turnover);

  const RosenbrockCoefficients& coefficients() const { return k_; }
  StateSpace& space() { return space_; }
  const StateSpace& space() const { return space_; }
  int factorizations() const { return last_.factorizations; }  // of the last attempt
  int solves() const { return last_.solves; }

 private:
  // Over the free unknowns.
  struct Vectors {
    // `none`: of the states of signals.
    Vectors(const VectorX& zero, const VectorX& none, int stages);
    // Of each stage
    std::vector<VectorX> u;
    // Velocity and F at the begin of the step
    VectorX v;
    VectorX F1;
    // Argument of a stage and F there; z and zd also of the end of the step, and its error
    VectorX z;
    VectorX zd;
    VectorX F;
    // Right-hand sides of a stage; in the estimate of the error the increment of the step and the velocity at its end
    VectorX b;
    VectorX d;
    // Of states of signals: changes of each stage, rate at its argument, right-hand side; error of the step
    std::vector<VectorX> dc;
    VectorX g;
    VectorX b_signals;
  };
  // Of the last attempt.
  struct Last {
    // s
    double h = 0;
    double t_next = 0;
    const State* origin = nullptr;
    // J, and how far the embedded method is from it
    double work = 0;
    double work_difference = 0;
    // Sum of what stages add to the work, without signs, J
    double turnover = 0;
    int factorizations = 0;
    int solves = 0;
    bool finished = false;
  };
  // The end of a step that was finished, for the states within.
  struct End {
    State q;
    // W
    double power = 0;
    bool is_known = false;
  };
  // What does not depend on h, for a step from another state than the last one. False if its position is singular.
  bool begin(const State& q, double h);
  // u of stage i, and its part of the work; `power`: W, at the last argument.
  Attempt solve_stage(int i, double& power);
  // z and zd, the difference to the embedded method, become (I - h gamma J)^-1 times it.
  void filter_error();
  // z and zd: the cubics at the part s of the step.
  void interpolate(double s, const State& begin, const State& end);
  // Of states of signals, the largest by the tolerance of each and of one.
  double signal_error(double tolerance) const;
  // States of signals of the stage: those of the begin with so much of each stage before.
  template <class Weights>
  void set_signals(const Weights& weights, int stages);
  // Of the work, where drives move the model: the estimate sees the free motion alone, of which there may be none.
  double work_error(double tolerance) const;
  // Of an unknown, squared and by the tolerance: position and velocity. Vectors as error() leaves them.
  double squared_error(std::size_t node, int component, double tolerance) const;

  RosenbrockCoefficients k_;
  StateSpace space_;
  StageEquations stages_;
  const assembly::System& system_;
  // m: positions are measured from here where errors are relative to them
  math::Vec3 reference_;
  Vectors vectors_;
  Last last_;
  End end_;
  // Of the last step that was done, s; 0 before the first
  double last_h_ = 0;
  // At the begin of the step, W
  double power1_ = 0;
  bool is_driven_;
  bool is_filtered_;
  // Of all steps that were finished, J
  double turnover_ = 0;
  // The next attempt starts from another state than the last one
  bool fresh_ = true;
  bool keep_tangents_ = false;
  // Of the tangents, in steps
  int age_ = 0;
};

}  // namespace polhode::integrators
