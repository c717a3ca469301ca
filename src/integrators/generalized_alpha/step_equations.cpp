// SPDX-License-Identifier: BSD-3-Clause
// The equations of index 3.
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

#include "polhode/integrators/generalized_alpha/index2.hpp"

namespace polhode::integrators {

StepEquations::StepEquations(const assembly::System& system, const AlphaParameters& parameters)
    : StepEquations(system, parameters, Solver::of_its_matrix) {}

StepEquations::StepEquations(const assembly::System& system, const AlphaParameters& parameters, Solver solver)
    : system_(system),
      p_(parameters),
      matrix_(system.make_matrix()),
      residual_(system.make_residual()),
      dx_(system.nodes(), Vec6::Zero()),
      rhs_(system.size()) {
  if (solver == Solver::of_its_matrix) solver_.emplace(matrix_, assembly::InPlace{});
}

// Forces are scaled by beta h^2 (Bottasso, Dopico & Trainelli 2008): then no entry of the matrix grows as h
// falls.
void StepEquations::begin(const State& old, double h) {
  h_ = h;
  scale_ = p_.beta * h * h;
  dropped_ = old.dropped;
}

void StepEquations::evaluate(const State& next) { system_.set_residual(next, residual_); }

// Elimination by blocks works in place: where it gave up, KLU needs the values once more.
bool StepEquations::linearize(const State& next, Scheme& scheme) {
  const Factors factors = scheme.factors();
  system_.set_matrix(next, factors, scale_, matrix_);
  if (solver_->factorize()) return true;
  if (!solver_->wants_values_again()) return false;
  system_.set_matrix(next, factors, scale_, matrix_);
  return solver_->factorize();
}

// [S_t] [dx; beta h^2 dlambda] = -[beta h^2 r; Phi]; gather() has changed the sign of forces only.
bool StepEquations::advance(const State& old, State& next, Scheme& scheme) {
  system_.gather(residual_, dropped_, -scale_, rhs_);
  rhs_.tail(system_.rows()) *= -1;
  solver_->solve(rhs_);
  system_.scatter(rhs_, dx_);
  if (!rhs_.allFinite()) return false;
  scheme.update(old, next, dx_, dx_);
  next.lambda += rhs_.tail(system_.rows()) / scale_;
  return true;
}

bool StepEquations::solve_again(const assembly::Residual& force, const model::VectorX&, std::vector<Vec6>& x) {
  system_.gather(force, dropped_, 1, rhs_);
  solver_->solve(rhs_);
  system_.scatter(rhs_, x);
  return rhs_.allFinite();
}

std::span<const double> StepEquations::multipliers_again() const {
  return {rhs_.data() + system_.free_unknowns(), static_cast<std::size_t>(system_.rows())};
}

std::string StepEquations::singular_place() const {
  const int column = solver_->singular_column();
  return column >= 0 ? system_.name_of(column) : "";
}

// Without constraints index 2 is index 3.
std::unique_ptr<StepEquations> make_equations(const assembly::System& system, const IntegratorSettings& settings) {
  const AlphaParameters p = AlphaParameters::of(settings);
  if (settings.method == "lie_alpha_index2" && system.rows() > 0) return std::make_unique<Index2Equations>(system, p);
  return std::make_unique<StepEquations>(system, p);
}

}  // namespace polhode::integrators
