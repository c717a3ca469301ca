// SPDX-License-Identifier: BSD-3-Clause
// Storage of a factor of small blocks.
#include "polhode/assembly/linear/block_layout.hpp"

#include <algorithm>
#include <numeric>

#include "polhode/math/parallel.hpp"

namespace polhode::assembly {
namespace {

constexpr int nowhere = -1;  // a place not yet given

}  // namespace

BlockLayout::BlockLayout(const SparseMatrix& matrix, const BlockOrder& order, bool in_place)
    : count(static_cast<int>(order.block.size())),
      is_group(order.is_group),
      start(order.start),
      top(order.task_begin.back()),
      task_begin(order.task_begin),
      task_places(math::places_of(order.task_work)) {
  for (const int b : order.block) {
    first.push_back(matrix.block_start[b]);
    size.push_back(matrix.block_start[b + 1] - matrix.block_start[b]);
  }
  neighbours.reserve(order.later.size());
  for (const int q : order.later) neighbours.push_back({q, nowhere, nowhere, q});
  targets.reserve(static_cast<std::size_t>(order.products));
  give_places(matrix, in_place);
  find_targets(order);
  sort_handed_on();
  find_updates();
  find_copies(matrix);
}

// The earlier of the two keeps both blocks of the pair.
BlockLayout::Place& BlockLayout::place_of(int row, int column) {
  if (row == column) return diagonal[row];
  const int early = std::min(row, column);
  const int late = std::max(row, column);
  const auto begin = neighbours.begin() + start[early];
  const auto end = neighbours.begin() + start[early + 1];
  const auto it = std::lower_bound(begin, end, late, [](const Neighbour& n, int value) { return n.block < value; });
  return row > column ? it->lower : it->upper;
}

// Calls use(row, column, first value, from column to column) for each block of the matrix, by positions.
template <class Use>
void BlockLayout::each_block(const SparseMatrix& matrix, const Use& use) const {
  std::vector<int> position_of(static_cast<std::size_t>(matrix.size));
  for (int p = 0; p < count; ++p) std::fill_n(position_of.begin() + first[p], size[p], p);
  for (int b = 0; b < count; ++b) {
    const int column = matrix.block_start[b];
    const int c = position_of[column];
    const int begin = matrix.column_start[column];
    const int end = matrix.column_start[column + 1];
    for (int entry = begin; entry < end;) {
      const int r = position_of[matrix.row[entry]];
      const int from = matrix.place_of(entry);
      use(r, c, from, size[c] > 1 ? matrix.place_of(entry + end - begin) - from : 0);
      entry += size[r];
    }
  }
}

// With `in_place`, blocks of six rows whose columns follow each other directly, and those of wide rows, serve as they
// are; all others, and fill-in, get an own block, numbered by position so that those of a position stand together.
void BlockLayout::give_places(const SparseMatrix& matrix, bool in_place) {
  diagonal.assign(static_cast<std::size_t>(count), nowhere);
  if (in_place)
    each_block(matrix, [&](int r, int c, int from, int stride) {
      const bool is_wide = size[r] == width || (matrix.wide_rows && first[r] >= matrix.late);
      if (is_wide && (size[c] == 1 || stride == stride_of(r))) place_of(r, c) = from;
    });
  const auto give_own = [&](Place& place, int row, int column) {
    if (place != nowhere) return;
    place = -1 - own_values;
    own_values += values_of(row, column);
  };
  for (int p = 0; p < count; ++p) {
    give_own(diagonal[p], p, p);
    for (int i = start[p]; i < start[p + 1]; ++i) {
      give_own(neighbours[i].lower, neighbours[i].block, p);
      give_own(neighbours[i].upper, p, neighbours[i].block);
    }
  }
}

// What it updates above itself: each pair of the neighbors of its root.
struct BlockLayout::Subtree {
  int root;
  int first_slot;
  std::vector<int> above;        // positions, ascending
  std::vector<int> own;          // first own value of the pair (row, column), by row
  std::vector<char> has_groups;  // by column: a group has updated its block on the diagonal
  std::size_t pair(std::size_t row, std::size_t column) const { return row * above.size() + column; }
  std::size_t index_of(int position) const {
    return static_cast<std::size_t>(std::lower_bound(above.begin(), above.end(), position) - above.begin());
  }
};

BlockLayout::Subtree BlockLayout::begin_subtree(int root) {
  Subtree made{root, count + static_cast<int>(slots.size()), {}, {}, {}};
  for (int i = start[root]; i < start[root + 1]; ++i) made.above.push_back(neighbours[i].block);
  slots.insert(slots.end(), made.above.begin(), made.above.end());
  for (const int row : made.above)
    for (const int column : made.above) {
      made.own.push_back(own_values);
      own_values += values_of(row, column);
    }
  made.has_groups.assign(made.above.size(), 0);
  return made;
}

void BlockLayout::add_targets_of_task(int p, Subtree& subtree) {
  for (int a = start[p]; a < start[p + 1]; ++a) {
    const int row = neighbours[a].block;
    const std::size_t above = row < top ? 0 : subtree.index_of(row);
    if (row >= top) neighbours[a].slot = subtree.first_slot + static_cast<int>(above);
    if (row >= top && is_group[p]) subtree.has_groups[above] = 1;
    for (int b = start[p]; b < start[p + 1]; ++b) {
      const int column = neighbours[b].block;
      const bool is_inside = std::min(row, column) < top;
      targets.push_back(is_inside ? place_of(row, column)
                                  : -1 - subtree.own[subtree.pair(above, subtree.index_of(column))]);
    }
  }
}

void BlockLayout::hand_on(const Subtree& subtree) {
  for (std::size_t a = 0; a < subtree.above.size(); ++a)
    for (std::size_t b = 0; b < subtree.above.size(); ++b) {
      const int row = subtree.above[a];
      const int column = subtree.above[b];
      const bool is_diagonal = a == b;
      handed_on.push_back({subtree.own[subtree.pair(a, b)], place_of(row, column), values_of(row, column),
                           is_diagonal ? subtree.first_slot + static_cast<int>(a) : -1,
                           is_diagonal && subtree.has_groups[a] != 0});
      handed_on_start.push_back(std::min(row, column));
    }
}

// By the positions that they belong to, for each of them in the order of the subtrees.
void BlockLayout::sort_handed_on() {
  const std::vector<HandedOn> found = std::move(handed_on);
  const std::vector<int> owners = std::move(handed_on_start);
  handed_on_start.assign(static_cast<std::size_t>(count - top) + 1, 0);
  for (const int owner : owners) ++handed_on_start[owner - top + 1];
  std::partial_sum(handed_on_start.begin(), handed_on_start.end(), handed_on_start.begin());
  handed_on.resize(found.size());
  std::vector<int> next = handed_on_start;
  for (std::size_t i = 0; i < found.size(); ++i) handed_on[next[owners[i] - top]++] = found[i];
}

// Elimination of p couples all its neighbors with each other: A_ab -= L_ap U_pb for each pair (a, b).
void BlockLayout::find_targets(const BlockOrder& order) {
  target_start.assign(1, 0);
  for (std::size_t task = 0; task + 1 < task_begin.size(); ++task) {
    slot_begin.push_back(static_cast<int>(slots.size()));
    const int first_own = own_values;
    for (int begin = task_begin[task]; begin < task_begin[task + 1];) {
      int root = begin;
      while (!order.ends_subtree(root)) ++root;
      Subtree subtree = begin_subtree(root);
      for (int p = begin; p <= root; ++p) {
        add_targets_of_task(p, subtree);
        target_start.push_back(static_cast<int>(targets.size()));
      }
      hand_on(subtree);
      begin = root + 1;
    }
    task_own.push_back({first_own, own_values});
  }
  slot_begin.push_back(static_cast<int>(slots.size()));
  for (int p = top; p < count; ++p) {
    for (int a = start[p]; a < start[p + 1]; ++a)
      for (int b = start[p]; b < start[p + 1]; ++b)
        targets.push_back(place_of(neighbours[a].block, neighbours[b].block));
    target_start.push_back(static_cast<int>(targets.size()));
  }
}

void BlockLayout::find_updates() {
  constexpr int wide = 16;  // neighbours
  const auto degree = [&](int p) { return start[p + 1] - start[p]; };
  double work = 0;
  double wide_work = 0;
  for (int p = top; p < count; ++p) {
    const double own = (degree(p) + 1.0) * (degree(p) + 1.0);
    work += own;
    if (degree(p) >= wide) wide_work += own;
  }
  if (wide_work <= 0.5 * work) return;
  std::vector<std::vector<Update>> of_rows(static_cast<std::size_t>(count - top));
  for (int p = top; p < count; ++p)
    for (int a = 0; a < degree(p); ++a) of_rows[neighbours[start[p] + a].block - top].push_back({p, a});
  for (const std::vector<Update>& of_row : of_rows) {
    updates_start.push_back(static_cast<int>(updates.size()));
    updates.insert(updates.end(), of_row.begin(), of_row.end());
  }
  updates_start.push_back(static_cast<int>(updates.size()));
}

// In the order of the own blocks, so that one pass serves a position; fill-in has no copy and has to be cleared.
void BlockLayout::find_copies(const SparseMatrix& matrix) {
  each_block(matrix, [&](int r, int c, int from, int stride) {
    if (const Place place = place_of(r, c); place < 0) copies.push_back({from, stride, -1 - place, size[r], size[c]});
  });
  std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.to < b.to; });
  auto copy = copies.begin();
  const auto pass = [&](Place place, int values) {
    if (place >= 0) return;
    const int begin = -1 - place;
    if (copy != copies.end() && copy->to == begin)
      ++copy;
    else
      fill_in.push_back({begin, begin + values});
  };
  for (int p = 0; p < count; ++p) {
    copy_start.push_back(static_cast<int>(copy - copies.begin()));
    fill_start.push_back(static_cast<int>(fill_in.size()));
    pass(diagonal[p], values_of(p, p));
    for (int i = start[p]; i < start[p + 1]; ++i) {
      pass(neighbours[i].lower, values_of(neighbours[i].block, p));
      pass(neighbours[i].upper, values_of(p, neighbours[i].block));
    }
  }
  copy_start.push_back(static_cast<int>(copies.size()));
  fill_start.push_back(static_cast<int>(fill_in.size()));
}

}  // namespace polhode::assembly
