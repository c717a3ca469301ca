// SPDX-License-Identifier: BSD-3-Clause
// Blocks first, KLU behind them.
#include "polhode/assembly/linear_solver.hpp"

#include <klu.h>

#include <new>
#include <optional>

#include "polhode/assembly/block_solver.hpp"

namespace polhode::assembly {

struct LinearSolver::Impl {
  const SparseMatrix& matrix;
  std::optional<BlockSolver> blocks;  // until a block comes out singular; not if they fill too much
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  int choices = 0;
  double ratio = 0;
  double ratio_at_choice = 0;
  bool in_place = false;
  bool lost = false;                    // values, to an attempt by blocks
  std::vector<double> in_columns;       // values in the order of the columns, where the matrix keeps them otherwise

  explicit Impl(const SparseMatrix& m, Method method) : matrix(m) {
    if (method != Method::automatic || !BlockSolver::takes(m)) return;
    blocks.emplace(m);
    prefer();
  }
  Impl(SparseMatrix& m, InPlace) : matrix(m), in_place(true) {
    if (!BlockSolver::takes(m)) return;
    blocks.emplace(m, InPlace{});
    prefer();
  }
  void prefer() {
    // Many closed loops fill the blocks (all constraints come after all nodes there), where KLU mixes the two. A
    // block's operation costs about a fifteenth of one of KLU's.
    if (blocks->operations() < 1e3 * matrix.size) return;
    analyze();
    if (blocks->operations() > 15 * symbolic->est_flops) blocks.reset();
  }
  void analyze() {
    if (symbolic) return;
    klu_defaults(&common);
    common.btf = 0;    // one block: the pattern is structurally symmetric
    common.scale = 2;  // rows by their largest entry: forces and moments, stiff and soft parts
    symbolic = klu_analyze(matrix.size, columns(), rows(), &common);
    if (!symbolic) throw std::bad_alloc();
  }
  ~Impl() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  int* columns() { return const_cast<int*>(matrix.column_start.data()); }
  int* rows() { return const_cast<int*>(matrix.row.data()); }
  double* values() {
    if (matrix.place.empty()) return const_cast<double*>(matrix.values.data());
    in_columns.resize(matrix.place.size());
    for (std::size_t i = 0; i < in_columns.size(); ++i) in_columns[i] = matrix.values[matrix.place[i]];
    return in_columns.data();
  }

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

LinearSolver::LinearSolver(const SparseMatrix& pattern, Method method)
    : impl_(std::make_unique<Impl>(pattern, method)) {}
LinearSolver::LinearSolver(SparseMatrix& matrix, InPlace) : impl_(std::make_unique<Impl>(matrix, InPlace{})) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;

bool LinearSolver::factorize() {
  if (impl_->blocks) {
    if (impl_->blocks->factorize()) return true;
    impl_->blocks.reset();
    impl_->lost = impl_->in_place;
    if (impl_->lost) return false;
  }
  impl_->lost = false;
  impl_->analyze();
  return impl_->refactor() || impl_->choose_pivots();
}

bool LinearSolver::wants_values_again() const { return impl_->lost; }

void LinearSolver::solve(std::span<double> rhs) {
  if (impl_->blocks) return impl_->blocks->solve(rhs);
  klu_solve(impl_->symbolic, impl_->numeric, impl_->matrix.size, 1, rhs.data(), &impl_->common);
}

int LinearSolver::singular_column() const {
  if (impl_->blocks) return -1;
  const int column = impl_->common.singular_col;
  return column >= 0 && column < impl_->matrix.size ? column : -1;
}
int LinearSolver::pivot_choices() const { return impl_->choices; }
bool LinearSolver::uses_blocks() const { return impl_->blocks.has_value(); }
double LinearSolver::smallest_pivot_ratio() const {
  return impl_->blocks ? impl_->blocks->smallest_pivot_ratio() : impl_->ratio;
}

}  // namespace polhode::assembly
