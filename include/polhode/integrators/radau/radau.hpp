// SPDX-License-Identifier: BSD-3-Clause
// radau5: Radau IIA of three stages and order 5 on the Lie group, for constraints of index 3.
//
// Each stage meets the equations of motion and the constraints on positions (stages.hpp); the end of the step meets
// those of velocities and accelerations too (step_end.hpp). One Newton iteration for all stages, with matrices at one
// state (stage_solver.hpp), which `jacobian: kept` reuses over steps.
#pragma once
#include <optional>

#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/driven_rows.hpp"
#include "polhode/integrators/generalized_alpha/reused_jacobian.hpp"
#include "polhode/integrators/mass_product.hpp"
#include "polhode/integrators/radau/dense_step.hpp"
#include "polhode/integrators/radau/stage_solver.hpp"
#include "polhode/integrators/radau/step_end.hpp"

namespace polhode::integrators {

extern const MethodFamily radau_family;

inline constexpr StepRule controlled_radau{.kind = StepRule::Kind::elementary,
                                           .order = 4,
                                           .safety = 0.8,
                                           .growth = 4,
                                           .largest_growth = 10,
                                           .least_steps = 200,
                                           .smallest_part = 1e-10,
                                           .kept_below = 1.2};

class Radau final : public Integrator {
 public:
  // `control`: tolerance of controlled steps; nullptr for fixed ones. Keeps a reference to the system.
  Radau(const assembly::System& system, const NewtonSettings& newton, const StepControlSettings* control);

  bool start(State& q, const Start& start) override;
  void pass_kink(State&) override { stages_.restart(); }
  const StepReport& attempt(const State& q, const Step& step) override;
  void accept(State& q) override;
  const StepReport& report() const override { return report_; }
  void name_worst(StepReport& report) override;
  const State& previous() const override { return next_; }
  void project_velocities(State& q) override { end_.project_velocities(q); }
  std::optional<double> external_work(double before) const override {
    return before + report_.h * radau_coefficients().b.dot(power_);
  }
  // By quintic Hermite polynomials (dense_step.hpp) that meet the constraints. Accelerations and multipliers are linear
  // where elements have stiffness, and follow from the forces else.
  bool between(double t, State& q, double& work) override;
  double pivot_ratio() const override { return end_.pivot_ratio(); }
  int pivot_choices() const override { return solver_->pivot_choices(); }

  void save(const State& q, std::vector<double>& data) override;
  bool load(const State& q, std::span<const double> data) override;

 private:
  // Of the increments of a solve
  struct Change {
    // Weighted; 1 is what the iteration may leave
    double norm;
    // Of positions relative to the model's length, of rotations in rad
    double largest;
  };
  void iterate(const State& old, const Step& step);
  // Of the stages, with the rates of signals.
  void set_states(const State& old);
  // Norms of residuals, the largest of the stages; false if they are not finite.
  bool evaluate();
  bool residual_is_small();
  bool signals_are_solved();
  void end_iteration(Outcome outcome) { report_.outcome = outcome; }
  // Whether the matrices are of a step of h with this set of constraint equations.
  bool serves(double h, int revision) const;
  // Whether increments shrink too slowly with those of an earlier step.
  bool wants_new_matrix(double increment, double before) const;
  bool factorize(const State& at, double h);
  Change change() const;
  // Whether what is left after an increment is small enough.
  bool ends_with(double increment, double before) const;
  void finish(double h);
  // That with which the next step has the best contraction.
  double error_of_contraction() const;
  // By the embedded method of order 3.
  double estimate(const State& old, double h);
  // Of states of signals; `g`: h gamma_0, s.
  double estimate_signals(const State& old, double g);

  const assembly::System& system_;
  NewtonSettings newton_;
  // 0 without control
  double tolerance_;
  RadauStages stages_;
  std::optional<RadauSolver> solver_;
  RadauEnd end_;
  bool is_driven_;
  bool is_stiff_;
  std::array<assembly::Residual, RadauStages::count> residuals_;
  std::vector<Iteration> iterations_;
  StepReport report_;
  State next_;
  // W, at the stages of the last attempt
  Vec3 power_ = Vec3::Zero();
  DenseStep dense_;
  // Of the matrices: 0 where there are none; of which dropped constraint equations; whether made in this step
  double h_of_matrix_ = 0;
  int revision_ = -1;
  bool own_ = false;
  MatrixWear wear_;
  // By node: of the estimate, and what is exchanged for it
  std::vector<Vec6> error_;
  VectorX of_signals_;  // what their equations leave; their error
  std::vector<Vec6> scaled_;
  MassProduct mass_;
  assembly::Residual force_;
  State measured_;  // a stage as sensors of reactions and accelerations see it; else empty
  bool states_follow_dynamics_;
};

}  // namespace polhode::integrators
