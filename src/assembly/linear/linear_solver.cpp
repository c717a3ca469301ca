// SPDX-License-Identifier: BSD-3-Clause
// Blocks first, KLU behind them.
#include "polhode/assembly/linear/linear_solver.hpp"

#include <fmt/format.h>

#include <optional>

#include "klu_solver.hpp"
#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/math/free_memory.hpp"

namespace polhode::assembly {

struct LinearSolver::Impl {
  std::optional<BlockSolver> blocks;  // until a block comes out singular; not if they fill too much
  KluSolver klu;
  const Sections* sections = nullptr;
  bool in_place = false;
  bool lost = false;  // values, to an attempt by blocks

  explicit Impl(const SparseMatrix& m) : klu(m) {}

  // Makes a solver by blocks of the matrix and its order, but where KLU does less. Nothing is laid out before.
  template <class... Rest>
  void prefer_blocks(auto& matrix, Rest... in_place_or_not) {
    if (!BlockSolver::takes(matrix)) return;
    std::optional<BlockOrder> own;
    const BlockOrder& order = matrix.order ? *matrix.order : own.emplace(matrix);
    if (!is_worth(order, matrix.size)) return;
    const double there = sizeof...(Rest) > 0 ? sizeof(double) * static_cast<double>(matrix.values.size()) : 0;
    math::require_memory(order.bytes(there), fmt::format("the factorization of {} unknowns", matrix.size));
    blocks.emplace(matrix, order, in_place_or_not...);
  }

  // Many closed loops fill the blocks, where KLU has pivots to choose from.
  bool is_worth(const BlockOrder& order, int size) {
    constexpr double surely_sparse = 1e3;  // operations per unknown: so few are not worth KLU's analysis
    constexpr double cost = 15;            // of one of KLU's operations, in those of blocks
    return order.operations() < surely_sparse * size || order.operations() <= cost * klu.operations();
  }
};

LinearSolver::LinearSolver(const SparseMatrix& pattern, Method method) : impl_(std::make_unique<Impl>(pattern)) {
  if (method == Method::automatic) impl_->prefer_blocks(pattern);
}
LinearSolver::LinearSolver(SparseMatrix& matrix, InPlace in_place) : impl_(std::make_unique<Impl>(matrix)) {
  impl_->in_place = true;
  impl_->prefer_blocks(matrix, in_place);
}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;

// Blocks that have failed once are given up for good: positions near a singular one come again. In place, the attempt
// has overwritten the values.
template <class ByBlocks, class ByKlu>
bool LinearSolver::factorize_by(const ByBlocks& by_blocks, const ByKlu& by_klu) {
  if (impl_->blocks) {
    if (by_blocks(*impl_->blocks)) return true;
    impl_->blocks.reset();
    impl_->lost = impl_->in_place;
    if (impl_->lost) return false;
  }
  impl_->lost = false;
  return by_klu(impl_->klu);
}

bool LinearSolver::factorize() {
  const auto factorize = [](auto& solver) { return solver.factorize(); };
  return factorize_by(factorize, factorize);
}

// KLU has no order in common with a right-hand side: it solves behind its factorization.
bool LinearSolver::factorize_and_solve(std::span<double> rhs) {
  return factorize_by([&](BlockSolver& blocks) { return blocks.factorize_and_solve(rhs); },
                      [&](KluSolver& klu) {
                        if (!klu.factorize()) return false;
                        klu.solve(rhs);
                        return true;
                      });
}

void LinearSolver::follow(const Sections& sections, std::span<const int> finished_by) {
  impl_->sections = &sections;
  if (impl_->blocks) impl_->blocks->follow(sections, finished_by);
}

bool LinearSolver::factorize_and_solve(math::VectorX& rhs, const std::function<void(std::size_t section)>& write) {
  const std::span<double> x(rhs.data(), static_cast<std::size_t>(rhs.size()));
  return factorize_by([&](BlockSolver& blocks) { return blocks.factorize_and_solve(x, write); },
                      [&](KluSolver& klu) {
                        impl_->sections->each(write);
                        if (!klu.factorize()) return false;
                        klu.solve(x);
                        return true;
                      });
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
