// SPDX-License-Identifier: BSD-3-Clause
// Neighbours of blocks, places of values, pattern by columns, slots of elements.
#include "block_pattern.hpp"

#include <algorithm>

namespace polhode::assembly {

// Nodes are the first blocks, fixed ones among them with no unknowns, so that numbers of nodes are numbers
// of blocks.
BlockPattern::BlockPattern(std::span<const model::NodeUnknowns> unknowns, const Batches& batches,
                           std::span<const std::pair<int, int>> couplings, int free_unknowns, bool with_row_diagonals)
    : nodes_(static_cast<int>(unknowns.size())), free_(free_unknowns) {
  for (const model::NodeUnknowns& node : unknowns) {
    first_.push_back(node.first);
    count_.push_back(node.count);
  }
  neighbours_.resize(unknowns.size());
  couple(batches, couplings, with_row_diagonals);
  place_blocks();
}

// Every pair of nodes of an element, and each of its nodes with its group of rows, both ways.
void BlockPattern::couple(const Batches& batches, std::span<const std::pair<int, int>> couplings,
                          bool with_row_diagonals) {
  for (const auto& batch : batches)
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      for (const int a : at)
        for (const int b : at) neighbours_[a].push_back(b);
      if (batch->rows() == 0) continue;
      const int group = static_cast<int>(first_.size());
      first_.push_back(free_ + batch->first_row_of(e));
      count_.push_back(batch->rows());
      neighbours_.emplace_back(at.begin(), at.end());
      if (with_row_diagonals) neighbours_.back().push_back(group);
      for (const int a : at) neighbours_[a].push_back(group);
    }
  for (const auto& [a, b] : couplings) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  for (auto& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

// With each node (or group of rows) are kept its own block and those that couple it to later ones, so that only
// elements at the node touch them.
void BlockPattern::place_blocks() {
  places_.resize(neighbours_.size());
  for (std::size_t b = 0; b < neighbours_.size(); ++b) places_[b].assign(neighbours_[b].size(), 0);
  int next = 0;
  for (int b = 0; b < static_cast<int>(neighbours_.size()); ++b) {
    if (b <= nodes_) value_start_.push_back(next);
    const auto& list = neighbours_[b];
    const auto first = std::lower_bound(list.begin(), list.end(), b) - list.begin();
    for (auto i = static_cast<std::size_t>(first); i < list.size(); ++i) {
      const int other = list[i];
      places_[b][i] = next;
      next += count_[b] * stride_of(other);
      // The block (b, other) of U follows that of L, in the same memory.
      if (other == b) continue;
      const auto& back = neighbours_[other];
      places_[other][std::lower_bound(back.begin(), back.end(), b) - back.begin()] = next;
      next += count_[other] * stride_of(b);
    }
  }
  values_ = next;
  if (static_cast<int>(value_start_.size()) == nodes_) value_start_.push_back(next);
}

// By bisection: neighbors are ascending.
int BlockPattern::place_of(int column, int row) const {
  const auto& list = neighbours_[column];
  return places_[column][std::lower_bound(list.begin(), list.end(), row) - list.begin()];
}

// By columns, rows ascending, as KLU wants them. All columns of a block have the same rows; `place` says where the
// value of each entry is kept among those of the blocks.
SparsePattern BlockPattern::pattern(int size) const {
  SparsePattern made;
  std::size_t entries = 0;
  for (std::size_t b = 0; b < first_.size(); ++b)
    for (const int other : neighbours_[b]) entries += static_cast<std::size_t>(count_[other]) * count_[b];
  made.size = size;
  made.late = free_;
  made.wide_rows = true;
  made.column_start.reserve(static_cast<std::size_t>(size) + 1);
  made.column_start.assign(1, 0);
  made.row.reserve(entries);
  made.place.reserve(entries);
  for (std::size_t b = 0; b < first_.size(); ++b)
    for (int column = 0; column < count_[b]; ++column) {
      for (std::size_t i = 0; i < neighbours_[b].size(); ++i) {
        const int other = neighbours_[b][i];
        const int rows = count_[other];
        for (int k = 0; k < rows; ++k) {
          made.row.push_back(first_[other] + k);
          made.place.push_back(places_[b][i] + column * stride_of(other) + k);
        }
      }
      made.column_start.push_back(static_cast<int>(made.row.size()));
    }
  made.spare = values_ - static_cast<int>(made.row.size());
  // Fixed nodes have no unknowns and are no blocks of the matrix.
  for (std::size_t b = 0; b < first_.size(); ++b)
    if (count_[b] > 0) made.block_start.push_back(first_[b]);
  made.block_start.push_back(size);
  return made;
}

// For each element the pairs (column, row) of its blocks, its nodes first, then its group of rows. Blocks of fixed
// nodes and the diagonal block of a group have no place.
void BlockPattern::set_slots(const Batches& batches) const {
  int group = nodes_;
  for (const auto& batch : batches) {
    const auto slots = batch->slots();
    std::size_t next = 0;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      const auto block_of = [&](int i) { return i < batch->nodes() ? at[i] : group; };
      for (int column = 0; column < batch->groups(); ++column)
        for (int row = 0; row < batch->groups(); ++row, ++next) {
          const int block = block_of(column);
          const int other = block_of(row);
          if (count_[block] == 0 || count_[other] == 0 || (block == group && other == group)) continue;
          slots[next] = place_of(block, other);
        }
      if (batch->rows() > 0) ++group;
    }
  }
}

}  // namespace polhode::assembly
