// SPDX-License-Identifier: BSD-3-Clause
// Stability of equilibria: negative eigenvalues of the symmetric part of K within the constraints, relative to the
// metric (docs/theory.md). Motions without stiffness count as stable.
#pragma once
#include "equilibrium.hpp"
#include "polhode/assembly/linear/constrained_spectrum.hpp"

namespace polhode::analyses {

class Stability {
 public:
  // Keeps a reference.
  explicit Stability(Equilibrium& equations);
  // Drops what was learned from factorizations.
  void start_anew();

  // Directions of negative stiffness at an equilibrium, by inertia: where there are any, motions() confirms them. Not
  // known where constraint equations depend on each other.
  std::optional<int> count(const State& q, double s);
  // Whether the stiffness with this shift (TangentStiffness::set_shift) on top is positive within the constraints.
  bool is_definite(const State& q, double s, double shift);

  // The `count` lowest motions of an equilibrium; fewer where they cannot be found. Without any stiffness: curvatures of
  // zero, and no shapes.
  struct Motions {
    VectorX curvature;     // ascending, in units of shifts
    math::MatrixX shapes;  // by columns, of the free unknowns; the largest displacement 1 m, or 1 rad times the length
    // Of those with negative curvature beyond round-off: the model moves away without coming back, or swings with
    // loads that have no potential (moments of fixed direction, follower loads), and may flutter.
    int unstable = 0;
    int oscillating = 0;
  };
  Motions motions(const State& q, double s, int count);

 private:
  bool set(const State& q, double s);
  double least_negative(const State& q, double s) const;

  Equilibrium& equations_;
  assembly::SparseMatrix matrix_;
  std::optional<assembly::ConstrainedSpectrum> spectrum_;
};

}  // namespace polhode::analyses
