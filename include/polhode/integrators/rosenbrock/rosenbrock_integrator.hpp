// SPDX-License-Identifier: BSD-3-Clause
// The Rosenbrock family: rosenbrock4 and rosenbrock_w2 in state-space form (rosenbrock.hpp, state_space.hpp). Positions,
// velocities and accelerations meet the constraints at every step.
#pragma once
#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"

namespace polhode::integrators {

extern const MethodFamily rosenbrock_family;

// Settings that no method in state-space form can work with: perturbed starts, projection of velocities.
void check_state_space_settings(const SettingsCheck& check, model::Problems& problems);

// `order`: of the embedded method's error in h.
constexpr StepRule controlled_rosenbrock(int order) {
  return {.kind = StepRule::Kind::elementary,
          .order = static_cast<double>(order),
          .safety = 0.84,
          .growth = 10,
          .largest_growth = 100,
          .least_steps = 5,
          .smallest_part = 1e-12,
          .restarts_at_breakpoints = true};
}

class RosenbrockIntegrator final : public Integrator {
 public:
  // `reuse_tangents`: for several steps, which rosenbrock_w2 allows for. `control`: tolerance of controlled steps;
  // nullptr for fixed ones.
  RosenbrockIntegrator(const assembly::System& system, const IntegratorSettings& settings, bool reuse_tangents,
                       const StepControlSettings* control);

  // Makes velocities, accelerations and multipliers of `q` consistent with loads and drives at t + instant.
  bool start(State& q, const Start& start) override;

  // A second attempt from the same state takes over what does not depend on h.
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  void name_worst(StepReport& report) override;
  const State& previous() const override { return next_; }

  std::optional<double> external_work(double before) const override { return before + method_->work(); }
  bool between(double t, State& q, double& work) override { return method_->between(t, q, work); }
  double pivot_ratio() const override { return method_->space().origin().pivot_ratio(); }
  std::string notice() override;

  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

 private:
  Outcome try_step(const State& q, const Step& step);

  const assembly::System& system_;
  IntegratorSettings settings_;
  bool reuse_tangents_;
  double tolerance_;  // 0 without control
  std::optional<Rosenbrock> method_;
  State next_;
  StepReport report_;
  int factorizations_ = 0;  // since the last accepted step
  int partitions_ = 0;      // when the last notice was asked for
  int revision_;            // of the system at the last attempt
};

}  // namespace polhode::integrators
