// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of the linear equations of small motions (polhode/analyses/linearized.hpp) nearest to a shift: dense
// where there are few degrees of freedom, else by Spectra's restarted Krylov methods on the shifted and inverted
// descriptor matrix.
#pragma once
#include <complex>
#include <span>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/math/stop.hpp"

namespace polhode::analyses {

using math::MatrixX;
using model::VectorX;

// Undamped motions y = shape e^(i omega t).
struct RealModes {
  VectorX squares;   // omega^2, negative where the equilibrium is unstable; ascending
  VectorX noise;     // what round-off makes of 0 in each of them, nearly
  MatrixX shapes;    // over the free unknowns; y^T M y = 1 with the scaled M
  bool all = false;  // there are no others
  bool failed = false;
  bool interrupted = false;  // by the stop function: nothing else is set
  bool is_free(Eigen::Index i) const { return std::abs(squares[i]) <= noise[i]; }
};

// Motions y = shape e^(lambda t); of a conjugate pair the one with positive imaginary part.
struct ComplexModes {
  Eigen::VectorXcd lambda;
  Eigen::MatrixXcd shapes;
  double shift = 0;  // what counts as zero is small against it
  bool all = false;
  bool failed = false;
  bool interrupted = false;
};

// Thrown where an eigenvalue problem is to end early, since Spectra has no other way out of its iteration; caught by
// real_modes() and complex_modes().
struct Interrupted {};

inline void end_if_asked(const math::StopRequest& stop) {
  if (math::is_asked_to_stop(stop)) throw Interrupted{};
}

// Whether all eigenvalues are computed by dense algebra; `complex` problems have twice the size.
bool small_enough_for_dense(const Linearized& linear, bool complex);
VectorX measured_noise(const Linearized& linear, const MatrixX& shapes);  // of omega^2; y^T M y = 1 of each shape
MatrixX product(const assembly::SparseMatrix& X, const MatrixX& Y);       // X Y over the free unknowns
MatrixX null_space(const Linearized& linear);  // of B: orthonormal columns over the free unknowns; dense

// The `count` motions whose omega^2 is nearest to `center`, by the symmetric parts of K and M. `stop` is asked before
// each factorization and each solution.
RealModes real_modes(const Linearized& linear, int count, double center = 0, const math::StopRequest& stop = {});
// The `count` motions (pairs count once) whose lambda is nearest to zero.
ComplexModes complex_modes(const Linearized& linear, int count, const math::StopRequest& stop = {});
// The same of a model with states of signals beside its motions, whose state space is not needed; `rotation` as it was
// made with. What moves nothing is dropped.
ComplexModes coupled_modes(const LinearModel& made, const std::optional<Rotation>& rotation, int count,
                           const math::StopRequest& stop = {});
// All motions of a state space x' = A x; y = motion x of the first states, as many as it has columns.
ComplexModes state_space_modes(const Linearized& linear, const MatrixX& A, const MatrixX& motion,
                               const math::StopRequest& stop = {});

}  // namespace polhode::analyses
