// SPDX-License-Identifier: BSD-3-Clause
// The equations of equilibrium along a path of loads at one parameter s: residual R(q, lambda; s) (path_loads.hpp),
// corrections by the tangent A (tangent_stiffness.hpp), and the derivative of the path.
#pragma once
#include <utility>

#include "displacements.hpp"
#include "path_loads.hpp"
#include "polhode/math/stop.hpp"
#include "tangent_stiffness.hpp"

namespace polhode::analyses {

// How the equations change with the parameter, at the state where Equilibrium::set_tangent() saw them.
struct LoadRate {
  VectorX scaled;    // -dR/ds, scaled as the linear systems are; empty before
  double angle = 0;  // the largest change of a driven angle per unit of s (constraint equations without length), rad
};

class Equilibrium {
 public:
  // As PathLoads.
  Equilibrium(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start);
  Equilibrium(const Equilibrium&) = delete;

  const assembly::System& system() const { return loads_.system(); }
  const PathLoads& loads() const { return loads_; }
  PathLoads& loads() { return loads_; }
  const Displacements& displacements() const { return displacements_; }
  TangentStiffness& stiffness() { return stiffness_; }

  bool evaluate(State& q, double s);  // the residual; false if it is not finite
  const assembly::Residual& residual() const { return residual_; }
  // N, of the free unknowns; moments over the length of the model, so that no unit of length decides.
  double force_norm() const;
  // A at q, and its factors, for the parameter of the last evaluate(); false if it is singular.
  bool linearize(const State& q) { return stiffness_.factorize(q, s_); }
  // Both without effect on what else is asked: A without shift, scaled, and how far the stiffness of a motion can be
  // off because forces are not balanced to the last bit, in units of shifts.
  void set_stiffness(State q, double s, assembly::SparseMatrix& matrix);
  double uncertain_stiffness(State q, double s) const;

  void set_correction(VectorX& d);                          // -A^-1 R by the last linearize() and evaluate()
  void set_tangent(const State& q, double s, VectorX& d);   // dz/ds = -A^-1 R_s; leaves the residual as it is
  const LoadRate& load_rate() const { return load_rate_; }  // of the last set_tangent()
  void apply(State& q, const VectorX& d, double factor) const;

  // Asked by all that solves these equations, before each factorization.
  void set_stop(math::StopRequest stop) { stop_ = std::move(stop); }
  bool is_stopped() const { return math::is_asked_to_stop(stop_); }
  // What counts from here on beside the path.
  void archive(math::Archive& a) { a(stiffness_, load_rate_.scaled, load_rate_.angle); }

 private:
  void gather(const assembly::Residual& r, VectorX& d) const;

  PathLoads loads_;
  math::StopRequest stop_;
  Displacements displacements_;
  TangentStiffness stiffness_;
  assembly::Residual residual_;
  model::DroppedConstraints dropped_;  // of the state that was last evaluated
  LoadRate load_rate_;
  double s_ = 0;                            // of the last evaluate()
  mutable std::vector<model::Vec6> nodal_;  // work space
};

// What rounding makes of the corrections, nearly (Displacements::largest()): strains are known to a few 1e-16, whose
// forces bend what is thin. With the tangent of the last linearize(q).
double round_off_of(Equilibrium& equations, const State& q);

}  // namespace polhode::analyses
