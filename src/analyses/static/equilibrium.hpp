// SPDX-License-Identifier: BSD-3-Clause
// The equations of equilibrium along a path of loads (polhode/analyses/static.hpp), and their solution at one
// parameter.
//
// Linear systems are scaled: rows of forces by 1 / max |K_ii|, multipliers by its inverse, so that pivots tell
// stiffness against the largest one.
#pragma once
#include <optional>

#include "polhode/analyses/static/rotating.hpp"
#include "polhode/assembly/linear_solver.hpp"

namespace polhode::analyses {

using model::State;
using model::VectorX;

class Equilibrium {
 public:
  Equilibrium(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start);

  const assembly::System& system() const { return system_; }
  const StaticSettings& settings() const { return settings_; }
  double load_factor(double s) const { return loaded_ ? 1 : s; }

  void set_parameter(State& q, double s) const;  // load factor, motion of the frame
  bool evaluate(State& q, double s);             // the residual; false if it is not finite
  const assembly::Residual& residual() const { return residual_; }
  bool linearize(const State& q);  // at the parameter that q was evaluated at; false if singular
  double pivot_ratio() const { return solver_.smallest_pivot_ratio(); }

  void set_correction(VectorX& d);                  // -A^-1 R
  void set_tangent(State q, double s, VectorX& d);  // dz/ds = -A^-1 R_s; leaves the residual as it is
  const VectorX& load() const { return load_; }     // -R_s, scaled, of the last set_tangent
  // The largest change of a driven angle (row without length) by ds = 1 at the last set_tangent, rad.
  double angle_rate() const { return angle_rate_; }

  // What rounding makes of the corrections, nearly (largest()): strains are known to a few 1e-16, whose forces bend
  // what is thin. At the last linearize().
  double round_off();

  void apply(State& q, const VectorX& d, double factor) const;
  // Of displacements, lengths in units of the model's length.
  double largest(const VectorX& d) const;
  double product(const VectorX& a, const VectorX& b) const;  // mean over the free unknowns
  double norm(const VectorX& d) const { return std::sqrt(product(d, d)); }
  double largest_turn(const VectorX& d) const;            // rad
  double distance(const State& a, const State& b) const;  // in the norm of displacements; turns by the short way
  double reach(const State& a, const State& b) const;     // in that of largest()
  // Of a tangent with the way from a to b, translations only: rotations may be more than a turn apart.
  double along(const VectorX& tangent, const State& a, const State& b) const;

  // The tangent stiffness with constraints, scaled, of the last linearize(); inertia-like diagonal that goes with it.
  const assembly::SparseMatrix& matrix() const { return matrix_; }
  const VectorX& metric() const { return metric_; }  // 1 of translations, length^2 of rotations, 0 of rows
  double share(double s) const { return loaded_ ? 1 : s; }
  // A stiffness added to all free unknowns, relative to the largest one: lets a tangent be inverted whose free motions
  // the loads do not drive. 0: none.
  void set_shift(double shift) { shift_ = shift; }
  double shift() const { return shift_; }
  double scale() const { return scale_; }

 private:
  void gather(const assembly::Residual& r, VectorX& d) const;
  VectorX way(const State& a, const State& b) const;

  const assembly::System& system_;
  const StaticSettings& settings_;
  bool loaded_;
  assembly::SparseMatrix matrix_;
  assembly::LinearSolver solver_;
  std::optional<RotatingTangent> rotating_;
  assembly::Residual residual_;
  assembly::Residual other_;
  assembly::Residual start_;
  VectorX weight_;
  VectorX metric_;
  VectorX load_;
  double scale_ = 1;
  double shift_ = 0;
  double angle_rate_ = 0;
  double s_ = 0;
  mutable std::vector<model::Vec6> nodal_;
  std::vector<math::Vec3> x_;  // of the nodes at the last linearize()
};

// Newton's method at one parameter.
struct Correction {
  enum class End { converged, singular, not_converged, diverged, mirrored, turned } end = End::converged;
  int iterations = 0;
  int retractions = 0;   // linear solves besides
  double uncertain = 0;  // converged to round-off that is larger than the tolerance: by this part of the model's length
  int solves() const { return iterations + retractions; }
  bool converged() const { return end == End::converged; }
};
const char* text_of(Correction::End end);

// Damped by the natural monotonicity test: a step is taken as far as the next correction, by the same tangent, is
// smaller than this one (Deuflhard, Newton Methods for Nonlinear Problems, 2004, sec. 2.1). The matrix is that of the
// last iterate.
//
// `curved`: full steps instead, each followed by corrections that leave soft directions where they are. Beams that
// hardly stretch need it: a turn by theta stretches them by theta^2/2, whose force would be taken for a stiffness
// against further turns, or bend the beam where it is balanced by the tangent of before.
Correction solve_at(Equilibrium& equations, const State& from, double s, State& q, bool curved = false);

}  // namespace polhode::analyses
