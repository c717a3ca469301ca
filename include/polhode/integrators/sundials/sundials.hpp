// SPDX-License-Identifier: BSD-3-Clause
// The general solvers of SUNDIALS on the form of ambient_ode.hpp:
//
//   adams        CVODE, Adams-Moulton methods of orders 1 to 12, fixed-point iteration
//   bdf          CVODE, backward differentiation of orders 1 to 5, Newton with a dense matrix by differences
//   explicit_rk  ARKODE ERKStep, explicit Runge-Kutta of order 5(4), Cash and Karp
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/integrators/integrator.hpp"
#include "polhode/integrators/settings.hpp"
#include "polhode/integrators/step_control.hpp"
#include "polhode/integrators/step_report.hpp"
#include "polhode/integrators/sundials/ambient_ode.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::integrators {

bool has_sundials();  // whether the program was built with it

inline constexpr StepRule sundials_rule{.kind = StepRule::Kind::own,
                                        .largest_growth = HUGE_VAL,  // growth is refused: the library has its rule
                                        .least_steps = 5,
                                        .smallest_part = 1e-12,
                                        .restarts_at_breakpoints = true};

class Sundials {
 public:
  // `max`, `min`: of steps, s. Relative tolerance = absolute tolerance = control.tolerance.
  Sundials(const assembly::System& system, const std::string& method, const StepControlSettings& control, double min,
           double max, double duration);
  ~Sundials();
  int size() const { return form_.size(); }  // of the state that is integrated

  // From a state that meets the constraints; nothing is kept of what was before. Loads and drives are those just behind
  // q.t, up to the stop. A bound of the steps below the smallest one is the smallest one.
  void start(const State& q, const Start& start);
  // Accelerations and multipliers of `q` as loads and drives are behind q.t. False if that is impossible.
  bool make_consistent(State& q, double instant);
  // One step of the library's choice; its end in state() and work(). The report tells evaluations of the accelerations
  // as `iterations`. After a failure: what the library said, and the unknowns with most of the error. `stop` is asked
  // before each evaluation.
  StepReport step(const math::StopRequest& stop = {});
  double time() const;
  const State& state() const { return form_.state(); }
  double work() const;
  // State and work at a time of the last step, by the method's own dense output, brought to the constraints.
  bool between(double t, State& q, double& work);
  void remember(const State& q) { form_.remember(q); }
  const AmbientOde& form() const { return form_; }

 private:
  struct Memory;
  const assembly::System& system_;
  AmbientOde form_;
  StepControlSettings control_;
  double min_;
  double max_;
  double about_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace polhode::integrators
