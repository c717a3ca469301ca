// SPDX-License-Identifier: BSD-3-Clause
// Motions that an eigenvalue search has found, and how they are taken out of what comes next: one start vector of a
// Krylov method sees one motion of each eigenvalue, so that the method runs again without those.
#pragma once
#include <functional>

#include "polhode/math/types.hpp"

namespace polhode::analyses {

// Shapes Y with Y^T M Y = 1, M symmetric and positive semidefinite. The projector is 1 - Y Y^T M.
class MassDeflation {
 public:
  using Product = std::function<void(const double* y, double* My)>;
  // `size`: of a shape; `mass`: y to M y.
  MassDeflation(Eigen::Index size, Product mass);

  Eigen::Index count() const { return shapes_.cols(); }
  const math::MatrixX& shapes() const { return shapes_; }
  // Normalizes y after taking the others out of it, and adds it. Not finite where y has no mass beside theirs.
  void add(math::VectorX y);
  // y <- (1 - Y Y^T M) y
  void take_out(Eigen::Map<math::VectorX> y) const;

 private:
  Product mass_;
  math::MatrixX shapes_;       // Y
  math::MatrixX mass_shapes_;  // M Y
};

// An orthonormal basis Q of an invariant subspace that grows. The projector is 1 - Q Q^T.
class OrthogonalDeflation {
 public:
  explicit OrthogonalDeflation(Eigen::Index size) : basis_(size, 0) {}

  Eigen::Index count() const { return basis_.cols(); }
  const math::MatrixX& basis() const { return basis_; }
  // Gram-Schmidt, twice. False, and v is not added, if it depends on the others (to 1e-8 of its length).
  bool add(const math::VectorX& v);
  // z <- (1 - Q Q^T) z
  void take_out(Eigen::Map<math::VectorX> z) const;

 private:
  math::MatrixX basis_;  // Q
};

// Distance of the `count` nearest of the eigenvalues found so far, |value - center|; infinite if there are fewer. A
// search that finds none nearer is over.
double reach_of(const std::vector<double>& distances, int count);

}  // namespace polhode::analyses
