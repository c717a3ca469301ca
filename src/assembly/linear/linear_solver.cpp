// SPDX-License-Identifier: BSD-3-Clause
// Blocks first, KLU behind them.
#include "polhode/assembly/linear/linear_solver.hpp"

#include <optional>

#include "klu_solver.hpp"
#include "polhode/assembly/linear/block_solver.hpp"

namespace polhode::assembly {

struct LinearSolver::Impl {
  std::optional<BlockSolver> blocks;  // until a block comes out singular; not if they fill too much
  KluSolver klu;
  bool in_place = false;
  bool lost = false;  // values, to an attempt by blocks

  explicit Impl(const SparseMatrix& m, Method method) : klu(m) {
    if (method != Method::automatic || !BlockSolver::takes(m)) return;
    blocks.emplace(m);
    prefer(m.size);
  }
  Impl(SparseMatrix& m, InPlace) : klu(m), in_place(true) {
    if (!BlockSolver::takes(m)) return;
    blocks.emplace(m, InPlace{});
    prefer(m.size);
  }

  // Many closed loops fill the blocks (all constraints come after all nodes there), where KLU mixes the two.
  void prefer(int size) {
    constexpr double surely_sparse = 1e3;  // operations per unknown: so few are not worth KLU's analysis
    constexpr double cost = 15;            // of one of KLU's operations, in those of blocks
    if (blocks->operations() < surely_sparse * size) return;
    if (blocks->operations() > cost * klu.operations()) blocks.reset();
  }
};

LinearSolver::LinearSolver(const SparseMatrix& pattern, Method method)
    : impl_(std::make_unique<Impl>(pattern, method)) {}
LinearSolver::LinearSolver(SparseMatrix& matrix, InPlace) : impl_(std::make_unique<Impl>(matrix, InPlace{})) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;

// Blocks that have failed once are given up for good: positions near a singular one come again. In place, the attempt
// has overwritten the values.
bool LinearSolver::factorize() {
  if (impl_->blocks) {
    if (impl_->blocks->factorize()) return true;
    impl_->blocks.reset();
    impl_->lost = impl_->in_place;
    if (impl_->lost) return false;
  }
  impl_->lost = false;
  return impl_->klu.factorize();
}

bool LinearSolver::wants_values_again() const { return impl_->lost; }

void LinearSolver::solve(std::span<double> rhs) {
  if (impl_->blocks) return impl_->blocks->solve(rhs);
  impl_->klu.solve(rhs);
}

int LinearSolver::singular_column() const { return impl_->blocks ? -1 : impl_->klu.singular_column(); }
int LinearSolver::pivot_choices() const { return impl_->klu.pivot_choices(); }
bool LinearSolver::uses_blocks() const { return impl_->blocks.has_value(); }
// Of the solver that made the last factors.
double LinearSolver::smallest_pivot_ratio() const {
  return impl_->blocks ? impl_->blocks->smallest_pivot_ratio() : impl_->klu.smallest_pivot_ratio();
}

}  // namespace polhode::assembly
