// SPDX-License-Identifier: BSD-3-Clause
// Pattern of a stage's matrix, and the blocks that fill it.
#include "polhode/integrators/rosenbrock/stage_layout.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "polhode/assembly/block_columns.hpp"
#include "polhode/assembly/linear/block_order.hpp"

namespace polhode::integrators {
namespace {

using assembly::SparseMatrix;

// Numbers of the blocks of the stage that belong to a block of the system: p, w, z of a node, or nu, y, x of a group;
// -1 where there is none.
using StageBlocks = std::array<int, 3>;

// Pairs (row, column) of what couples two nodes, two different ones or one with itself, and of what couples a node with
// a group: the blocks that have values. Symmetry adds others.
constexpr std::pair<int, int> between_positions[] = {{0, 0}};
constexpr std::pair<int, int> between_nodes[] = {{0, 0}, {0, 1}, {0, 2}};
constexpr std::pair<int, int> node_and_group[] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
constexpr std::pair<int, int> with_itself[] = {{0, 0}, {1, 1}, {2, 2}};

class StageLayoutMaker {
 public:
  StageLayoutMaker(StageLayout& layout, const JacobianPlaces& places, const SparseMatrix& X,
                   std::span<const char> by_rates, bool with_accelerations)
      : layout_(layout), jacobian_(places), X_(X), columns_(assembly::block_columns(X)) {
    layout.has_accelerations = with_accelerations;
    while (nodes_ < static_cast<int>(columns_.size()) && first_of_system(nodes_) < jacobian_.unknowns) ++nodes_;
    find_rates(by_rates);
    number();
    couple_all();
    make_pattern();
    list_blocks();
    list_lift();
    list_zeros();
  }

 private:
  void find_rates(std::span<const char> by_rates);
  void number();
  void couple(const StageBlocks& row, const StageBlocks& column, std::span<const std::pair<int, int>> pairs);
  void couple_all();
  void make_pattern();
  int give_places(const assembly::BlockOrder& order);
  void list_blocks();
  void list_lift();
  void list_zeros();

  // Positions, velocities, and accelerations if there are any.
  std::span<const std::size_t> parts() const {
    static constexpr std::size_t all[] = {0, 1, 2};
    return std::span(all).first(layout_.has_accelerations ? 3 : 2);
  }
  bool is_node(int block) const { return block < nodes_; }
  int first_of_system(int block) const { return X_.block_start[block]; }
  int size_of_system(int block) const { return X_.block_start[block + 1] - X_.block_start[block]; }
  int stride_of_system(int block) const { return X_.stride(first_of_system(block), size_of_system(block)); }
  int equation_of(int group) const { return first_of_system(group) - jacobian_.unknowns; }
  // Whether the entry depends on velocities, so that stages of another step size change it.
  bool has_rates(int row, int column) const { return rates_.contains({row, column}); }
  int size_of(int block) const { return layout_.pattern.block_start[block + 1] - layout_.pattern.block_start[block]; }
  int stride_of(int row) const {
    const bool is_wide = X_.wide_rows && layout_.pattern.block_start[row] >= layout_.first_nu;
    return is_wide ? math::column_width(size_of(row)) : size_of(row);
  }
  int values_of(int row, int column) const { return stride_of(row) * size_of(column); }
  // The place of a block, which gets values there.
  int take(int row, int column);

  StageLayout& layout_;
  const JacobianPlaces& jacobian_;
  const SparseMatrix& X_;
  // Blocks of the system: nodes, then groups; the entries of their columns; those of the stage that belong to them
  std::vector<std::vector<assembly::BlockEntry>> columns_;
  int nodes_ = 0;
  std::vector<StageBlocks> blocks_;
  // Pairs of nodes with forces by rates between them, both ways
  std::set<std::pair<int, int>> rates_;
  // Of the stage, by column: the blocks that it has, ascending, the place of each, and whether it gets values
  std::vector<std::vector<int>> rows_;
  std::vector<std::vector<int>> places_;
  std::vector<std::vector<char>> is_taken_;
};

// Nodes that a damper, a gyroscopic moment or a consistent mass couples. Each is among those of the other, so that the
// pattern stays symmetric; a node has forces by its own rates always.
void StageLayoutMaker::find_rates(std::span<const char> by_rates) {
  for (int b = 0; b < nodes_; ++b)
    for (const auto& [row, from] : columns_[b]) {
      if (!is_node(row)) continue;
      const int count = stride_of_system(row) * size_of_system(b);
      const auto begin = by_rates.begin() + (by_rates.empty() ? 0 : from);
      if (row != b && !by_rates.empty() && std::find(begin, begin + count, 1) == begin + count) continue;
      rates_.insert({row, b});
      rates_.insert({b, row});
    }
}

// First the nodes, in the order of the system, then w of those that constraints touch, then z, and so on.
void StageLayoutMaker::number() {
  assembly::SparsePattern& made = layout_.pattern;
  const int all = static_cast<int>(columns_.size());
  blocks_.assign(columns_.size(), {-1, -1, -1});
  layout_.w_place.assign(static_cast<std::size_t>(jacobian_.unknowns), -1);
  // The `part` of a block of the system
  const auto add = [&](int b, std::size_t part) {
    blocks_[b][part] = static_cast<int>(made.block_start.size());
    layout_.leaders.push_back(blocks_[b][0]);
    made.block_start.push_back(made.size);
    made.size += size_of_system(b);
  };
  const auto has_groups = [&](int b) {
    return std::any_of(columns_[b].begin(), columns_[b].end(),
                       [&](const assembly::BlockEntry& e) { return !is_node(e.row); });
  };
  for (int b = 0; b < nodes_; ++b) add(b, 0);
  for (int b = 0; b < nodes_; ++b) {
    if (!has_groups(b)) continue;
    for (int j = 0; j < size_of_system(b); ++j) layout_.w_place[first_of_system(b) + j] = made.size + j;
    add(b, 1);
  }
  layout_.lifts = made.size - jacobian_.unknowns;
  for (int b = 0; b < nodes_; ++b)
    if (blocks_[b][1] >= 0 && layout_.has_accelerations) add(b, 2);
  layout_.first_nu = made.size;
  layout_.first_y = made.size + jacobian_.equations;
  layout_.first_x = layout_.first_y + jacobian_.equations;
  for (const std::size_t part : parts())
    for (int g = nodes_; g < all; ++g) add(g, part);
  made.block_start.push_back(made.size);
  made.late = layout_.first_nu;
  made.wide_rows = X_.wide_rows;
}

// Each block with its counterpart.
void StageLayoutMaker::couple(const StageBlocks& row, const StageBlocks& column,
                              std::span<const std::pair<int, int>> pairs) {
  for (const auto& [r, c] : pairs) {
    if (row[r] < 0 || column[c] < 0) continue;
    rows_[column[c]].push_back(row[r]);
    rows_[row[r]].push_back(column[c]);
  }
}

// Ascending, and each of them once.
void StageLayoutMaker::couple_all() {
  rows_.resize(layout_.leaders.size());
  for (int b = 0; b < static_cast<int>(columns_.size()); ++b) {
    couple(blocks_[b], blocks_[b], with_itself);
    for (const auto& [row, from] : columns_[b]) {
      if (is_node(row) && !is_node(b)) couple(blocks_[row], blocks_[b], node_and_group);
      if (!is_node(row) || !is_node(b)) continue;
      const std::span<const std::pair<int, int>> positions(between_positions);
      couple(blocks_[row], blocks_[b], has_rates(row, b) ? between_nodes : positions);
    }
  }
  for (std::vector<int>& rows : rows_) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
}

void StageLayoutMaker::make_pattern() {
  assembly::SparsePattern& made = layout_.pattern;
  made.column_start.assign(1, 0);
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b)
    for (int column = 0; column < size_of(b); ++column) {
      for (const int row : rows_[b])
        for (int r = 0; r < size_of(row); ++r) made.row.push_back(made.block_start[row] + r);
      made.column_start.push_back(static_cast<int>(made.row.size()));
    }
  made.order = std::make_shared<const assembly::BlockOrder>(assembly::PatternView(made), layout_.leaders);
  const int values = give_places(*made.order);
  made.spare = values - static_cast<int>(made.row.size());
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b)
    for (int column = 0; column < size_of(b); ++column)
      for (std::size_t i = 0; i < rows_[b].size(); ++i)
        for (int r = 0; r < size_of(rows_[b][i]); ++r)
          made.place.push_back(places_[b][i] + column * stride_of(rows_[b][i]) + r);
}

// In the order in which a factorization, and the substitution downward, then the one upward take them. Where the order
// was given up, all others follow. Returns how many values there are.
int StageLayoutMaker::give_places(const assembly::BlockOrder& order) {
  int next = 0;
  places_.resize(rows_.size());
  is_taken_.resize(rows_.size());
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    places_[b].assign(rows_[b].size(), -1);
    is_taken_[b].assign(rows_[b].size(), 0);
  }
  const auto give = [&](int row, int column) {
    const auto at = std::lower_bound(rows_[column].begin(), rows_[column].end(), row);
    if (at == rows_[column].end() || *at != row) return;
    int& place = places_[column][at - rows_[column].begin()];
    if (place >= 0) return;
    place = next;
    next += values_of(row, column);
  };
  for (std::size_t p = 0; p + 1 < order.start.size(); ++p) {
    const int b = order.block[p];
    const std::span<const int> later(order.later.data() + order.start[p], order.later.data() + order.start[p + 1]);
    for (const int q : later) give(order.block[q], b);
    give(b, b);
    for (const int q : later) give(b, order.block[q]);
  }
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b)
    for (const int row : rows_[b]) give(row, b);
  return next;
}

// -1 where one of both does not exist.
int StageLayoutMaker::take(int row, int column) {
  if (row < 0 || column < 0) return -1;
  const auto i = std::lower_bound(rows_[column].begin(), rows_[column].end(), row) - rows_[column].begin();
  is_taken_[column][i] = 1;
  return places_[column][i];
}

// What goes where: each block of the system to its places, by the equations of stage_system.hpp.
void StageLayoutMaker::list_blocks() {
  for (int b = 0; b < static_cast<int>(columns_.size()); ++b)
    for (const auto& [row, from] : columns_[b]) {
      const int stride = stride_of_system(row);
      const StageBlocks& r = blocks_[row];
      const StageBlocks& c = blocks_[b];
      StageLayout::Block of{from,  first_of_system(row), first_of_system(b), size_of_system(row), size_of_system(b),
                            stride};
      if (is_node(row) && is_node(b)) {
        if (has_rates(row, b))
          layout_.forces.push_back({of, take(r[0], c[0]), take(r[0], c[1]), take(r[0], c[2])});
        else
          layout_.by_positions.push_back({from, take(r[0], c[0]), of.count()});
      } else if (is_node(row)) {
        layout_.forces_nu.push_back({from, take(r[0], c[0]), of.count()});
      } else if (is_node(b)) {
        of.row = equation_of(row);
        layout_.gradients.push_back({of, take(r[0], c[0]), take(r[1], c[0]), take(r[1], c[1]), take(r[2], c[0]),
                                     take(r[2], c[1]), take(r[2], c[2])});
      }
    }
}

// A node and a group have one block of V.
void StageLayoutMaker::list_lift() {
  std::size_t next = 0;  // column of B^T by nodes, the first of a group
  for (int g = nodes_; g < static_cast<int>(columns_.size()); ++g) {
    std::size_t of_column = 0;
    for (const auto& [row, from] : columns_[g]) {
      if (!is_node(row)) continue;
      const int entry = jacobian_.columns[next + of_column++].entry;
      for (const std::size_t part : parts().subspan(1))
        layout_.lift.push_back(
            {entry, take(blocks_[row][part], blocks_[g][part]), size_of_system(row) * size_of_system(g)});
    }
    next += of_column * static_cast<std::size_t>(size_of_system(g));
  }
}

// With the ones that stand on diagonals.
void StageLayoutMaker::list_zeros() {
  for (int b = 0; b < nodes_; ++b)
    for (const int part : {1, 2}) {
      const int block = blocks_[b][part];
      if (block < 0) continue;
      const int place = take(block, block);
      layout_.zeros.push_back({place, place + values_of(block, block)});
      for (int j = 0; j < size_of(block); ++j) layout_.identity.push_back(place + j * (stride_of(block) + 1));
    }
  for (int g = nodes_; g < static_cast<int>(columns_.size()); ++g) {
    const int first = static_cast<int>(layout_.holds.size());
    layout_.holds.resize(layout_.holds.size() + static_cast<std::size_t>(size_of_system(g)));
    std::fill_n(layout_.holds.begin() + first, size_of_system(g), StageBlocks{-1, -1, -1});
    for (const std::size_t part : parts()) {
      const int block = blocks_[g][part];
      const int place = take(block, block);
      layout_.zeros.push_back({place, place + values_of(block, block)});
      for (int j = 0; j < size_of(block); ++j) layout_.holds[first + j][part] = place + j * (stride_of(block) + 1);
    }
  }
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b)
    for (std::size_t i = 0; i < rows_[b].size(); ++i)
      if (!is_taken_[b][i]) layout_.zeros.push_back({places_[b][i], places_[b][i] + values_of(rows_[b][i], b)});
}

}  // namespace

StageLayout::StageLayout(const JacobianPlaces& places, const SparseMatrix& X, std::span<const char> by_rates,
                         bool with_accelerations) {
  StageLayoutMaker(*this, places, X, by_rates, with_accelerations);
}

}  // namespace polhode::integrators
