// SPDX-License-Identifier: BSD-3-Clause
// Direct solution of sparse linear systems: by blocks (block_solver.hpp) where the matrix has them and they stay
// regular, else by KLU: one symbolic analysis, refactorization with kept pivots, new pivots when the kept ones have
// gone bad.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "polhode/assembly/sections.hpp"
#include "polhode/assembly/sparse.hpp"
#include "polhode/math/types.hpp"

namespace polhode::assembly {

class LinearSolver {
 public:
  enum class Method { automatic, klu };
  // Keeps a reference to it.
  explicit LinearSolver(const SparseMatrix& pattern, Method method = Method::automatic);
  // The same, with leave to put factors in the place of the matrix, whose values are lost with factorize().
  LinearSolver(SparseMatrix& matrix, InPlace in_place);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;

  // Factorizes the present values. False if the matrix is singular to working precision.
  // Allocates (in KLU) when pivots are chosen: at the first call, and when the kept ones have gone bad.
  bool factorize();
  // After factorize() in place gave false: blocks were not enough. With the values set anew, full pivoting may succeed.
  bool wants_values_again() const;
  // Calls set_values() first, and once more where it is wanted.
  template <class SetValues>
  bool factorize(const SetValues& set_values) {
    return with_values(set_values, [&] { return factorize(); });
  }
  // Solves with the last factorization, in place.
  void solve(std::span<double> rhs);
  void solve(math::VectorX& rhs) { solve(std::span(rhs.data(), static_cast<std::size_t>(rhs.size()))); }

  // Both, by less memory traffic where blocks serve; as factorize() otherwise. `rhs` stays as it is where it gives
  // false.
  bool factorize_and_solve(std::span<double> rhs);
  bool factorize_and_solve(math::VectorX& rhs) {
    return factorize_and_solve(std::span(rhs.data(), static_cast<std::size_t>(rhs.size())));
  }
  // After set_values(), which is called once more where it is wanted.
  template <class SetValues>
  bool set_factorize_and_solve(const SetValues& set_values, math::VectorX& rhs) {
    return with_values(set_values, [&] { return factorize_and_solve(rhs); });
  }

  // Values that are written by sections, and factorized behind them; as there (BlockSolver).
  void follow(const Sections& sections, std::span<const int> finished_by);
  bool factorize_and_solve(math::VectorX& rhs, const std::function<void(std::size_t section)>& write);

  // Where elimination broke down after factorize() gave false; -1: not known.
  int singular_column() const;
  // How often KLU chose pivots.
  int pivot_choices() const;
  // Of the last factorization.
  bool uses_blocks() const;
  // min |u_ii| / max |u_ii|: a cheap estimate of the reciprocal condition number.
  double smallest_pivot_ratio() const;

 private:
  struct Impl;
  template <class SetValues, class Factorize>
  bool with_values(const SetValues& set_values, const Factorize& factorize_them) {
    set_values();
    if (factorize_them()) return true;
    if (!wants_values_again()) return false;
    set_values();
    return factorize_them();
  }
  // With blocks, and with KLU behind them.
  template <class ByBlocks, class ByKlu>
  bool factorize_by(const ByBlocks& by_blocks, const ByKlu& by_klu);
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::assembly
