// SPDX-License-Identifier: BSD-3-Clause
// Calls of KLU.
#include "klu_solver.hpp"

#include <fmt/format.h>

#include <new>

#include "polhode/math/free_memory.hpp"

namespace polhode::assembly {
namespace {

// Of klu_symbolic
constexpr int amd = 0;
constexpr int colamd = 1;

}  // namespace

KluSolver::~KluSolver() {
  klu_free_numeric(&numeric_, &common_);
  klu_free_symbolic(&symbolic_, &common_);
}

// When first asked for: a system that blocks solve never needs it. Factors get the room of a few times those of pivots on
// the diagonal, and not more: KLU calls what would have to grow by this too large. Off the diagonal, a row of hinges
// fills without bound.
void KluSolver::analyze() {
  if (symbolic_) return;
  constexpr double most_fill = 4;
  constexpr double beyond_all = 1e10;
  klu_defaults(&common_);
  common_.initmem_amd = most_fill;
  common_.memgrow = beyond_all;
  common_.btf = 0;    // one block: the pattern is structurally symmetric
  common_.scale = 2;  // rows by their largest entry: forces and moments, stiff and soft parts
  symbolic_ = klu_analyze(matrix_.size, columns(), rows(), &common_);
  if (!symbolic_) throw std::bad_alloc();
}

// Fill is bounded whatever the pivots.
void KluSolver::order_for_any_pivots() {
  constexpr double usual = 1.2;
  klu_free_symbolic(&symbolic_, &common_);
  common_.ordering = colamd;
  common_.memgrow = usual;
  symbolic_ = klu_analyze(matrix_.size, columns(), rows(), &common_);
  if (!symbolic_) throw std::bad_alloc();
}

// For the choice between blocks and KLU, which is made first.
double KluSolver::operations() {
  analyze();
  return symbolic_->est_flops;
}

// Matrices of models keep their values by blocks; KLU wants them by columns.
double* KluSolver::values() {
  if (matrix_.place.empty()) return const_cast<double*>(matrix_.values.data());
  in_columns_.resize(matrix_.place.size());
  for (std::size_t i = 0; i < in_columns_.size(); ++i) in_columns_[i] = matrix_.values[matrix_.place[i]];
  return in_columns_.data();
}

bool KluSolver::factorize() {
  analyze();
  return refactor() || choose_pivots();
}

// Costs a fraction of a factorization with a search for pivots; the estimate of the condition says whether they still
// serve.
bool KluSolver::refactor() {
  constexpr double least_of_ratio = 1e-3;  // of the one when pivots were chosen: those that were good are not tiny now
  if (!numeric_) return false;
  if (!klu_refactor(columns(), rows(), values(), symbolic_, numeric_, &common_) || common_.status != KLU_OK)
    return false;
  klu_rcond(symbolic_, numeric_, &common_);
  ratio_ = common_.rcond;
  return ratio_ > least_of_ratio * ratio_at_choice_;
}

// From the symbolic analysis, which knows the factors for pivots on the diagonal: others take more.
void KluSolver::require_memory() const {
  if (symbolic_->ordering != amd) return;
  constexpr double entry = sizeof(double) + sizeof(int);
  math::require_memory(entry * (symbolic_->lnz + symbolic_->unz),
                       fmt::format("the factorization of {} unknowns", matrix_.size));
}

void KluSolver::find_factors() { numeric_ = klu_factor(columns(), rows(), values(), symbolic_, &common_); }

// A matrix whose factors find no memory is not singular. The ratio at this choice is what later refactorizations are
// held against.
bool KluSolver::choose_pivots() {
  constexpr double least_ratio = 1e-16;  // below, the matrix is singular to working precision
  klu_free_numeric(&numeric_, &common_);
  ++choices_;
  require_memory();
  find_factors();
  const bool has_no_room = common_.status == KLU_TOO_LARGE || common_.status == KLU_OUT_OF_MEMORY;
  if (has_no_room && symbolic_->ordering == amd) {
    order_for_any_pivots();
    find_factors();
  }
  if (common_.status == KLU_OUT_OF_MEMORY || common_.status == KLU_TOO_LARGE)
    throw math::NotEnoughMemory(fmt::format("the factorization of {} unknowns ran out of memory", matrix_.size));
  if (!numeric_ || common_.status != KLU_OK) return false;
  klu_rcond(symbolic_, numeric_, &common_);
  ratio_at_choice_ = common_.rcond;
  ratio_ = ratio_at_choice_;
  return ratio_ > least_ratio;
}

void KluSolver::solve(std::span<double> rhs) { klu_solve(symbolic_, numeric_, matrix_.size, 1, rhs.data(), &common_); }

// KLU reports the size of the matrix where nothing was singular.
int KluSolver::singular_column() const {
  const int column = common_.singular_col;
  return column >= 0 && column < matrix_.size ? column : -1;
}

}  // namespace polhode::assembly
