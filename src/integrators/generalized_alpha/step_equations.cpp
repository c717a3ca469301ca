// SPDX-License-Identifier: BSD-3-Clause
// What the equations of a step have in common, and which ones a method solves.
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

#include "polhode/integrators/generalized_alpha/index2.hpp"
#include "polhode/integrators/generalized_alpha/index3.hpp"

namespace polhode::integrators {

StepEquations::StepEquations(const assembly::System& system, const AlphaParameters& parameters)
    : system_(system), p_(parameters), residual_(system.make_residual()), dx_(system.nodes(), Vec6::Zero()) {}

// Forces are scaled by beta h^2 (Bottasso, Dopico & Trainelli 2008): then no entry of the matrix grows as h
// falls.
void StepEquations::begin(const State& old, double h) {
  h_ = h;
  scale_ = p_.beta * h * h;
  dropped_ = old.dropped;
}

void StepEquations::evaluate(const State& next) { system_.set_residual(next, residual_); }

// Unknowns are multipliers times beta h^2.
void StepEquations::add_multipliers(const model::VectorX& solution, Eigen::Index first, State& next) const {
  system_.row_lots().each_range([&](Eigen::Index begin, Eigen::Index count) {
    next.lambda.segment(begin, count) += solution.segment(first + begin, count) / scale_;
  });
}

// Without constraints index 2 is index 3.
std::unique_ptr<StepEquations> make_equations(const assembly::System& system, const IntegratorSettings& settings) {
  const AlphaParameters p = AlphaParameters::of(settings);
  if (settings.method == "lie_alpha_index2" && system.rows() > 0) return std::make_unique<Index2Equations>(system, p);
  return std::make_unique<Index3Equations>(system, p);
}

}  // namespace polhode::integrators
