// SPDX-License-Identifier: BSD-3-Clause
// LU factorization with full pivoting within columns, by KLU: one symbolic analysis, refactorization with kept pivots,
// new pivots when the kept ones have gone bad. Columns are ordered for pivots on the diagonal (AMD), which take least
// where they serve; where the factors fill by others, for any pivots in each column (COLAMD).
#pragma once
#include <klu.h>

#include <span>
#include <vector>

#include "polhode/assembly/sparse.hpp"

namespace polhode::assembly {

class KluSolver {
 public:
  // Keeps a reference to the matrix, whose pattern stays.
  explicit KluSolver(const SparseMatrix& matrix) : matrix_(matrix) {}
  ~KluSolver();
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  // Floating-point operations of a factorization, by the symbolic analysis. Throws std::bad_alloc for want of memory.
  double operations();
  // The present values. False if the matrix is singular to working precision. Allocates when pivots are chosen, and
  // throws math::NotEnoughMemory where it cannot.
  bool factorize();
  void solve(std::span<double> rhs);  // in place, with the last factorization

  int singular_column() const;  // where elimination broke down after factorize() gave false; -1 unknown
  int pivot_choices() const { return choices_; }
  double smallest_pivot_ratio() const { return ratio_; }                        // min |u_ii| / max |u_ii|
  int entries() const { return numeric_ ? numeric_->lnz + numeric_->unz : 0; }  // of the factors

 private:
  void analyze();  // once
  void order_for_any_pivots();
  // No numbers in numeric_ where they find no place.
  void find_factors();
  bool refactor();
  bool choose_pivots();
  void require_memory() const;
  // KLU's interface is not const-correct; none of its functions that are called here writes there.
  int* columns() const { return const_cast<int*>(matrix_.column_start.data()); }
  int* rows() const { return const_cast<int*>(matrix_.row.data()); }
  double* values();

  const SparseMatrix& matrix_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  int choices_ = 0;
  double ratio_ = 0;
  double ratio_at_choice_ = 0;
  std::vector<double> in_columns_;  // values in the order of the columns, where the matrix keeps them otherwise
};

}  // namespace polhode::assembly
