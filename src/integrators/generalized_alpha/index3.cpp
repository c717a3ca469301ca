// SPDX-License-Identifier: BSD-3-Clause
// The equations of index 3: linearization and solution.
#include "polhode/integrators/generalized_alpha/index3.hpp"

namespace polhode::integrators {

Index3Equations::Index3Equations(const assembly::System& system, const AlphaParameters& parameters)
    : StepEquations(system, parameters),
      matrix_(system.make_matrix()),
      solver_(matrix_, assembly::InPlace{}),
      rhs_(system.size()) {
  if (!system.has_whole_sections()) return;
  solver_.follow(system.sections(), system.sections().last_of_blocks(system.batches(), system.unknowns()));
}

bool Index3Equations::linearize(const State& next, Scheme& scheme) {
  const Factors factors = scheme.factors(next);
  set_rhs();
  const auto write_section = [&](std::size_t i) {
    system_.set_matrix_of_section(i, next, factors, scale_, matrix_.values);
  };
  const auto write_all = [&] { system_.set_matrix(next, factors, scale_, matrix_); };
  is_solved_ = write_and_solve(solver_, write_section, write_all, rhs_);
  return is_solved_;
}

// [S_t] [dx; beta h^2 dlambda] = -[beta h^2 r; Phi].
void Index3Equations::set_rhs() { system_.gather(residual_, dropped_, -scale_, rhs_, -1); }

bool Index3Equations::advance(const State& old, State& next, Scheme& scheme) {
  if (!is_solved_) {
    set_rhs();
    solver_.solve(rhs_);
  }
  is_solved_ = false;
  if (!system_.scatter_finite(rhs_, dx_)) return false;
  scheme.to_increments(dx_);
  scheme.update(old, next, dx_, dx_);
  add_multipliers(rhs_, system_.free_unknowns(), next);
  return true;
}

bool Index3Equations::solve_again(const assembly::Residual& force, const model::VectorX&, std::vector<Vec6>& x) {
  system_.gather(force, dropped_, 1, rhs_);
  solver_.solve(rhs_);
  system_.scatter(rhs_, x);
  return rhs_.allFinite();
}

// Of the last solve_again(): the unknowns behind those of the nodes.
std::span<const double> Index3Equations::multipliers_again() const {
  return {rhs_.data() + system_.free_unknowns(), static_cast<std::size_t>(system_.rows())};
}

std::string Index3Equations::singular_place() const {
  const int column = solver_.singular_column();
  return column >= 0 ? system_.name_of(column) : "";
}

}  // namespace polhode::integrators
