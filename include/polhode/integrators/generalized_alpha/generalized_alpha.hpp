// SPDX-License-Identifier: BSD-3-Clause
// The generalized-alpha family: lie_alpha, lie_alpha_index2, ul_crv, ul_rotation_vector. A step is a Newton iteration
// (newton.hpp) on the equations of step_equations.hpp, with the formulas of lie_alpha.hpp (BCA12, Table 1) or
// updated_lagrangian.hpp (section 6).
//
// State::memory holds the acceleration-like variable a of all nodes, then vdot of the state before.
#pragma once
#include <memory>
#include <optional>

#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/generalized_alpha/local_error.hpp"
#include "polhode/integrators/generalized_alpha/newton.hpp"
#include "polhode/integrators/generalized_alpha/step_change.hpp"

namespace polhode::integrators {

// What the catalog knows of the four methods.
extern const MethodFamily generalized_alpha_family;
// Beyond a growth of 2 the methods themselves amplify vibrations.
inline constexpr StepRule controlled_alpha{};

class GeneralizedAlpha final : public Integrator {
 public:
  // `control`: tolerance of controlled steps; nullptr for fixed ones. Keeps a reference to the system.
  GeneralizedAlpha(const assembly::System& system, const IntegratorSettings& settings, const NewtonSettings& newton,
                   const StepControlSettings* control);

  bool wants_rates() const override { return settings_.initial == IntegratorSettings::Initial::perturbed; }
  // a_0 = vdot_0; or, with `initial: perturbed`, what the method itself would have if the motion had gone on for long:
  // a_0 off vdot_0, and velocities off the constraints.
  // False where `perturbed` meets a singular matrix; q's memory is set all the same.
  bool start(State& q, const Start& start) override;
  void pass_kink(State& q) override { Scheme::pass_kink(q); }

  // Where the step size changes, a re-based copy of q is what the step starts from; q stays as it is.
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  void name_worst(StepReport& report) override;
  const State& previous() const override { return next_; }

  // To zero violation; residual() is none of the present state from then on.
  void project_velocities(State& q) override;
  std::span<const double> projection_times() const override { return settings_.velocity_projection; }
  const assembly::Residual* residual() const override;
  double pivot_ratio() const override { return linear_solver().smallest_pivot_ratio(); }
  int pivot_choices() const override { return linear_solver().pivot_choices(); }
  // Once, where lie_alpha_index2 has no constraints to meet.
  std::string notice() override;

  // The direction of StepChange, six numbers a node, or nothing; solvers are made anew, so that no factorization is
  // reused.
  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

  const assembly::LinearSolver& linear_solver() const { return newton_->linear_solver(); }

 private:
  // Drops all factorizations and what was learned from them.
  void make_solvers();

  const assembly::System& system_;
  IntegratorSettings settings_;
  NewtonSettings newton_settings_;
  // Under control: of the motion, not of a step
  std::optional<double> tolerance_;
  std::unique_ptr<Scheme> scheme_;
  std::optional<NewtonSolver> newton_;
  std::optional<VelocityCorrection> velocities_;
  std::optional<StepChange> step_change_;
  // Under control
  std::optional<LocalError> local_error_;
  // The end of an attempt; the state before, once that is accepted
  State next_;
  // Where an attempt with another step size starts
  State rebased_;
  StepReport report_;
  // Velocities, after the last step
  bool projected_ = false;
  bool noticed_ = false;
};

}  // namespace polhode::integrators
