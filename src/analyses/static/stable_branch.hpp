// SPDX-License-Identifier: BSD-3-Clause
// Downhill to a stable equilibrium at one load: from an unstable one along its direction of negative curvature, or from
// a state that is not in balance at all.
//
// Without inertia and with a drag in proportion to the metric W the model moves by  W dx/dtau = -r  within its
// constraints, to lower and lower energy, until it comes to rest where it is stable. Implicit steps of 1/mu in tau,
//   [ K + mu W  B^T ] [ dx      ]       [ r   ]
//   [ B         0   ] [ dlambda ] = - [ Phi ],
// need mu W to outweigh the negative curvature; where there is none any more, Newton's method ends the way
// (pseudo-transient continuation: Kelley & Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523).
#pragma once
#include <functional>

#include "equilibrium_newton.hpp"
#include "stability.hpp"

namespace polhode::analyses {

class StableBranch {
 public:
  // Keeps references. `interrupted` is asked before each factorization.
  StableBranch(Equilibrium& equations, Stability& stability, std::function<bool()> interrupted);

  // The stable equilibrium at s that the model reaches from the unstable one `from`, pushed off along `direction` (of the
  // free unknowns, its largest displacement 1), whose curvature is given in units of shifts, < 0. Nothing if the way
  // does not end. The shift of the equations stays as it was.
  std::optional<State> find(const State& from, double s, const VectorX& direction, double curvature);
  // The stable equilibrium at s that the model reaches from `from`, which need not be in balance. Motions without
  // stiffness that no load drives stay where they are.
  std::optional<State> find(const State& from, double s);
  int solves() const { return solves_; }

 private:
  // What counts as the end: no curvature below what rounding explains, or none that is surely negative.
  enum class End { stable, not_surely_unstable };

  std::optional<State> descend(State& q, double s, double shift, End end);
  double definite_shift(const State& q, double s, double shift);  // not far above the least that outweighs K
  bool step(State& q, double s, double& shift);
  // By Newton's method, if it ends at a stable equilibrium nearby.
  bool rest(const State& from, double s, State& q, End end);
  bool is_end(const State& q, double s, End end);

  Equilibrium& equations_;
  Stability& stability_;
  std::function<bool()> interrupted_;
  int solves_ = 0;
  double last_size_ = 0;  // of the last step, in units of the model's length, or rad
};

}  // namespace polhode::analyses
