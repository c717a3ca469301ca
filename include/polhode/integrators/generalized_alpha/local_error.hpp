// SPDX-License-Identifier: BSD-3-Clause
// The error that one step adds to the configuration, estimated from the accelerations at its ends.
//
// The formula for h Dq has the local truncation error l = h^3 c d^3q/dt^3 (Scheme::local_truncation_error; BCA12 eq.
// (46) for lie_alpha), with (vdot_{n+1} - vdot_n)/h for vddot and the mean of both ends. The other equations of the
// step filter it: one back-substitution with the last iteration matrix takes away the part normal to the constraints
// and the vibrations that the step does not resolve:
//
//   index 3   [ A B^T ; B T 0 ] [ x ; mu ] = [ beta h^2 beta' M l ; 0 ]
//   index 2   A x + A_0 p + B^T mu = beta h^2 beta' M l,  p = B_n^T eta,  B T x = 0,  (B + s Z T) x + B p = B l
//
// Velocities and multipliers do not count: their own errors are dominated by vibrations that do not matter. What drives
// hold back counts as though they let go (ReleasedDrives).
#pragma once
#include "polhode/integrators/generalized_alpha/error_trend.hpp"
#include "polhode/integrators/generalized_alpha/released_drives.hpp"
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

namespace polhode::integrators {

class LocalError {
 public:
  // `tolerance`: of the motion.
  LocalError(const assembly::System& system, const AlphaParameters& parameters, double tolerance);

  // Root of the mean square over the free unknowns, translations by the model's length, rotations in rad.
  struct Size {
    double of_step = 0;
    // What of it adds up with those of the steps before
    double accumulating = 0;
  };
  // Of the step from `old` to `next` that `scheme` and `equations` have just done. Infinite if it is not available.
  // Lends vectors of its own to `next` and takes them back. Allocates nothing after the first call.
  Size estimate(const State& old, State& next, const Scheme& scheme, StepEquations& equations);
  // What of l stiffness and constraints hold back from velocities in the step estimated last, l less its filtered form,
  // by node: m, rad. Drives hold.
  std::span<const Vec6> held() const { return held_; }
  // The step estimated last has been accepted.
  void accept() { trend_.accept(); }

  // The largest parts of it, by the names of the deck: "nodes.tip: force x  1.2e-06".
  std::vector<std::string> worst_rows(int count) const;
  // What has been driven so far; for a run that is saved.
  DrivenRows& drives() { return drives_.drives(); }
  ErrorTrend& trend() { return trend_; }

 private:
  // Makes m comparable with rad.
  double weight(int component) const { return component < 3 ? 1 / system_.length() : 1; }
  double norm(std::span<const Vec6> x) const;
  // Of the x of l.
  void set_held(const Scheme& scheme, StepEquations& equations, double factor);
  // Adds to x what the drives hold back of M l, which the forces of the last solution are.
  void add_held_back(bool velocities_are_met, double to_mass, State& next, StepEquations& equations);

  const assembly::System& system_;
  AlphaParameters p_;
  MassProduct mass_;
  // M l, then B l; the last two are by-products of rates that nobody reads
  assembly::Residual force_;
  model::VectorX Bl_;
  model::VectorX phi_t_;
  std::vector<Vec6> truncation_;
  std::vector<Vec6> held_;
  // Exact less numerical, by node, in the frame of the new state, m and rad
  std::vector<Vec6> x_;
  ReleasedDrives drives_;
  ErrorTrend trend_;
  // Of index 2 alone: x without a part normal to the constraints
  std::vector<Vec6> tangential_;
};

}  // namespace polhode::integrators
