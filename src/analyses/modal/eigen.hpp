// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of the linear equations of small motions (polhode/analyses/linearized.hpp) nearest to a shift: dense
// where there are few degrees of freedom, else by Spectra's restarted Krylov methods on the shifted and inverted
// descriptor matrix.
#pragma once
#include <complex>
#include <span>

#include "polhode/analyses/linearize/linearized.hpp"
#include "polhode/assembly/linear_solver.hpp"

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
  bool is_free(Eigen::Index i) const { return std::abs(squares[i]) <= noise[i]; }
};

// Motions y = shape e^(lambda t); of a conjugate pair the one with positive imaginary part.
struct ComplexModes {
  Eigen::VectorXcd lambda;
  Eigen::MatrixXcd shapes;
  double shift = 0;  // what counts as zero is small against it
  bool all = false;
  bool failed = false;
};

// Inverse of [P B^T; B 0], P = K + c C + m M.
class ShiftedInverse {
 public:
  explicit ShiftedInverse(const Linearized& linear);
  bool factorize(double c, double m);
  // y from f, both over the free unknowns; allocates nothing.
  void apply(const double* f, double* y) const;
  bool accurate();  // false if the matrix is singular to working precision: solutions cannot be refined

 private:
  void refine(double& before, double& change) const;  // work_ by what rhs_ leaves; sizes of both
  const Linearized& linear_;
  assembly::SparseMatrix matrix_;
  mutable assembly::LinearSolver solver_;  // with full pivoting, whose factors have the least round-off
  struct Entry {
    int row;
    double k;
    double c;
    double m;
  };
  double c_ = 0;
  double m_ = 0;
  std::vector<Entry> entries_;  // other than zero, by columns
  std::vector<int> column_start_;
  mutable VectorX work_;
  mutable VectorX rhs_;
  mutable VectorX left_;
  mutable std::vector<long double> wide_;
};

bool small_enough_for_dense(const Linearized& linear, bool complex);
VectorX measured_noise(const Linearized& linear, const MatrixX& shapes);  // of omega^2; y^T M y = 1 of each shape
MatrixX null_space(const Linearized& linear);  // of B: orthonormal columns over the free unknowns; dense

// The `count` motions whose omega^2 is nearest to `centre`, by the symmetric parts of K and M.
RealModes real_modes(const Linearized& linear, int count, double centre = 0);
// The `count` motions (pairs count once) whose lambda is nearest to zero.
ComplexModes complex_modes(const Linearized& linear, int count);

}  // namespace polhode::analyses
