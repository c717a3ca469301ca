// SPDX-License-Identifier: BSD-3-Clause
// The inverse of the shifted descriptor matrix of small motions, to all digits of a double.
#pragma once
#include "polhode/analyses/linearize/linearized.hpp"
#include "polhode/assembly/linear/linear_solver.hpp"

namespace polhode::analyses {

using model::VectorX;

// Inverse of [P B^T; B 0], P = K + c C + m M.
// P and B are those of Linearized; solutions are refined until all digits of a double hold.
class ShiftedInverse {
 public:
  explicit ShiftedInverse(const Linearized& linear);
  bool factorize(double c, double m);
  // y from f, both over the free unknowns; allocates nothing.
  void apply(const double* f, double* y) const;
  const VectorX& metric() const { return linear_.metric; }
  bool accurate();  // false if the matrix is singular to working precision: solutions cannot be refined

 private:
  void refine(double& before, double& change) const;  // work_ by what rhs_ leaves; sizes of both
  const Linearized& linear_;
  assembly::SparseMatrix matrix_;
  mutable assembly::LinearSolver solver_;  // with full pivoting, whose factors have the least round-off
  // Of the three matrices together, for residuals in extended precision.
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

}  // namespace polhode::analyses
