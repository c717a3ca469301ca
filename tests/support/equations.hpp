// SPDX-License-Identifier: BSD-3-Clause
// Dense systems of equations in tests, compiled once.
#pragma once
#include "polhode/math/dense.hpp"

namespace polhode::support {

// The x, or one of them, with the least |A x - b|.
math::VectorX least_squares(const math::MatrixX& A, const math::VectorX& b);
// The least x with A x = b, for independent rows of A: A^T (A A^T)^-1 b.
math::VectorX least_norm(const math::MatrixX& A, const math::VectorX& b);
// The least eigenvalue of a symmetric matrix.
double least_eigenvalue(const math::MatrixX& A);

}  // namespace polhode::support
