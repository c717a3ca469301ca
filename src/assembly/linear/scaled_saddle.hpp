// SPDX-License-Identifier: BSD-3-Clause
// A saddle matrix in units of its own: symmetric part, scaled by the metric, rows of B of unit length; its inertia.
#pragma once
#include <Eigen/SparseCholesky>
#include <optional>
#include <vector>

#include "polhode/assembly/sparse.hpp"
#include "polhode/math/types.hpp"

namespace polhode::assembly {

// Plain data of one set() after the other, for ConstrainedSpectrum; all matrices have the pattern of the first one.
struct ScaledSaddle {
  ScaledSaddle(const SparseMatrix& pattern, const math::VectorX& metric);

  // The matrices from [K B^T; B 0]. False if K is zero or not finite.
  bool set(const SparseMatrix& saddle);
  // `work` = one of the others, K_s - mu I in the place of K_s.
  void shift(const SparseMatrix& from, double mu);
  // Negative pivots of `work`. Not known where a pivot is so small that digits are lost.
  std::optional<int> negative_pivots();
  // Eigenvalues of K_s below the bound within B x = 0, by dense algebra.
  int count_dense(double bound) const;

  math::VectorX root;        // of 1 / metric
  SparseMatrix scaled;       // [K_s B^T; B 0]
  SparseMatrix unsymmetric;  // [K 0; 0 0], scaled alike
  SparseMatrix augmented;    // [K_s + B^T B  B^T; B 0]
  SparseMatrix work;
  double stiffest = 0;     // largest entry of K_s before it was divided by it
  int rows = 0;            // of B that are not dropped
  bool too_large = false;  // to be eliminated in this order

 private:
  void set_transposed_entries();
  void set_order();
  bool scale_stiffness(const SparseMatrix& saddle);
  void scale_rows(const SparseMatrix& saddle);
  void add_row_products();

  std::vector<int> transposed_;  // by entry: the entry (column, row)
  std::vector<int> position_;    // of each unknown in the elimination
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> ldlt_;
};

}  // namespace polhode::assembly
