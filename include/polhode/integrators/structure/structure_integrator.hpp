// SPDX-License-Identifier: BSD-3-Clause
// The structure-preserving family: variational and energy_momentum. A step is the Newton iteration of
// structure_solver.hpp.
#pragma once
#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/structure/structure_solver.hpp"
#include "polhode/integrators/velocity_correction.hpp"

namespace polhode::integrators {

extern const MethodFamily structure_family;

class StructureIntegrator final : public Integrator {
 public:
  StructureIntegrator(const assembly::System& system, const IntegratorSettings& settings, const NewtonSettings& newton);

  bool wants_rates() const override { return start_ == StructureSettings::Start::corrected; }
  // From the velocities of `q`; with `start: corrected`, energy_momentum moves them off the constraints as the method
  // itself would have them after a long smooth motion.
  bool start(State& q, const Start& start) override;
  // From positions and velocities, or momenta, alone.
  bool remembers_accelerations() const override { return false; }

  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  const State& previous() const override { return next_; }

  std::optional<double> external_work(double before) const override { return before + solver_.end().work(); }
  const Invariants* invariants() const override { return &solver_.end().invariants(); }
  bool has_middle_values() const override { return solver_.has_middle_values(); }
  double pivot_ratio() const override { return solver_.linear_solver().smallest_pivot_ratio(); }
  int pivot_choices() const override { return solver_.linear_solver().pivot_choices(); }

  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

 private:
  const assembly::System& system_;
  StructureSettings::Start start_;
  StructureSolver solver_;
  VelocityCorrection velocities_;
  State next_;  // the end of an attempt; the state before, once that is accepted
  StepReport report_;
};

}  // namespace polhode::integrators
