// SPDX-License-Identifier: BSD-3-Clause
// LU factorization of a graph of small dense blocks, and solution with it.
#include "polhode/assembly/linear/block_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "block6.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::assembly {

// Larger blocks, of unknowns that are not by nodes, are left to KLU.
bool BlockSolver::takes(const PatternView& matrix) {
  if (matrix.block_start.size() < 2 || matrix.row.empty()) return false;
  for (std::size_t b = 0; b + 1 < matrix.block_start.size(); ++b)
    if (matrix.block_start[b + 1] - matrix.block_start[b] > width) return false;
  return true;
}

// What columns have beyond their rows is zero from here on.
BlockSolver::BlockSolver(const SparseMatrix& matrix, const BlockOrder& order, SparseMatrix* consumed)
    : matrix_(matrix),
      consumed_(consumed),
      layout_(matrix, order, consumed != nullptr),
      own_(static_cast<std::size_t>(layout_.own_values)),
      loaded_(static_cast<std::size_t>(layout_.count), 0),
      zero_(layout_.neighbours.size()),
      whole_(static_cast<std::size_t>(layout_.count)),
      work_((static_cast<std::size_t>(layout_.count) + layout_.slots.size()) * width),
      pivots_(layout_.task_own.size()),
      pivots_of_rows_(layout_.updates.empty() ? 0 : static_cast<std::size_t>(layout_.count - layout_.top)),
      is_eliminated_(pivots_of_rows_.size()) {
  for (int p = 0; p < layout_.count; ++p) {
    bool whole = layout_.size[p] == width && !layout_.is_group[p];
    for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i)
      whole = whole && layout_.size[layout_.neighbours[i].block] == width;
    whole_[p] = whole;
  }
  if (std::find(whole_.begin(), whole_.end(), 0) == whole_.end()) return;
  reach_.resize(static_cast<std::size_t>(layout_.count) + layout_.slots.size());
  peak_.resize(reach_.size() * width);
}

namespace {

// Largest entry of L, and growth of a block by an update: beyond, the eliminated block is tiny against what couples it.
constexpr double tiny = 1e10;

// Substitution takes as long for so many blocks as the way of one from memory.
constexpr int ahead = 8;

// Columns of a number of rows that is known, so that none is copied by a loop.
template <int rows>
void copy_columns(const double* from, const BlockLayout::Copy& c, double* to) {
  for (int column = 0; column < c.columns; ++column, from += c.stride, to += block6::width_of(rows))
    std::memcpy(to, from, rows * sizeof(double));
}

// Calls use.operator()<size>().
template <class Use>
[[gnu::always_inline]] inline auto with_size(int size, const Use& use) {
  switch (size) {
    case 1:
      return use.template operator()<1>();
    case 2:
      return use.template operator()<2>();
    case 3:
      return use.template operator()<3>();
    case 4:
      return use.template operator()<4>();
    case 5:
      return use.template operator()<5>();
    default:
      return use.template operator()<6>();
  }
}

// Calls use.operator()<size, whole>(), where `whole` says that all sizes are six.
template <class Use>
[[gnu::always_inline]] inline auto with_sizes(bool whole, int size, const Use& use) {
  if (whole) return use.template operator()<6, true>();
  return with_size(size, [&]<int n>() { return use.template operator()<n, false>(); });
}

}  // namespace

// Blocks that other positions have already updated were loaded then. All that is summed up at a position begins here,
// too: no pass over memory of its own.
void BlockSolver::load(int p) {
  loaded_[p] = 1;
  if (rhs_) load_rhs(rhs_, p);
  if (!reach_.empty()) {
    reach_[p] = 0;
    std::fill_n(peak_.begin() + p * width, width, 0.0);
  }
  for (int i = layout_.fill_start[p]; i < layout_.fill_start[p + 1]; ++i) clear_own(layout_.fill_in[i]);
  for (int i = layout_.copy_start[p]; i < layout_.copy_start[p + 1]; ++i) {
    const BlockLayout::Copy& c = layout_.copies[i];
    with_size(c.rows, [&]<int rows>() { copy_columns<rows>(matrix_.values.data() + c.from, c, own_.data() + c.to); });
  }
}

// U stays as it is: what an LDU factorization would divide by is in L. The pivot of constraint equations is one over a
// mass: whether it is tiny shows in how much the blocks of its neighbours grow, which has no unit. What hangs on a joint
// is rightly heavy: a row of N hinges has inertias of N^3.
template <int size, class Column, bool whole>
bool BlockSolver::update_neighbour(int p, int a, int end) {
  const BlockLayout::Neighbour* neighbours = layout_.neighbours.data() + layout_.start[p];
  const Zero* zero = zero_.data() + layout_.start[p];
  const int degree = layout_.start[p + 1] - layout_.start[p];
  const int* target = layout_.targets.data() + layout_.target_start[p] + a * degree;
  double* lower = at(neighbours[a].lower);
  block6::multiply<Column, size>(lower, at(layout_.diagonal[p]), lower);
  const bool is_group = !whole && layout_.is_group[p];
  const int rows = size_of<whole>(neighbours[a].block);
  if (!is_group && !(block6::largest_entry<Column>(lower, size) < tiny)) return false;
  const double* own_target = at(target[a]);
  const bool is_whole_sum = neighbours[a].block < end;  // else what others add to it is not there yet
  const double before = is_group && is_whole_sum ? block6::largest_entry<Column>(own_target, rows) : 0;
  for (int b = 0; b < degree; ++b) {
    if (!whole && zero[b].upper) continue;
    const double* upper = at(neighbours[b].upper);
    block6::with_columns(size_of<whole>(neighbours[b].block), [&](auto columns) {
      block6::subtract_product<Column, size>(lower, upper, at(target[b]), columns);
    });
  }
  if (!whole && layout_.is_group[neighbours[a].block]) {
    double* peak = peak_.data() + neighbours[a].slot * width;
    for (int i = 0; i < rows; ++i) peak[i] = std::max(peak[i], std::abs(own_target[Column::width * i + i]));
  }
  return !(before > 0) || block6::largest_entry<Column>(own_target, rows) < tiny * std::max(before, reach_[p]);
}

// Of a group of constraint equations, whose diagonal is a sum of contributions: what is left of them, at least. Small
// where contributions of loops cancel, and where equations hold the same small inertia: the mobility of a body of 1 kg
// and 1e-9 kg m^2 hides what its mass contributes, and the square of that is lost behind it.
double BlockSolver::part_left(int p) {
  const double* inverse = at(layout_.diagonal[p]);
  const double* peak = peak_.data() + p * width;
  const int stride = layout_.stride_of(p) + 1;
  double largest = 0;
  for (int i = 0; i < layout_.size[p]; ++i) largest = std::max(largest, std::abs(inverse[stride * i]) * peak[i]);
  return 1 / largest;
}

template <int size, bool whole>
inline bool BlockSolver::update(int p, int a, int end) {
  const int i = layout_.start[p] + a;
  if (!whole && zero_[i].lower) return true;
  return size_of<whole>(layout_.neighbours[i].block) <= block6::Narrow::width
             ? update_neighbour<size, block6::Narrow, whole>(p, a, end)
             : update_neighbour<size, block6::Column, whole>(p, a, end);
}

void BlockSolver::Pivots::add(double small, double large) {
  smallest = std::min(smallest, small);
  largest = std::max(largest, large);
}

template <int size, bool whole>
inline bool BlockSolver::invert(int p, Pivots& pivots) {
  constexpr double singular = 1e-14;  // of a pivot against the largest one of its block
  // A solution loses 1e-16 over this. Of large matrices KLU takes several times as long: they may lose 1e-9, and what
  // Newton's iteration makes good 1e-8
  constexpr int large_count = 500;
  const double least_part = is_iterated_ ? 1e-8 : layout_.count < large_count ? 1e-5 : 1e-7;
  if (!loaded_[p]) load(p);
  double* inverse = at(layout_.diagonal[p]);
  const bool is_group = !whole && layout_.is_group[p];
  double copy[size < width ? 1 : width * width];
  if (!whole && !is_group) {
    reach_[p] = block6::largest_entry<block6::ColumnOf<size>>(inverse, size);
    if constexpr (size == width) std::copy_n(inverse, width * width, copy);
  }
  double small;
  double large;
  // The largest entry counts as a pivot of a smaller block: one that is all tiny does not go by unnoticed.
  const double entry = size < width ? block6::largest_entry<block6::ColumnOf<size>>(inverse, size) : 0;
  if (!block6::invert<size>(inverse, small, large)) return false;
  if (size < width) {
    small = std::min(small, entry);
    large = std::max(large, entry);
  }
  if (is_group) {
    if (part_left(p) < least_part) return false;
  } else if (small < singular * large) {
    if (whole || size < width || !block6::is_regular_when_scaled(copy, inverse, singular)) return false;
  }
  pivots.add(small, large);
  if (whole) return true;
  for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i) {
    const BlockLayout::Neighbour& neighbour = layout_.neighbours[i];
    zero_[i].upper = block6::is_zero<block6::ColumnOf<size>>(at(neighbour.upper), layout_.size[neighbour.block]);
  }
  return true;
}

template <int size>
inline void BlockSolver::note_coupling(int p, int i) {
  using block6::Narrow;
  const BlockLayout::Neighbour& neighbour = layout_.neighbours[i];
  reach_[neighbour.slot] = std::max(reach_[neighbour.slot], reach_[p]);
  const double* lower = at(neighbour.lower);
  zero_[i].lower = layout_.size[neighbour.block] <= Narrow::width ? block6::is_zero<Narrow>(lower, size)
                                                                  : block6::is_zero(lower, size);
}

template <int size, bool whole>
bool BlockSolver::eliminate(int p, int end, Pivots& pivots) {
  if (!invert<size, whole>(p, pivots)) return false;
  const int degree = layout_.start[p + 1] - layout_.start[p];
  for (int a = 0; a < degree; ++a) {
    const int i = layout_.start[p] + a;
    if (const int q = layout_.neighbours[i].block; q < end && !loaded_[q]) load(q);
    if (!whole) note_coupling<size>(p, i);
  }
  for (int a = 0; a < degree; ++a)
    if (!update<size, whole>(p, a, end)) return false;
  return true;
}

// A position is substituted downward as soon as its column of L stands: all that it takes from others is there by then.
template <bool substitutes>
inline bool BlockSolver::eliminate_range(int begin, int until, int end, Pivots& pivots) {
  const auto eliminate_one = [&]<int size, bool whole>(int p) {
    if (!eliminate<size, whole>(p, end, pivots)) return false;
    if constexpr (substitutes) solve_down<size, whole>(p);
    return true;
  };
  for (int p = begin; p < until; ++p)
    if (!with_sizes(whole_[p], layout_.size[p],
                    [&]<int size, bool whole>() { return eliminate_one.template operator()<size, whole>(p); }))
      return false;
  return true;
}

// A thread takes the same tasks each time where it can, for what its cache has of them.
template <class Use>
void BlockSolver::each_task(const Use& use) const {
  math::in_parallel(layout_.task_places, [&](std::size_t task) { use(static_cast<int>(task)); });
}

// Tasks touch nothing of each other, and the top nothing but its own blocks: sums are made in the same order whatever
// the number of threads.
template <bool substitutes>
bool BlockSolver::eliminate_tasks(const Write* write) {
  std::atomic<bool> good = true;
  each_task([&](int task) {
    clear_own(layout_.task_own[task]);
    clear_slots_of_task(task);
    Pivots pivots;
    const int begin = layout_.task_begin[task];
    const int end = layout_.task_begin[task + 1];
    if (!(write ? eliminate_behind<substitutes>(lanes_[task], *write, pivots)
                : eliminate_range<substitutes>(begin, end, end, pivots)))
      good = false;
    pivots_[task] = pivots;
  });
  if (!good) return false;
  for (const Pivots& of_task : pivots_) all_pivots_.add(of_task.smallest, of_task.largest);
  math::in_parallel(static_cast<std::size_t>(layout_.count - layout_.top), [&](std::size_t i) {
    if (!add_handed_on(layout_.top + static_cast<int>(i))) good = false;
  });
  return good;
}

// To the blocks of a position of the top.
bool BlockSolver::add_handed_on(int p) {
  load(p);
  bool good = true;
  for (int i = layout_.handed_on_start[p - layout_.top]; i < layout_.handed_on_start[p - layout_.top + 1]; ++i) {
    const BlockLayout::HandedOn& h = layout_.handed_on[i];
    if (h.slot >= 0 && !reach_.empty()) {
      good = add_to_diagonal(p, h) && good;
      continue;
    }
    double* to = at(h.to);
    const double* from = own_.data() + h.from;
    for (int k = 0; k < h.values; ++k) to[k] += from[k];
  }
  return good;
}

// With what limits pivots. False where a pivot of constraint equations was tiny, as in update_neighbour().
bool BlockSolver::add_to_diagonal(int p, const BlockLayout::HandedOn& h) {
  double* to = at(h.to);
  const double* from = own_.data() + h.from;
  const auto largest = [&] {
    double found = 0;
    for (int k = 0; k < h.values; ++k) found = std::max(found, std::abs(to[k]));
    return found;
  };
  const double before = h.shows_groups ? largest() : 0;
  for (int k = 0; k < h.values; ++k) to[k] += from[k];
  reach_[p] = std::max(reach_[p], reach_[h.slot]);
  if (layout_.is_group[p]) {
    double* peak = peak_.data() + p * width;
    const double* of_subtree = peak_.data() + h.slot * width;
    const int stride = layout_.stride_of(p) + 1;
    for (int i = 0; i < layout_.size[p]; ++i) peak[i] = std::max({peak[i], of_subtree[i], std::abs(to[stride * i])});
  }
  return !(before > 0) || largest() < tiny * std::max(before, reach_[h.slot]);
}

// Right-looking elimination: each diagonal block is replaced by its inverse, the column below it by L = A D^-1, and the
// blocks of its neighbors are updated at once.
template <bool substitutes>
bool BlockSolver::factorize_with(std::span<const double> rhs, const Write* write) {
  if (consumed_) values_ = consumed_->values.data();
  rhs_ = substitutes ? rhs.data() : nullptr;
  std::fill(loaded_.begin(), loaded_.end(), 0);
  all_pivots_ = {};
  if (write && layout_.top == 0) return eliminate_behind<substitutes>(lanes_.front(), *write, all_pivots_);
  if (layout_.top > 0) {
    if (!eliminate_tasks<substitutes>(write)) return false;
    if (substitutes) add_slots_to_top();
  }
  if (!layout_.updates.empty()) return eliminate_rows<substitutes>();
  return eliminate_range<substitutes>(layout_.top, layout_.count, layout_.count, all_pivots_);
}

// Threads take the rows of the top one after the other, and wait where a pivot is not there yet: who took it is at work.
// Each row sums up in the order of its pivots, and is all that who took it writes to. One thread runs this, too: compiled
// elsewhere, rounding may differ.
template <bool substitutes>
bool BlockSolver::eliminate_rows() {
  const auto rows = static_cast<std::size_t>(layout_.count - layout_.top);
  if (layout_.top == 0) math::in_parallel(rows, [&](std::size_t p) { load(static_cast<int>(p)); });
  for (std::atomic<bool>& is_done : is_eliminated_) is_done.store(false, std::memory_order_relaxed);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> good = true;
  const auto take_rows = [&](std::size_t) {
    while (good) {
      const std::size_t row = next++;
      if (row >= rows) return;
      pivots_of_rows_[row] = {};
      if (!eliminate_row<substitutes>(layout_.top + static_cast<int>(row), pivots_of_rows_[row])) good = false;
      is_eliminated_[row].store(true, std::memory_order_release);
    }
  };
  math::in_parallel(static_cast<std::size_t>(math::number_of_threads()), take_rows);
  for (const Pivots& of_row : pivots_of_rows_) all_pivots_.add(of_row.smallest, of_row.largest);
  return good;
}

template <bool substitutes>
bool BlockSolver::eliminate_row(int q, Pivots& pivots) {
  const int row = q - layout_.top;
  for (int k = layout_.updates_start[row]; k < layout_.updates_start[row + 1]; ++k) {
    const auto [p, a] = layout_.updates[k];
    math::await(is_eliminated_[p - layout_.top]);
    const bool good = with_sizes(whole_[p], layout_.size[p], [&]<int size, bool whole>() {
      const int i = layout_.start[p] + a;
      if (!whole) note_coupling<size>(p, i);
      if (!update<size, whole>(p, a, layout_.count)) return false;
      if (substitutes) substitute<size, whole>(p, i);
      return true;
    });
    if (!good) return false;
  }
  return with_sizes(whole_[q], layout_.size[q], [&]<int size, bool whole>() { return invert<size, whole>(q, pivots); });
}

// What a position touches is written by then.
template <bool substitutes>
bool BlockSolver::eliminate_behind(const Lane& lane, const Write& write, Pivots& pivots) {
  int p = lane.begin;
  for (std::size_t section = lane.first_section; section < lane.end_section; ++section) {
    write(section);
    const int until = std::max(p, behind_[section]);
    if (!eliminate_range<substitutes>(p, until, lane.end, pivots)) return false;
    p = until;
  }
  return eliminate_range<substitutes>(p, lane.end, lane.end, pivots);
}

template <int size, bool whole>
inline void BlockSolver::substitute(int p, int i) {
  if (!whole && zero_[i].lower) return;
  const double* x = work_.data() + p * width;
  const double* lower = at(layout_.neighbours[i].lower);
  double* to = work_.data() + layout_.neighbours[i].slot * width;
  if (size_of<whole>(layout_.neighbours[i].block) <= block6::Narrow::width)
    block6::subtract_product_of_vector<block6::Narrow>(lower, x, to, size);
  else
    block6::subtract_product_of_vector(lower, x, to, size);
}

template <int size, bool whole>
void BlockSolver::solve_down(int p) {
  for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i) {
    if (const int next = i + ahead; !whole && next < layout_.start.back() && !zero_[next].lower)
      block6::prefetch(at(layout_.neighbours[next].lower));
    substitute<size, whole>(p, i);
  }
}

template <int size, bool whole>
void BlockSolver::solve_up(int p) {
  double* x = work_.data() + p * width;
  for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i) {
    if (const int next = i - ahead; !whole && next >= 0 && !zero_[next].upper)
      block6::prefetch(at(layout_.neighbours[next].upper));
    if (!whole && zero_[i].upper) continue;
    const int q = layout_.neighbours[i].block;
    const double* upper = at(layout_.neighbours[i].upper);
    const double* later = work_.data() + q * width;
    block6::with_columns(size_of<whole>(q), [&](auto columns) {
      block6::subtract_product_of_vector<block6::ColumnOf<size>>(upper, later, x, columns);
    });
  }
  block6::multiply_vector<size>(at(layout_.diagonal[p]), x);
}

// Six places a position, those beyond its unknowns zero.
inline void BlockSolver::load_rhs(const double* rhs, int p) {
  double* to = work_.data() + p * width;
  const double* from = rhs + layout_.first[p];
  if (layout_.size[p] == width)
    block6::Column::load(from).store(to);
  else
    for (int i = 0; i < width; ++i) to[i] = i < layout_.size[p] ? from[i] : 0;
}

inline void BlockSolver::solve_down_range(int begin, int end) {
  for (int p = begin; p < end; ++p)
    with_sizes(whole_[p], layout_.size[p], [&]<int size, bool whole>() { solve_down<size, whole>(p); });
}

inline void BlockSolver::solve_up_range(std::span<double> rhs, int begin, int end) {
  for (int p = end - 1; p >= begin; --p)
    with_sizes(whole_[p], layout_.size[p], [&]<int size, bool whole>() {
      solve_up<size, whole>(p);
      std::copy_n(work_.data() + p * width, size, rhs.data() + layout_.first[p]);
    });
}

// Slots take what the task hands on.
inline void BlockSolver::clear_slots_of_task(int task) {
  const int begin = layout_.count + layout_.slot_begin[task];
  const int end = layout_.count + layout_.slot_begin[task + 1];
  std::fill(work_.begin() + begin * width, work_.begin() + end * width, 0.0);
  if (reach_.empty()) return;
  std::fill(reach_.begin() + begin, reach_.begin() + end, 0.0);
  std::fill(peak_.begin() + begin * width, peak_.begin() + end * width, 0.0);
}

inline void BlockSolver::add_slots_to_top() {
  for (std::size_t s = 0; s < layout_.slots.size(); ++s) {
    const double* from = work_.data() + (static_cast<std::size_t>(layout_.count) + s) * width;
    double* to = work_.data() + layout_.slots[s] * width;
    for (int i = 0; i < width; ++i) to[i] += from[i];
  }
}

inline void BlockSolver::solve_up_all(std::span<double> rhs) {
  solve_up_range(rhs, layout_.top, layout_.count);
  if (layout_.top > 0)
    each_task([&](int task) { solve_up_range(rhs, layout_.task_begin[task], layout_.task_begin[task + 1]); });
}

bool BlockSolver::factorize() { return factorize_with<false>({}, nullptr); }

// The upward substitution needs all factors: it is a sweep of its own, from the top to the leaves.
bool BlockSolver::factorize_and_solve(std::span<double> rhs) {
  if (!factorize_with<true>(rhs, nullptr)) return false;
  solve_up_all(rhs);
  return true;
}

// Lanes are threads' work: of more threads than lanes some would have none of it.
bool BlockSolver::factorize_and_solve(std::span<double> rhs, const Write& write) {
  if (static_cast<std::size_t>(math::number_of_threads()) > lanes_.size()) {
    sections_->each(write);
    return factorize_and_solve(rhs);
  }
  sections_->each_with_color(write);
  if (!factorize_with<true>(rhs, &write)) return false;
  solve_up_all(rhs);
  return true;
}

// L y = b downward, U x = y upward with the inverse diagonal blocks.
void BlockSolver::solve(std::span<double> rhs) {
  if (layout_.top > 0)
    each_task([&](int task) {
      clear_slots_of_task(task);
      for (int p = layout_.task_begin[task]; p < layout_.task_begin[task + 1]; ++p) load_rhs(rhs.data(), p);
      solve_down_range(layout_.task_begin[task], layout_.task_begin[task + 1]);
    });
  for (int p = layout_.top; p < layout_.count; ++p) load_rhs(rhs.data(), p);
  add_slots_to_top();
  solve_down_range(layout_.top, layout_.count);
  solve_up_all(rhs);
}

}  // namespace polhode::assembly
