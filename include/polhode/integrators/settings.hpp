// SPDX-License-Identifier: BSD-3-Clause
// Settings of the time integration, with the defaults of the deck: the method, the size of its steps, its Newton
// iteration. The tables of their keys are declared at the end; what belongs to one family of methods alone stands with
// the family (rosenbrock/settings.hpp, structure/settings.hpp).
#pragma once
#include <any>
#include <optional>
#include <string>
#include <vector>

#include "polhode/model/settings.hpp"

namespace polhode::integrators {

// The method and its parameters. The parameters of the generalized-alpha family may stand beside any method, which then
// ignores them, so that a deck changes its method by changing one key.
struct IntegratorSettings {
  // One of the names in src/integrators/catalog.cpp.
  std::string method = "lie_alpha";
  // Whose parameters of generalized-alpha methods these are.
  enum class Parameters { chung_hulbert, hht, wbz, newmark } parameters = Parameters::chung_hulbert;
  // Spectral radius at infinite frequency, in [0, 1]; 0.9 where no parameter is given.
  std::optional<double> rho_infinity;
  // In [0, 1/3]; excludes rho_infinity.
  std::optional<double> hht_alpha;
  // In place of these: one by one. gamma and beta follow from the other two where they are not given
  // (generalized_alpha/alpha_parameters.hpp).
  std::optional<double> alpha_m;
  std::optional<double> alpha_f;
  std::optional<double> beta;
  std::optional<double> gamma;
  // v_0 and a_0 of the generalized-alpha methods, see generalized_alpha/scheme.hpp.
  enum class Initial { consistent, perturbed } initial = Initial::consistent;
  // Times at which velocities are projected to the constraints, s, ascending.
  std::vector<double> velocity_projection;
  // Whether fixed steps that a function of time switches in are cut there. Steps under control always end there.
  enum class Breakpoints { pass, hit } breakpoints = Breakpoints::pass;
  // Settings of the method's family: the struct of its OwnSettings (catalog.hpp), or empty, which means the defaults.
  std::any own;

  // The settings of a family; defaults where `own` is empty or of another family.
  template <class Family>
  Family own_or_default() const {
    const Family* given = std::any_cast<Family>(&own);
    return given ? *given : Family{};
  }
};

// Steps chosen such that the error of the motion is about `tolerance`: root mean square over the unknowns, positions
// relative to the size of the model, rotations in rad. Sizes that are not given come from the duration (StepRule).
struct StepControlSettings {
  double tolerance = 0;
  // Sizes of the first, the smallest and the largest step, s.
  std::optional<double> initial;
  std::optional<double> min;
  std::optional<double> max;
  // Fraction taken of the largest step that the tolerance allows, in (0, 1).
  std::optional<double> safety;
  // Largest ratio of one step to the one before.
  std::optional<double> growth;
};

// Newton's iteration in each step, for methods that have one.
struct NewtonSettings {
  // Where accelerations and multipliers of a step start.
  enum class Predictor { zero, extrapolate } predictor = Predictor::extrapolate;
  // What ends the iteration: norms of residual and constraints, or a weighted norm of the increments: of the motion, in
  // units of the model's length; or of motion and multipliers, as Kynema's Algorithm 1 has it.
  enum class Criterion { residual, increment, weighted } criterion = Criterion::increment;
  // A new iteration matrix for every solve, or one that is reused (generalized_alpha/reused_jacobian.hpp).
  enum class Jacobian { full, kept } jacobian = Jacobian::full;
  // Euclidean norm of r over all free equations of motion, N and N m together; criterion `residual`, which needs it.
  std::optional<double> residual_tolerance;
  // Euclidean norm of Phi over all constraint equations, m and rad together; the same.
  std::optional<double> constraint_tolerance;
  // Weights of the root-mean-square norms of criteria `increment` and `weighted`.
  double relative = 1e-6;
  double absolute = 1e-9;
  // Linear solves after which a step has failed.
  int max_iterations = 20;
  // A failed step is repeated as 2, 4, ... 2^halvings equal sub-steps; 0: never. Default 4.
  std::optional<int> halvings;
  static constexpr int default_halvings = 4;
};

// The keys of these settings in a deck. `integrator` has an alternative for each method.
extern const model::SettingsTable integrator_table;
extern const model::SettingsTable step_table;
extern const model::SettingsTable newton_table;

}  // namespace polhode::integrators
