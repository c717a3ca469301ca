// SPDX-License-Identifier: BSD-3-Clause
// The equations of equilibrium along a path of loads (polhode/analyses/static/static.hpp) at one parameter s: residual
// R(q, lambda; s), tangent A, corrections and the derivative of the path.
//
// Linear systems are scaled: rows of forces by c = 1 / max |K_ii / metric_i|, multipliers by its inverse, so that
// pivots compare each stiffness with the largest one:
//   [ c (K + shift metric)  B^T ] [ dx       ]       [ c r ]
//   [ B                     0   ] [ c dlambda ] = -  [ Phi ]
#pragma once
#include <optional>
#include <utility>

#include "displacements.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::analyses {

using model::State;
using model::VectorX;

// How the equations change with the parameter, at the state where Equilibrium::set_tangent() saw them.
struct LoadRate {
  VectorX scaled;    // -dR/ds, scaled as the linear systems are; empty before
  double angle = 0;  // the largest change of a driven angle per unit of s (constraint equations without length), rad
};

class Equilibrium {
 public:
  // `loaded`: loads are as they are at the start already, and s releases the unbalance of `start` only. Keeps
  // references to `system` and `settings`.
  Equilibrium(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start);

  const assembly::System& system() const { return system_; }
  const StaticSettings& settings() const { return settings_; }
  const Displacements& displacements() const { return displacements_; }
  double load_factor(double s) const { return loaded_ ? 1 : s; }

  void set_parameter(State& q, double s) const;  // load factor, motion of the turning frame
  bool evaluate(State& q, double s);             // the residual; false if it is not finite
  const assembly::Residual& residual() const { return residual_; }
  double force_norm() const { return system_.force_norm(residual_); }  // N, N m
  // A at q, and its factors, for the parameter of the last evaluate(); false if it is singular.
  bool linearize(const State& q);
  const assembly::SparseMatrix& matrix() const { return matrix_; }  // A, scaled
  // Both without effect on what else is asked: A without shift, scaled, and how far the stiffness of a motion can be
  // off because forces are not balanced to the last bit, in units of shifts.
  void set_stiffness(State q, double s, assembly::SparseMatrix& matrix);
  double uncertain_stiffness(State q, double s) const;
  double pivot_ratio() const { return solver_.smallest_pivot_ratio(); }

  void set_correction(VectorX& d);                          // -A^-1 R by the last linearize() and evaluate()
  void set_tangent(State q, double s, VectorX& d);          // dz/ds = -A^-1 R_s; leaves the residual as it is
  const LoadRate& load_rate() const { return load_rate_; }  // of the last set_tangent()
  void apply(State& q, const VectorX& d, double factor) const;

  // What rounding makes of the corrections, nearly (Displacements::largest()): strains are known to a few 1e-16, whose
  // forces bend what is thin. With the tangent of the last linearize(q).
  double round_off(const State& q);

  // A stiffness added to all free unknowns, relative to the largest one: a tangent can then be inverted whose free
  // motions the loads do not drive. 0: none. Counts from the next linearize() on.
  void set_shift(double shift) { shift_ = shift; }
  double shift() const { return shift_; }

  // Asked by all that solves these equations, before each factorization.
  void set_stop(math::StopRequest stop) { stop_ = std::move(stop); }
  bool is_stopped() const { return math::is_asked_to_stop(stop_); }
  // The shift that answers a displacement (in units of the model's length) by this force, N.
  double shift_of(double force, double displacement) const {
    return scale_ * force / (displacement * system_.length());
  }

 private:
  void gather(const assembly::Residual& r, VectorX& d) const;
  void set_matrix(const State& q, double s, assembly::SparseMatrix& matrix);

  const assembly::System& system_;
  const StaticSettings& settings_;
  bool loaded_;
  math::StopRequest stop_;
  Displacements displacements_;
  assembly::SparseMatrix matrix_;
  assembly::LinearSolver solver_;
  std::optional<RotatingTangent> rotating_;
  assembly::Residual start_;  // r and Phi of the start at s = 0
  assembly::Residual residual_;
  model::DroppedConstraints dropped_;  // of the state that was last evaluated
  LoadRate load_rate_;
  double scale_ = 1;
  double shift_ = 0;
  double s_ = 0;                            // of the last evaluate()
  mutable std::vector<model::Vec6> nodal_;  // work space
};

}  // namespace polhode::analyses
