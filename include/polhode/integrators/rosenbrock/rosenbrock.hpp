// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock-Nystrom steps in state-space form (Negrut, Sandu, Haug, Potra & Sandu 2003): linearly implicit, no
// iteration; one factorization serves all stages.
#pragma once
#include "polhode/integrators/rosenbrock/coefficients.hpp"
#include "polhode/integrators/rosenbrock/state_space.hpp"
#include "polhode/integrators/settings.hpp"

namespace polhode::integrators {

class Rosenbrock {
 public:
  Rosenbrock(const assembly::System& system, const IntegratorSettings& settings, bool keep_tangents = false);

  enum class Attempt {
    done,
    no_positions,    // a stage has no positions that meet the constraints
    singular,        // the matrix of the stages
    singular_start,  // the position that the step starts from
  };
  // One step of h from `q`, which has to be consistent, to t_next; what loads and drives do from `limit` on is not
  // looked at. A second attempt from the same state takes over what does not depend on h.
  Attempt attempt(const State& q, double h, double t_next, double limit = HUGE_VAL);
  // Of an attempt that was done: the norm of eqs. (4), (5), with |y| = 1 for rotations; 1 is what the tolerance allows.
  double error(double tolerance);
  // The unknowns with most of it: "nodes.tip: force x  1.2" (in the tolerance).
  std::vector<std::string> worst_rows(double tolerance, int count);
  // Of loads, dampers and drives in an attempt that was done, J: a further component of the state, without a say in the
  // error; so the balance of energy closes to the order of the method.
  double work() const { return work_; }
  // The end of the step: positions, velocities, accelerations, multipliers. False if the constraints cannot be met.
  bool finish(State& next);
  // Of tests: what disturb_tangents() gets after each linearization.
  std::function<double()> disturbance;
  void accepted() { fresh_ = true; }  // the next attempt starts from another state
  // Goes on behind a step of h that another object has done.
  void resume(double h);

  const RosenbrockCoefficients& coefficients() const { return k_; }
  StateSpace& space() { return space_; }
  const StateSpace& space() const { return space_; }
  int factorizations() const { return factorizations_; }  // of the last attempt
  int solves() const { return solves_; }

 private:
  // Of an unknown, squared and by the tolerance: position and velocity. Vectors as error() leaves them.
  double share(std::size_t node, int component, double tolerance) const;

  RosenbrockCoefficients k_;
  StateSpace space_;
  const assembly::System& system_;
  std::vector<VectorX> u_;
  VectorX v_;
  VectorX z_;
  VectorX zd_;
  VectorX F_;
  VectorX F1_;
  VectorX b_;
  VectorX d_;
  double h_ = 0;
  double t_next_ = 0;
  double last_h_ = 0;
  double work_ = 0;
  double power1_ = 0;
  const State* origin_ = nullptr;
  bool fresh_ = true;
  bool keep_tangents_ = false;
  int age_ = 0;
  int factorizations_ = 0;
  int solves_ = 0;
};

}  // namespace polhode::integrators
