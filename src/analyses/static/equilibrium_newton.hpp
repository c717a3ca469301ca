// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the equilibrium at one parameter, damped by the natural monotonicity test: a correction is taken
// as far as the next one, by the same tangent, is smaller (Deuflhard, Newton Methods for Nonlinear Problems, 2004,
// sec. 2.1).
#pragma once
#include <functional>
#include <string>

#include "equilibrium.hpp"

namespace polhode::analyses {

// What became of an iteration.
struct Correction {
  enum class End {
    converged,
    singular,
    not_converged,
    diverged,
    mirrored,
    turned,
    past_bound,
    interrupted,
    off_path  // an equilibrium, but not one that the path leads to: found by who follows it
  } end = End::converged;
  int iterations = 0;
  int retractions = 0;   // linear solves besides
  double uncertain = 0;  // converged to round-off that is larger than the tolerance: by this part of the model's length
  assembly::System::PastBound past{};  // the element that is turned past the bound of its rotation
  int solves() const { return iterations + retractions; }
  bool converged() const { return end == End::converged; }
};
const char* text_of(Correction::End end);  // "did not converge"

// The largest part 1, 1/2, ... 1/32 of a correction of length `norm` for which the next correction is shorter than
// (1 - part/4) norm; 0 if there is none. `next_norm(part)` moves to that part of the correction and returns the length
// of the next one by the same tangent; infinite or NaN where the equations cannot be evaluated there. The state is that
// of the last call.
double damped_part(double norm, const std::function<double(double part)>& next_norm);

// Takes back what a step over a curved path has done to stiff directions (a turned beam is stretched by the square of
// the turn): corrections with a stiffness added everywhere, so that what is soft stays where it is, until forces are as
// small as `aim` again or fall no more.
class Retraction {
 public:
  Retraction(Equilibrium& equations, double s) : equations_(equations), s_(s) {}
  // From the state that was last evaluated, at s, after a step of that size (Displacements::largest()); the residual is
  // that of the new one. False where the equations break down.
  bool relax(State& q, double aim, double size, double least_shift = 0);
  int solves = 0;

 private:
  bool correct(State& q);

  Equilibrium& equations_;
  double s_;
  State next_;
  VectorX correction_;
};

// The equilibrium at the parameter s, from the state `from`; in `q`, with its internal variables, when the result has
// converged. The matrix is that of the last iterate. At most StaticSettings::max_iterations linear solves.
//
// `curved`: full steps instead of damped ones, each followed by corrections that leave soft directions where they are
// (retractions). Beams that hardly stretch need it: a turn by theta stretches them by theta^2/2, whose force would be
// taken for a stiffness against further turns, or bend the beam where it is balanced by the tangent of before.
Correction solve_at(Equilibrium& equations, const State& from, double s, State& q, bool curved = false);

}  // namespace polhode::analyses
