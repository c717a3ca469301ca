// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha family: lie_alpha, lie_alpha_index2, ul_crv, ul_rotation_vector. A step is a Newton iteration
// (newton.hpp) on the equations of step_equations.hpp, with the formulas of lie_alpha.hpp (BCA12, Table 1) or
// updated_lagrangian.hpp (section 6).
//
// State::memory holds the acceleration-like variable a of all nodes, then vdot of the state before.
#pragma once
#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/generalized_alpha/alpha_step.hpp"

namespace polhode::integrators {

// What the catalog knows of the four methods.
extern const MethodFamily generalized_alpha_family;
// Beyond a growth of 2 the methods themselves amplify vibrations.
inline constexpr StepRule controlled_alpha{.later_growth = 1.05};

class GeneralizedAlpha final : public Integrator {
 public:
  // `control`: tolerance of controlled steps; nullptr for fixed ones. Keeps a reference to the system.
  GeneralizedAlpha(const assembly::System& system, const IntegratorSettings& settings, const NewtonSettings& newton,
                   const StepControlSettings* control)
      : system_(system), step_(system, settings, newton, control) {}

  bool wants_rates() const override { return step_.settings().initial == IntegratorSettings::Initial::perturbed; }
  // a_0 = vdot_0; or, with `initial: perturbed`, what the method itself would have if the motion had gone on for long:
  // a_0 off vdot_0, and velocities off the constraints.
  // False where `perturbed` meets a singular matrix; q's memory is set all the same.
  bool start(State& q, const Start& start) override;
  double lasting_growth() const override { return AlphaParameters::of(step_.settings()).lasting_growth(); }
  bool has_velocity_offsets() const override { return true; }
  void pass_kink(State& q) override {
    Scheme::pass_kink(q);
    start_signals(q, q.last_step);
  }

  // Where the step size changes, a re-based copy of q is what the step starts from; q stays as it is.
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  void name_worst(StepReport& report) override;
  const State& previous() const override { return next_; }

  // To zero violation; residual() is none of the present state from then on.
  void project_velocities(State& q) override { step_.project_velocities(q); }
  std::span<const double> projection_times() const override { return step_.settings().velocity_projection; }
  const assembly::Residual* residual() const override { return step_.residual(); }
  double pivot_ratio() const override { return step_.linear_solver().smallest_pivot_ratio(); }
  int pivot_choices() const override { return step_.linear_solver().pivot_choices(); }
  // Once, where lie_alpha_index2 has no constraints to meet.
  std::string notice() override;

  // As AlphaStep does.
  void save(const State& q, std::vector<double>& data) override { step_.save(q, data); }
  bool load(const State& q, std::span<const double> data) override;

  const AlphaStep& step() const { return step_; }

 private:
  // a_0 of the states of signals for steps of h, s: f_0; where drives follow them, what the method itself carries along a
  // smooth motion, f_0 + (alpha_m - alpha_f) h f'_0.
  void start_signals(State& q, double h);

  const assembly::System& system_;
  AlphaStep step_;
  // The end of an attempt; the state before, once that is accepted
  State next_;
  StepReport report_;
  bool noticed_ = false;
};

}  // namespace polhode::integrators
