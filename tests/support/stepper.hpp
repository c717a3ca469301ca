// SPDX-License-Identifier: BSD-3-Clause
// A method stepped by hand: an integrator with the attempts at its steps, as the loop over time has them.
#pragma once
#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"
#include "polhode/integrators/step_attempts.hpp"

namespace polhode::support {

using integrators::State;

class Stepper {
 public:
  Stepper(const assembly::System& system, const integrators::IntegratorSettings& settings,
          const integrators::NewtonSettings& newton)
      : Stepper(system, settings, newton, nullptr) {}
  // For steps of changing size, with an estimate of their errors. A tolerance of 1e30 accepts any.
  Stepper(const assembly::System& system, const integrators::IntegratorSettings& settings,
          const integrators::NewtonSettings& newton, double tolerance)
      : Stepper(system, settings, newton, std::make_unique<integrators::StepControlSettings>(with(tolerance)).get()) {}

  integrators::Integrator& method() { return *method_; }
  bool start(State& q, double h = 0, std::span<const model::Vec6> vddot = {}) {
    return method_->start(q, {.h = h, .vddot = vddot});
  }
  bool advance(State& q, double h, double t_next) { return attempts_.advance(q, {.h = h, .t_next = t_next}); }

  const std::vector<integrators::StepReport>& reports() const { return attempts_.reports(); }
  int wasted_iterations() const { return attempts_.wasted_iterations(); }
  const State& previous() const { return attempts_.previous(); }
  const integrators::Invariants* invariants() const { return method_->invariants(); }
  const assembly::LinearSolver& linear_solver() const { return alpha().linear_solver(); }

  bool attempt(const State& q, double h, double t_next) {
    return method_->attempt(q, {.h = h, .t_next = t_next}).succeeded();
  }
  // Of the last attempt.
  integrators::LocalError::Size local_error() const { return alpha().local_error(); }
  void accept(State& q) { method_->accept(q); }
  // Of loads, dampers and drives in the last step, J.
  std::optional<double> work() const { return attempts_.external_work(0); }
  const assembly::Residual* residual() const { return method_->residual(); }

 private:
  const integrators::AlphaStep& alpha() const {
    return dynamic_cast<const integrators::GeneralizedAlpha&>(*method_).step();
  }
  static integrators::StepControlSettings with(double tolerance) {
    integrators::StepControlSettings settings;
    settings.tolerance = tolerance;
    return settings;
  }
  Stepper(const assembly::System& system, const integrators::IntegratorSettings& settings,
          const integrators::NewtonSettings& newton, const integrators::StepControlSettings* control)
      : method_(integrators::make_integrator(
            {.system = system, .settings = settings, .newton = newton, .control = control, .duration = 1})),
        attempts_(*method_, integrators::method_of(settings).may_subdivide
                                ? newton.halvings.value_or(integrators::NewtonSettings::default_halvings)
                                : 0) {}

  std::unique_ptr<integrators::Integrator> method_;
  integrators::StepAttempts attempts_;
};

}  // namespace polhode::support
