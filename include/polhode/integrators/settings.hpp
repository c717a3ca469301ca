// SPDX-License-Identifier: BSD-3-Clause
// Settings of the integrators and of their Newton iteration, with the defaults of the deck.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace polhode::integrators {

// What the coordinates of state-space methods are independent of: see state_space.hpp.
enum class Coordinates { weighted, mass, partition };

struct IntegratorSettings {
  // lie_alpha | lie_alpha_index2 | ul_crv | ul_rotation_vector | variational | energy_momentum | rosenbrock4 |
  // rosenbrock_w2 | adams | bdf | explicit_rk
  std::string method = "lie_alpha";
  std::optional<double> rho_infinity;  // in [0, 1]; Chung & Hulbert's parameters. Default 0.9
  std::optional<double> hht_alpha;     // in [0, 1/3]; excludes rho_infinity
  enum class Initial { consistent, perturbed } initial = Initial::consistent;  // v_0 and a_0, see scheme.hpp
  Coordinates coordinates = Coordinates::weighted;
  bool is_rosenbrock() const { return method.starts_with("rosenbrock"); }
  bool is_of_sundials() const { return method == "adams" || method == "bdf" || method == "explicit_rk"; }
  bool in_state_space() const { return is_rosenbrock() || is_of_sundials(); }
  std::vector<double> velocity_projection;  // s, ascending: where velocities are made to meet the constraints

  // Of the structure-preserving methods (structure.hpp).
  enum class Start {
    given,            // from the velocities of the state
    euler,            // variational: its first step in fine ones, the first of them Euler's
    energy_momentum,  // variational: its first step in fine ones of energy_momentum
    corrected         // energy_momentum: velocities off the constraints, as the method itself would have them
  } start = Start::given;
  double start_step = 1e-5;                                                          // s, of the fine ones
  enum class Increments { quaternion, cayley } increments = Increments::quaternion;  // variational
  enum class Potential { midpoint, node, left } potential = Potential::midpoint;     // variational
  bool keeps_structure() const { return method == "variational" || method == "energy_momentum"; }
};

// Steps chosen such that the error of the motion is about `tolerance`: root mean square over the unknowns, positions
// relative to the size of the model, rotations in rad. Sizes that are not given come from the duration.
struct StepControlSettings {
  double tolerance = 0;
  std::optional<double> initial;  // s
  std::optional<double> min;      // s
  std::optional<double> max;      // s
  // Fraction taken of the largest step that the tolerance allows, in (0, 1), and growth from one step to the next at
  // most. Generalized-alpha: 0.5 and 2; Rosenbrock methods: 0.84 and 10.
  std::optional<double> safety;
  std::optional<double> growth;
};

struct NewtonSettings {
  enum class Predictor { zero, extrapolate } predictor = Predictor::extrapolate;
  enum class Criterion { residual, increment } criterion = Criterion::increment;
  enum class Jacobian { full, kept } jacobian = Jacobian::full;  // the iteration matrix: see kept_jacobian.hpp
  double residual_tolerance = 0;    // Euclidean norm of r over all free rows, N and N m together (criterion: residual)
  double constraint_tolerance = 0;  // Euclidean norm of Phi over all rows (criterion: residual)
  double relative = 1e-6;           // criterion: increment; weights of the root-mean-square norm
  double absolute = 1e-9;
  int max_iterations = 20;
  int halvings = 4;  // a failed step is repeated as 2, 4, ... 2^halvings equal sub-steps; 0 = off
};

}  // namespace polhode::integrators
