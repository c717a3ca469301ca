// SPDX-License-Identifier: BSD-3-Clause
// Pattern, values and solutions of a complex system in real numbers.
#include "polhode/integrators/radau/pair_matrix.hpp"

#include <algorithm>
#include <memory>

#include "polhode/assembly/block_columns.hpp"
#include "polhode/assembly/linear/block_order.hpp"

namespace polhode::integrators {

PairMatrix::PairMatrix(const assembly::System& system, const assembly::SparseMatrix& S)
    : free_(system.free_unknowns()),
      pattern_(make_pattern(S)),
      all_(pattern_),
      solver_(all_, assembly::InPlace{}),
      vector_(model::VectorX::Zero(pattern_.size)) {}

assembly::SparsePattern PairMatrix::make_pattern(const assembly::SparseMatrix& S) {
  assembly::SparsePattern made;
  const int blocks = static_cast<int>(S.block_start.size()) - 1;
  const auto size_of = [&S](int b) { return S.block_start[b + 1] - S.block_start[b]; };
  const auto columns = assembly::block_columns(S);
  std::vector<int> leaders;  // the first half of a block leads both
  first_.resize(static_cast<std::size_t>(S.size));
  second_.resize(first_.size());
  for (int b = 0; b < blocks; ++b) {
    const int begin = S.block_start[b];
    for (int j = begin; j < S.block_start[b + 1]; ++j) {
      first_[j] = begin + j;
      second_[j] = begin + j + size_of(b);
    }
    made.block_start.insert(made.block_start.end(), {2 * begin, 2 * begin + size_of(b)});
    leaders.insert(leaders.end(), {2 * b, 2 * b});
  }
  const auto stride_of = [&](int b) { return S.stride(S.block_start[b], size_of(b)); };
  made.size = 2 * S.size;
  made.block_start.push_back(made.size);
  if (S.late < S.size) made.late = 2 * S.late;
  made.wide_rows = S.wide_rows;
  made.column_start.assign(1, 0);
  int next = 0;
  for (int b = 0; b < blocks; ++b) {
    const int first_of_column = next;
    for (const auto& [row, from] : columns[b]) {
      const bool of_nodes = S.block_start[b] < free_ && S.block_start[row] < free_;
      const int count = stride_of(row) * size_of(b);
      blocks_.push_back({of_nodes ? Kind::of_nodes : Kind::of_constraints, from, next, count});
      next += 4 * count;
    }
    for (int half = 0; half < 2; ++half)
      for (int column = 0; column < size_of(b); ++column) {
        int block = first_of_column;
        for (const auto& [row, from] : columns[b]) {
          const int count = stride_of(row) * size_of(b);
          for (int r = 0; r < 2 * size_of(row); ++r) {
            const int of_half = r / size_of(row);
            made.row.push_back(2 * S.block_start[row] + r);
            made.place.push_back(block + (2 * half + of_half) * count + column * stride_of(row) + r % size_of(row));
          }
          block += 4 * count;
        }
        made.column_start.push_back(static_cast<int>(made.row.size()));
      }
  }
  made.spare = next - static_cast<int>(made.row.size());
  made.order = std::make_shared<const assembly::BlockOrder>(assembly::PatternView(made), leaders);
  return made;
}

// P stands above its negative; B and B^T, and ones of dropped constraint equations, stand on the diagonal.
void PairMatrix::set_real_part(const assembly::SparseMatrix& P) {
  for (const Block& b : blocks_) {
    const double* from = P.values.data() + b.from;
    double* to = all_.values.data() + b.to;
    if (b.kind == Kind::of_nodes) {
      for (int i = 0; i < b.count; ++i) to[b.count + i] = -from[i];
      std::copy(from, from + b.count, to + 2 * b.count);
    } else {
      std::copy(from, from + b.count, to);
      std::fill(to + b.count, to + 3 * b.count, 0.0);
      std::copy(from, from + b.count, to + 3 * b.count);
    }
  }
}

void PairMatrix::set_imaginary_part(const assembly::SparseMatrix& Q) {
  for (const Block& b : blocks_) {
    if (b.kind != Kind::of_nodes) continue;
    const double* from = Q.values.data() + b.from;
    double* to = all_.values.data() + b.to;
    std::copy(from, from + b.count, to);
    std::copy(from, from + b.count, to + 3 * b.count);
  }
}

int PairMatrix::unknown_of(int column) const {
  const auto at = std::find(first_.begin(), first_.end(), column);
  if (at != first_.end()) return static_cast<int>(at - first_.begin());
  return static_cast<int>(std::find(second_.begin(), second_.end(), column) - second_.begin());
}

void PairMatrix::solve(model::VectorX& re, model::VectorX& im) {
  const int size = static_cast<int>(first_.size());
  for (int j = 0; j < free_; ++j) {
    vector_[first_[j]] = im[j];
    vector_[second_[j]] = -re[j];
  }
  for (int j = free_; j < size; ++j) {
    vector_[first_[j]] = re[j];
    vector_[second_[j]] = im[j];
  }
  solver_.solve(vector_);
  for (int j = 0; j < free_; ++j) {
    re[j] = vector_[first_[j]];
    im[j] = vector_[second_[j]];
  }
  for (int j = free_; j < size; ++j) {
    re[j] = -vector_[second_[j]];
    im[j] = vector_[first_[j]];
  }
}

}  // namespace polhode::integrators
