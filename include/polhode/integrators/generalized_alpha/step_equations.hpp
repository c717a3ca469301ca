// SPDX-License-Identifier: BSD-3-Clause
// The equations of one step as the Newton loop sees them: residuals of an iterate, linearization, increments.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/generalized_alpha/scheme.hpp"

namespace polhode::integrators {

class StepEquations {
 public:
  // Keeps a reference to the system.
  StepEquations(const assembly::System& system, const AlphaParameters& parameters);
  virtual ~StepEquations() = default;

  // Of a step of h, s, from `old`, which decides about dropped constraint equations.
  virtual void begin(const State& old, double h);
  // Sets the residual of the iterate.
  virtual void evaluate(const State& next);
  // Of the last evaluation, unscaled.
  const assembly::Residual& residual() const { return residual_; }
  // Euclidean: of forces, and of what the constraints miss.
  virtual assembly::System::Norms norms() const { return system_.norms(residual_); }

  // At the iterate of the last evaluation. False if the matrix is singular.
  virtual bool linearize(const State& next, Scheme& scheme) = 0;
  // Solves for the increments and adds them to `next`. False if they are not finite: `next` is then as before.
  virtual bool advance(const State& old, State& next, Scheme& scheme) = 0;
  // Of h Dq, by node: m and rad.
  std::span<const Vec6> increment() const { return dx_; }
  // What v and vdot follow.
  virtual std::span<const Vec6> dynamic_increment() const { return dx_; }

  // With the factorization that the last step left: the x that nodal generalized forces (unscaled by beta h^2, in the
  // place of M dx) and right-hand sides of the constraints on positions and velocities give. `velocity`: rows of index
  // 2; others leave it aside. False if x is not finite.
  virtual bool solve_again(const assembly::Residual& force, const model::VectorX& velocity, std::vector<Vec6>& x) = 0;
  // Adds to increments x, by node, what v and vdot follow beside them in that solution: p of index 2.
  virtual void add_p_again(std::span<Vec6>) {}
  // Of that solution, by constraint equation; scaled as the forces are, and by scale_again().
  virtual std::span<const double> multipliers_again() const = 0;
  virtual double scale_again() const { return 1; }

  virtual const assembly::LinearSolver& linear_solver() const = 0;
  // Where elimination broke down: "" if it is not known.
  virtual std::string singular_place() const = 0;

 protected:
  // Solves with a matrix whose values are set on the way: section by section where the system can, so that the cache
  // holds what the solver goes on with, else all at once. Elimination by blocks works in place: where it gives up, KLU
  // needs the values once more. False if the matrix is singular.
  template <class WriteSection, class WriteAll>
  bool write_and_solve(assembly::LinearSolver& solver, const WriteSection& write_section, const WriteAll& write_all,
                       model::VectorX& rhs) const {
    const auto solves = [&] {
      // By reference, since a copy of it would be allocated
      if (system_.has_whole_sections()) return solver.factorize_and_solve(rhs, std::ref(write_section));
      write_all();
      return solver.factorize_and_solve(rhs);
    };
    return solves() || (solver.wants_values_again() && solves());
  }

  // Adds the multipliers of a solution, which begin at `first` in it.
  void add_multipliers(const model::VectorX& solution, Eigen::Index first, State& next) const;

  const assembly::System& system_;
  AlphaParameters p_;
  // h, s, and beta h^2
  double h_ = 0;
  double scale_ = 0;
  // Of the state that the step begins with
  model::DroppedConstraints dropped_;
  assembly::Residual residual_;
  std::vector<Vec6> dx_;
};

// Those of the method: lie_alpha_index2 has its own.
std::unique_ptr<StepEquations> make_equations(const assembly::System& system, const IntegratorSettings& settings);

}  // namespace polhode::integrators
