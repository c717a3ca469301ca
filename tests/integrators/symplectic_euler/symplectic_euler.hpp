// SPDX-License-Identifier: BSD-3-Clause
// Symplectic Euler, the example of docs/adding_a_method.md: explicit, of first order, for models without constraints.
//
//   v_{n+1} = v_n + h vdot(q_n, v_n)
//   q_{n+1} = q_n exp(h v_{n+1})
#pragma once
#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/integrators/catalog.hpp"

namespace polhode::integrators {

extern const MethodFamily symplectic_euler_family;

class SymplecticEuler final : public Integrator {
 public:
  explicit SymplecticEuler(const assembly::System& system);

  bool start(State& q, const Start& start) override;
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  const State& previous() const override { return next_; }
  double pivot_ratio() const override { return mass_->smallest_pivot_ratio(); }

  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

 private:
  bool set_accelerations(State& q);  // at q's positions and velocities; false if the mass matrix is singular

  const assembly::System& system_;
  std::optional<assembly::Saddle> mass_;
  model::VectorX none_;  // no constraint equations
  State next_;           // the end of an attempt; the state before, once that is accepted
  StepReport report_;
};

}  // namespace polhode::integrators
