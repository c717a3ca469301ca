// SPDX-License-Identifier: BSD-3-Clause
// The family of SUNDIALS: adams, bdf, explicit_rk (sundials.hpp). The library chooses its steps itself.
#pragma once
#include <memory>

#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/sundials/sundials.hpp"

namespace polhode::integrators {

extern const MethodFamily sundials_family;

class SundialsIntegrator final : public Integrator {
 public:
  // `duration`: s, of the analysis; about a hundredth of it counts as a step in the weights of the projection.
  SundialsIntegrator(const assembly::System& system, const std::string& method, const StepControlSettings& control,
                     double duration);
  ~SundialsIntegrator() override;

  // Makes velocities, accelerations and multipliers of `q` consistent with loads and drives at t + instant.
  bool start(State& q, const Start& start) override;
  // After save(), when rows are dropped or counted again, and when y has gone far from the constraints.
  bool wants_start(const State& q) const override;

  // One step of the library's choice, up to Start::stop. A failed one has the library's words and, where the error was
  // too large, the unknowns with most of it.
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  const State& previous() const override { return next_; }

  std::optional<double> external_work(double before) const override;
  bool between(double t, State& q, double& work) override;
  std::optional<bool> go_back(double t, State& q) override;
  double pivot_ratio() const override;

  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

 private:
  void make_solver();

  const assembly::System& system_;
  std::string method_;
  StepControlSettings control_;
  double duration_;
  std::unique_ptr<Sundials> solver_;
  State next_;
  StepReport report_;
  int revision_ = -1;  // of the system at the last start; -1: none
  bool drifted_ = false;
  std::optional<double> work_;  // J, at the time within the last step that the run has gone back to
};

}  // namespace polhode::integrators
