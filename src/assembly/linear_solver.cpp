// SPDX-License-Identifier: BSD-3-Clause
// KLU behind the linear-solver interface.
#include "polhode/assembly/linear_solver.hpp"

#include <klu.h>

#include <new>

namespace polhode::assembly {

struct LinearSolver::Impl {
  const SparseMatrix& matrix;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  int choices = 0;
  double ratio = 0, ratio_at_choice = 0;

  explicit Impl(const SparseMatrix& m) : matrix(m) {
    klu_defaults(&common);
    common.btf = 0;     // one block: the pattern is structurally symmetric
    common.scale = 2;   // rows by their largest entry: forces and moments, stiff and soft parts
    symbolic = klu_analyze(m.size, const_cast<int*>(m.column_start.data()), const_cast<int*>(m.row.data()), &common);
    if (!symbolic) throw std::bad_alloc();
  }
  ~Impl() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  int* columns() { return const_cast<int*>(matrix.column_start.data()); }
  int* rows() { return const_cast<int*>(matrix.row.data()); }
  double* values() { return const_cast<double*>(matrix.value.data()); }

  bool refactor() {
    if (!numeric || !klu_refactor(columns(), rows(), values(), symbolic, numeric, &common) || common.status != KLU_OK)
      return false;
    klu_rcond(symbolic, numeric, &common);
    ratio = common.rcond;
    return ratio > 1e-3 * ratio_at_choice;  // the pivots that were good have not become tiny
  }
  bool choose_pivots() {
    klu_free_numeric(&numeric, &common);
    ++choices;
    numeric = klu_factor(columns(), rows(), values(), symbolic, &common);
    if (!numeric || common.status != KLU_OK) return false;
    klu_rcond(symbolic, numeric, &common);
    ratio = ratio_at_choice = common.rcond;
    return ratio > 1e-16;
  }
};

LinearSolver::LinearSolver(const SparseMatrix& pattern) : impl_(std::make_unique<Impl>(pattern)) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;

bool LinearSolver::factorize() { return impl_->refactor() || impl_->choose_pivots(); }

void LinearSolver::solve(std::span<double> rhs) {
  klu_solve(impl_->symbolic, impl_->numeric, impl_->matrix.size, 1, rhs.data(), &impl_->common);
}

int LinearSolver::singular_column() const {
  const int column = impl_->common.singular_col;
  return column >= 0 && column < impl_->matrix.size ? column : -1;
}
int LinearSolver::pivot_choices() const { return impl_->choices; }
double LinearSolver::smallest_pivot_ratio() const { return impl_->ratio; }

}  // namespace polhode::assembly
