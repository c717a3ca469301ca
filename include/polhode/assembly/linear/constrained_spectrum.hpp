// SPDX-License-Identifier: BSD-3-Clause
// Lowest eigenvalues of a stiffness within its constraints: how many are negative, which they are, and their shapes.
//
// With K_s the symmetric part of K, W the metric and the columns of Z a basis of the null space of B, these are the
// eigenvalues of  Z^T K_s Z y = lambda Z^T W Z y.  Scaled by W, so that units do not matter, rows of B to unit length,
//   H(mu) = [ K_s - mu I + B^T B   B^T ]
//           [ B                    0   ]
// has as many negative eigenvalues as B has independent rows, and one more for each lambda < mu (docs/theory.md,
// Stability of equilibria). They are counted in the pivots of a factorization L D L^T.
#pragma once
#include <memory>
#include <optional>

#include "polhode/assembly/linear/linear_solver.hpp"

namespace polhode::assembly {

class ConstrainedSpectrum {
 public:
  // The `metric` has one number > 0 for each of the leading unknowns; constraint equations follow. Keeps a reference to
  // the parts of the pattern, which has to be symmetric, but not to the values.
  ConstrainedSpectrum(const SparseMatrix& pattern, const math::VectorX& metric);
  ~ConstrainedSpectrum();
  ConstrainedSpectrum(ConstrainedSpectrum&&) noexcept;

  // [K B^T; B 0], K unsymmetric perhaps; rows and columns of dropped equations are those of the identity. False if K is
  // zero or not finite: nothing else can be asked then.
  bool set(const SparseMatrix& saddle);
  // The largest entry of the scaled K_s: eigenvalues are compared with it. Units of K over those of the metric.
  double stiffest() const;

  // Eigenvalues below `bound`, in parts of stiffest(); not known where rows of B are dependent, by bad luck, and of
  // very large models with many loops.
  std::optional<int> count_below(double bound);

  struct Modes {
    // Ascending, in parts of stiffest(); upper bounds of the eigenvalues
    math::VectorX values;
    // By columns, of the leading unknowns; the largest entry of root(W) x is 1
    math::MatrixX shapes;
    // K itself, unsymmetric perhaps, between these motions and a few more, orthonormal in the metric; parts of stiffest()
    math::MatrixX reduced;
  };
  // The lowest `count` of them, or as many as there are; none where the factorization fails. For a few of them.
  Modes lowest(int count);

 private:
  std::optional<double> bound_below_all();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::assembly
